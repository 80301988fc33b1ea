// Files that are dragged, dropped or named behind an @. Of those in the editor's explorer and tabs the page gets only the addresses.

/** The formats in which the editor names what is dragged in it, the best first; text/uri-list is what other programs use, too. */
const lists = ["application/vnd.code.uri-list", "resourceurls", "text/uri-list"] as const;

/** Whether files may be in what is dragged; what it holds is not told before it is dropped. */
export function mayHoldFiles(data: DataTransfer | null): boolean {
  const types = data?.types ?? [];
  return types.includes("Files") || lists.some((type) => types.includes(type));
}

/** The addresses of the editor's files, each once; web pages are none. */
export function urisIn(data: DataTransfer | null): string[] {
  for (const type of lists) {
    const written = data?.getData(type) ?? "";
    const uris = type === "resourceurls" ? listed(written) : written.split(/\r?\n/);
    const files = uris.filter((uri) =>
      /^(?!(https?|data|blob|javascript|mailto|command):)[a-z][a-z\d+.-]*:/i.test(uri),
    );
    if (files.length > 0) {
      return [...new Set(files)];
    }
  }
  return [];
}

function listed(json: string): string[] {
  try {
    return [JSON.parse(json)].flat().map(String);
  } catch {
    return [];
  }
}

/** Paths of files as they are written into a text, with the space that the text before them needs. */
export function pathsText(paths: readonly string[], before: string): string {
  const words = paths.map((path) => (/\s/.test(path) ? `\`${path}\`` : path)).join(" ");
  return `${before === "" || /\s$/.test(before) ? "" : " "}${words}`;
}

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
