// Questions that are open wide, each in a tab of the editor.

import * as vscode from "vscode";
import { fillPage } from "./html";
import type { Page, Pages } from "./pages";
import { portOf } from "./view";

/** The tabs' type. */
const questionTabType = "followup.question";

/** The longest title of a tab, in UTF-16 code units. */
const titleLength = 40;

interface Tab {
  panel: vscode.WebviewPanel;
  page: Page;
}

export class QuestionTabs {
  private readonly tabs = new Map<string, Tab>();
  private readonly visibility = new vscode.EventEmitter<void>();

  /** Tells that a tab has appeared or disappeared. */
  readonly onDidChangeVisibility = this.visibility.event;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly pages: Pick<Pages, "open">,
  ) {}

  /** The questions whose tabs are on the screen. */
  get visible(): string[] {
    return [...this.tabs].filter(([, { panel }]) => panel.visible).map(([id]) => id);
  }

  /** Opens a question in a tab with the keyboard focus, or makes its tab appear. */
  open(questionId: string, title: string): void {
    const known = this.tabs.get(questionId);
    known?.panel.reveal();
    const { page } = known ?? this.create(questionId, title, { viewColumn: vscode.ViewColumn.Active });
    page.focus({ on: "question", id: questionId });
  }

  /** Opens a question in a tab beside what the user is at, which keeps the focus. */
  openBeside(questionId: string, title: string): void {
    if (!this.tabs.has(questionId)) {
      this.create(questionId, title, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
    }
  }

  /** A question is over: its tab goes, unless the user is in it, where how it ended stays to be read. */
  over(questionId: string): void {
    const tab = this.tabs.get(questionId);
    if (tab && !tab.panel.active) {
      tab.panel.dispose();
    }
  }

  dispose(): void {
    for (const { panel } of this.tabs.values()) {
      panel.dispose();
    }
  }

  private create(
    questionId: string,
    asked: string,
    show: { viewColumn: vscode.ViewColumn; preserveFocus?: boolean },
  ): Tab {
    const title = asked.length > titleLength ? `${asked.slice(0, titleLength)}…` : asked;
    const options = { enableFindWidget: true, retainContextWhenHidden: true };
    const panel = vscode.window.createWebviewPanel(questionTabType, title, show, options);
    const page = this.pages.open(portOf(panel.webview), questionId);
    const tab = { panel, page };
    this.tabs.set(questionId, tab);
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, "extension", "icons", "activity.svg");
    panel.onDidChangeViewState(() => this.visibility.fire());
    panel.onDidDispose(() => {
      page.dispose();
      this.tabs.delete(questionId);
      this.visibility.fire();
    });
    fillPage(panel.webview, this.extensionUri, "questions");
    this.visibility.fire();
    return tab;
  }
}
