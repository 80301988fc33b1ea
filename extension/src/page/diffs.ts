// Shows what an agent wants to change in the editor's own diff view: two texts that cannot be edited and are on no disk.

import * as vscode from "vscode";
import type { HostOpenDiffParams } from "../protocol.gen";

/** The scheme of the texts' URIs. */
const scheme = "followup-diff";

export class Diffs implements vscode.TextDocumentContentProvider, vscode.Disposable {
  /** By URI, for as long as the editor shows them. */
  private readonly texts = new Map<string, string>();
  private count = 0;
  private readonly registered = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(scheme, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
  );

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.texts.get(uri.toString());
  }

  /** Opens the diff beside a page that is a tab, and in front of it anywhere else. */
  async open({ path, before, after }: HostOpenDiffParams): Promise<void> {
    const file = String(path).replace(/\p{C}/gu, "�"); // a title with these could hide the file's name
    const group = String(++this.count);
    const [left, right] = [before, after].map((text, side) => {
      // The editor takes the language from the path.
      const uri = vscode.Uri.from({
        scheme,
        path: `/${file}`.replace(/^\/+/, "/"),
        query: `${group}.${side}`,
      });
      this.texts.set(uri.toString(), String(text));
      return uri;
    });
    const title = vscode.l10n.t("{0} (what the agent wants)", file.split(/[/\\]/).at(-1) ?? file);
    const inTab = vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview;
    const viewColumn = inTab ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    await vscode.commands.executeCommand("vscode.diff", left, right, title, { viewColumn });
  }

  dispose(): void {
    this.registered.dispose();
  }
}
