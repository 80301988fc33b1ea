// What is dragged to a card or dropped on one: files of the system's, and files of the editor's own explorer and tabs, of which
// the page gets the addresses only. Pure.

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
    const uris = listed(type, data?.getData(type) ?? "").filter((uri) => /^[a-z][a-z\d+.-]*:/i.test(uri));
    const files = uris.filter((uri) => !/^(https?|data|blob|javascript|mailto|command):/i.test(uri));
    if (files.length > 0) {
      return [...new Set(files)];
    }
  }
  return [];
}

function listed(type: (typeof lists)[number], written: string): string[] {
  if (type !== "resourceurls") {
    // https://www.rfc-editor.org/rfc/rfc2483#section-5: a line that begins with # is a comment.
    return written.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  }
  try {
    const uris: unknown = JSON.parse(written);
    return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
  } catch {
    return [];
  }
}

/** Paths of files as they are written into a text, with the space that the text before them needs. */
export function pathsText(paths: readonly string[], before: string): string {
  const words = paths.map((path) => (/\s/.test(path) ? `\`${path}\`` : path)).join(" ");
  return `${before === "" || /\s$/.test(before) ? "" : " "}${words}`;
}
