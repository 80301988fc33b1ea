// The view in the editor that holds the history's interface.

import * as vscode from "vscode";
import type { HistoryHostMessage, HistoryViewMessage } from "../../webview/history/boundary";
import { fillPage } from "../viewPage";
import type { HistoryHost } from "./host";

/** The view's id, as package.json contributes it. */
export const historyViewId = "followup.history";

/** Shows the history. */
export class HistoryView implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly host: HistoryHost,
  ) {}

  /** Registers the view. A hidden interface lives on, so that the place in the list stays as it is. */
  register(): vscode.Disposable {
    return vscode.window.registerWebviewViewProvider(historyViewId, this, {
      webviewOptions: { retainContextWhenHidden: true },
    });
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    view.webview.onDidReceiveMessage((message: HistoryViewMessage) => this.host.receive(message));
    view.onDidChangeVisibility(() => {
      if (view.visible) {
        // Answers may have been collected meanwhile, which nobody tells of.
        this.host.changed();
      }
    });
    view.onDidDispose(() => {
      if (this.view === view) {
        this.view = undefined;
        this.host.detach();
      }
    });
    this.host.attach((message: HistoryHostMessage) => void view.webview.postMessage(message));
    fillPage(view.webview, this.extensionUri, "history");
  }

  /** Whether the view is on the screen. */
  get visible(): boolean {
    return this.view?.visible ?? false;
  }

  /** Makes the view appear with the keyboard focus on its list or its search box. */
  async focus(on: "list" | "search"): Promise<void> {
    await vscode.commands.executeCommand(`${historyViewId}.focus`);
    this.host.focus(on);
  }
}
