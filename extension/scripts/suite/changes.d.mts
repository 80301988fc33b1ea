// The types of changes.mjs that tests use.

/** The Go packages that a change of files reaches, as folders that begin with "./". */
export function goPackages(files: string[]): { changed: string[]; reached: string[] };

/** The test files of a suite that it reaches, absolute; `opened`: those that it reaches only through the page they open. */
export function testFiles(
  suite: "unit" | "webview",
  files: string[],
): Promise<{ reached: string[]; opened: string[]; of: number }>;
