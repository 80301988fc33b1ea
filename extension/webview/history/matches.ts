// Finds in a text what a search found: all words of what was typed, the last of which may be the beginning of one. Letters
// match whatever their case and accents. Scripts that are written without spaces match anywhere.

/** A stretch of a text, in UTF-16 code units; its end is exclusive. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

interface Term {
  /** Folded code points. */
  readonly folded: string;
  /** Matches the beginning of a word, too. */
  readonly prefix: boolean;
  /** Matches inside of words, too. */
  readonly anywhere: boolean;
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const wordPart = /[\p{L}\p{N}\p{M}\p{Co}]/u;
const mark = /\p{M}/gu;

/** The words to look for. */
export function termsOf(search: string): readonly Term[] {
  const words = search.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
  const pieces = words.flatMap((word, index) => {
    const last = index === words.length - 1;
    return splitScripts(word).map((folded, at, all) => ({
      folded,
      anywhere: unspaced.test(folded),
      prefix: last && at === all.length - 1,
    }));
  });
  return pieces.filter(({ folded }) => folded !== "");
}

/** All places of the terms, in order and without overlap; at most `limit`. */
export function findMatches(text: string, terms: readonly Term[], limit = 1000): Match[] {
  if (terms.length === 0 || text === "") {
    return [];
  }
  const folded = foldText(text);
  const found = terms.flatMap((term) => findTerm(folded, term, limit));
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Match[] = [];
  for (const match of found) {
    const last = merged.at(-1);
    if (last !== undefined && match.start < last.end) {
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, match.end) };
    } else {
      merged.push(match);
    }
  }
  return merged.slice(0, limit);
}

/** A one-line excerpt of at most `length` code units around the first match. */
export function excerpt(text: string, terms: readonly Term[], length: number): string {
  // A match far behind the beginning is found in a bounded piece, so that the cost of a row is bounded too.
  const line = text.slice(0, searchedLength).replace(/\s+/g, " ").trim();
  if (line.length <= length) {
    return line;
  }
  const first = findMatches(line, terms, 1)[0];
  if (first === undefined || first.end < lead * 2) {
    return `${whole(line.slice(0, length))}…`;
  }
  const start = line.lastIndexOf(" ", first.start - lead) + 1 || first.start - lead;
  const end = start + length;
  return `…${whole(line.slice(start, end))}${end < line.length ? "…" : ""}`;
}

const searchedLength = 50_000;

/** How much stands in front of a match in an excerpt. */
const lead = 24;

/** A text without half a character at either end. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

interface Folded {
  readonly text: string;
  /** For each code unit of the folded text, and its end, the place in the text itself. */
  readonly places: readonly number[];
}

function foldText(text: string): Folded {
  const places: number[] = [];
  let folded = "";
  let at = 0;
  for (const character of text) {
    const piece = fold(character);
    for (let index = 0; index < piece.length; index++) {
      places.push(at);
    }
    folded += piece;
    at += character.length;
  }
  places.push(text.length);
  return { text: folded, places };
}

function fold(text: string): string {
  return text.normalize("NFD").replace(mark, "").toLowerCase();
}

function findTerm({ text, places }: Folded, term: Term, limit: number): Match[] {
  const found: Match[] = [];
  const { folded, anywhere, prefix } = term;
  for (
    let at = text.indexOf(folded);
    at >= 0 && found.length < limit;
    at = text.indexOf(folded, at + folded.length)
  ) {
    const end = at + folded.length;
    const fits = anywhere || (!inWord(before(text, at)) && (prefix || !inWord(after(text, end))));
    if (fits) {
      found.push({ start: places[at] ?? 0, end: places[end] ?? 0 });
    }
  }
  return found;
}

function inWord(character: string): boolean {
  return wordPart.test(character) && !unspaced.test(character);
}

function before(text: string, at: number): string {
  const unit = text[at - 1] ?? "";
  return /[\udc00-\udfff]/.test(unit) ? text.slice(at - 2, at) : unit;
}

function after(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 32);
}

/** A word folded, and cut where a script with spaces meets one without. */
function splitScripts(word: string): string[] {
  const pieces: string[] = [];
  let kind: boolean | undefined;
  for (const character of word) {
    const folded = fold(character);
    if (folded === "") {
      continue;
    }
    const unlike = kind !== undefined && kind !== unspaced.test(folded);
    kind = unspaced.test(folded);
    if (unlike || pieces.length === 0) {
      pieces.push(folded);
    } else {
      pieces[pieces.length - 1] += folded;
    }
  }
  return pieces;
}
