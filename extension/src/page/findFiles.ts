// The workspace's files behind an @ in an answer.

import * as vscode from "vscode";
import { bestFiles, globFor, mostFiles } from "./fileNames";

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
