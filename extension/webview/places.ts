// Places in files that an agent names, such as src/main.ts:12. Found in texts here; whether there is such a file, and whether it may
// be opened, only the editor knows. Pure.

import type { Place } from "./boundary";

/** A place, and where it stands in the text. */
export interface FoundPlace {
  start: number;
  end: number;
  place: Place;
}

/** How many places of one text are looked at. */
const mostPlaces = 100;

/** How long a text may be in which places are found, in UTF-16 code units: a longer one is shown as it is. */
const longestText = 100_000;

/**
 * A path and a line in the forms that people and compilers write: a.ts:12, a.ts:12:5, a.ts:12-20, a.ts#L12-L20, a.ts(12,5). A path
 * does not begin within a word or behind a colon, where it would be a piece of an address, and its length is bounded, so that the
 * search takes time in proportion to the text.
 */
const written =
  /(?<![\p{L}\p{N}_.~@+$%\-/\\:])((?:[A-Za-z]:(?=[\\/]))?[\p{L}\p{N}_.~@+$%\-/\\][\p{L}\p{N}_.~@+$%\-/\\()[\]]{0,258})(?::(\d{1,7})(?::(\d{1,6}))?(?:[-–](\d{1,7}))?|#L(\d{1,7})(?:-L?(\d{1,7}))?|\((\d{1,7})(?:,\s?(\d{1,6}))?\))(?![A-Za-z0-9_])/gu;

/** Words in scripts that put no space before a path. */
const gluedWords =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+(?=[A-Za-z0-9_.~@])/u;

/** The places in a text, in its order. */
export function placesIn(text: string): FoundPlace[] {
  if (text.length > longestText) {
    return [];
  }
  const found: FoundPlace[] = [];
  for (const match of text.matchAll(written)) {
    const [whole, named = "", line, column, last, anchor, lastAnchor, inBrackets, columnInBrackets] = match;
    const glued = gluedWords.exec(named)?.[0].length ?? 0;
    const path = named.slice(glued);
    if (!isPath(path)) {
      continue;
    }
    const place: Place = { path, line: Number(line ?? anchor ?? inBrackets) };
    const [at, to] = [column ?? columnInBrackets, last ?? lastAnchor];
    if (at !== undefined) {
      place.column = Number(at);
    }
    if (to !== undefined && Number(to) >= place.line) {
      place.endLine = Number(to);
    }
    found.push({ start: match.index + glued, end: match.index + whole.length, place });
    if (found.length === mostPlaces) {
      break;
    }
  }
  return found;
}

/** A name with an ending or a folder; a share of another machine is never looked at. */
function isPath(path: string): boolean {
  return /[./\\]/.test(path) && /[\p{L}\p{N}]/u.test(path) && !/^[\\/]{2}/.test(path);
}
