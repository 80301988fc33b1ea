// Shows read-only texts that are not on disk: an agent's proposed changes in the editor's diff view, and a guide's texts.

import * as vscode from "vscode";
import type { HostOpenDiffParams } from "../protocol.gen";

/** The scheme of the texts' URIs. */
const scheme = "followup-diff";

export class Diffs implements vscode.TextDocumentContentProvider, vscode.Disposable {
  /** The texts by URI, for as long as the editor shows them. */
  private readonly texts = new Map<string, string>();
  private count = 0;
  private readonly registered = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(scheme, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
  );

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.texts.get(uri.toString());
  }

  /** Opens the diff beside a page that is a tab; otherwise in the active group. */
  async open({ path, before, after }: HostOpenDiffParams): Promise<void> {
    const file = String(path).replace(/\p{C}/gu, "�"); // such characters could hide the file's name in the title
    const group = String(++this.count);
    const [left, right] = [before, after].map((text, side) => {
      return this.keep(file, `${group}.${side}`, String(text));
    });
    const title = vscode.l10n.t("{0} (proposed by the agent)", file.split(/[/\\]/).at(-1) ?? file);
    const inTab = vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview;
    const viewColumn = inTab ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    await vscode.commands.executeCommand("vscode.diff", left, right, title, { viewColumn });
  }

  /** Opens a text in the active group, as a preview that the next one replaces. */
  async show(name: string, text: string): Promise<void> {
    await vscode.window.showTextDocument(this.keep(name, String(++this.count), text), { preview: true });
  }

  /** Keeps a text, and returns its URI. The editor takes the language from the path. */
  private keep(file: string, query: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme, path: `/${file}`.replace(/^\/+/, "/"), query });
    this.texts.set(uri.toString(), text);
    return uri;
  }

  dispose(): void {
    this.registered.dispose();
  }
}
