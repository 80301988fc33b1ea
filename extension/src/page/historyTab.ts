// The history in a tab of the editor.

import * as vscode from "vscode";
import type { FocusParams } from "../../webview/boundary";
import { fillPage } from "./html";
import type { Page, Pages } from "./pages";
import { portOf } from "./view";

/** The tab's type, by which the editor opens it again with its window. */
export const historyTabType = "followup.history";

/** Shows the history, once. */
export class HistoryTab implements vscode.WebviewPanelSerializer {
  private panel: vscode.WebviewPanel | undefined;
  private page: Page | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly pages: Pick<Pages, "open">,
  ) {}

  /** Has the editor open the tab again that was open in the window. */
  register(): vscode.Disposable {
    return vscode.window.registerWebviewPanelSerializer(historyTabType, this);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.fill(panel);
  }

  /** Whether the tab is on the screen. */
  get visible(): boolean {
    return this.panel?.visible ?? false;
  }

  /** Makes the tab appear with the keyboard focus on its list or its search box. */
  focus(on: Exclude<FocusParams["on"], "question">): void {
    if (this.panel) {
      this.panel.reveal();
    } else {
      const title = vscode.l10n.t("Followup History");
      const options = { enableFindWidget: false, retainContextWhenHidden: true };
      this.fill(vscode.window.createWebviewPanel(historyTabType, title, vscode.ViewColumn.Active, options));
    }
    this.page?.focus({ on });
  }

  private fill(panel: vscode.WebviewPanel): void {
    const page = this.pages.open(portOf(panel.webview));
    this.panel = panel;
    this.page = page;
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, "extension", "icons", "activity.svg");
    panel.onDidDispose(() => {
      page.dispose();
      if (this.panel === panel) {
        this.panel = undefined;
        this.page = undefined;
      }
    });
    fillPage(panel.webview, this.extensionUri, "history");
  }
}
