// Text that grows at its end. Each piece refers to what stood before it, so that adding one costs the same
// however long the text is, and a reader who knows an earlier state sees what is new without looking at the
// rest.

/** A text as its newest piece and the text before that; null is the empty text. */
export type Growing = { readonly piece: string; readonly before: Growing } | null;

/** The text with a piece put behind it. */
export function grow(text: Growing, piece: string): Growing {
  return piece === "" ? text : { piece, before: text };
}

/**
 * The pieces that were put behind `earlier`, oldest first; null when `text` did not grow out of `earlier`.
 */
export function grownSince(text: Growing, earlier: Growing): string[] | null {
  const pieces: string[] = [];
  let at = text;
  while (at !== earlier) {
    if (at === null) {
      return null;
    }
    pieces.push(at.piece);
    at = at.before;
  }
  return pieces.reverse();
}

/** The whole text as one string. */
export function whole(text: Growing): string {
  return grownSince(text, null)?.join("") ?? "";
}

/** The given whole text, grown out of `earlier` where that is its beginning. */
export function growTo(earlier: Growing, text: string): Growing {
  const start = whole(earlier);
  return text.startsWith(start) ? grow(earlier, text.slice(start.length)) : grow(null, text);
}
