// The workspace's files behind an @ in an answer.

import * as vscode from "vscode";

/** How many files are looked at: more are not told apart by what was typed. */
const looked = 500;

/** A search for files, of which each page has one at a time. */
export class FileSearch {
  private running: vscode.CancellationTokenSource | undefined;

  /** The files whose paths hold the text, the best first; the search before this one is given up. */
  async find(text: string): Promise<string[]> {
    this.running?.cancel();
    const running = new vscode.CancellationTokenSource();
    this.running = running;
    try {
      const typed = text.slice(0, 100);
      const found = await vscode.workspace.findFiles(globFor(typed), excluded(), looked, running.token);
      if (running.token.isCancellationRequested) {
        return [];
      }
      const paths = found.map((uri) => vscode.workspace.asRelativePath(uri));
      return bestFiles(paths, typed).slice(0, mostFiles);
    } finally {
      running.dispose();
      if (this.running === running) {
        this.running = undefined;
      }
    }
  }
}

/** What the editor's own search leaves out; what its explorer leaves out is left out besides. */
function excluded(): string {
  const globs = Object.entries(
    vscode.workspace.getConfiguration("search").get<Record<string, unknown>>("exclude", {}),
  );
  return `{${globs.flatMap(([glob, wanted]) => (wanted === true ? [glob] : [])).join(",")}}`;
}

const mostFiles = 20;

/**
 * A glob for the files whose names hold the text, in whatever case, in folders whose names hold what stands before its slashes. What
 * means something else in a glob stands for any one character.
 */
export function globFor(text: string): string {
  const parts = text
    .split(/[\\/]/)
    .map((part) => `*${[...part].map(letter).join("")}${part === "" ? "" : "*"}`);
  return `**/${parts.join("/")}`;
}

function letter(character: string): string {
  if (/[*?[\]{}!,]/.test(character)) {
    return "?";
  }
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  return lower === upper || lower.length !== 1 || upper.length !== 1 ? character : `[${lower}${upper}]`;
}

/** The paths with the best first: a name that is the text, that begins with it, that holds it; then the shorter. */
export function bestFiles(paths: readonly string[], text: string): string[] {
  const wanted = text.toLowerCase().replaceAll("\\", "/");
  const last = wanted.slice(wanted.lastIndexOf("/") + 1);
  const rank = (path: string) => {
    const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
    return name === last ? 0 : name.startsWith(last) ? 1 : 2;
  };
  return [...paths].sort((a, b) => rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : 1));
}
