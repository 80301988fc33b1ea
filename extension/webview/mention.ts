// What stands behind an @ in a text box, and what a file's path is written as in its place. Pure.

/** The longest name that is looked for, in UTF-16 code units. */
const longestName = 100;

/** A name that the user types behind an @. */
export interface Mention {
  start: number;
  /** What stands behind it, up to the cursor. */
  text: string;
}

/** The mention that ends at the cursor; undefined where there is none. An @ in a word, as in an address, begins none. */
export function mentionAt(text: string, cursor: number): Mention | undefined {
  const before = text.slice(Math.max(0, cursor - longestName - 2), cursor);
  const found = /(?:^|[\s([{"'“‘«（【《，、。：；])@([^\s@]*)$/u.exec(before)?.[1];
  return found === undefined || found.length > longestName
    ? undefined
    : { start: cursor - found.length - 1, text: found };
}
