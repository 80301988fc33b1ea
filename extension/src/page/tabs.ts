// What stands in tabs of the editor: the history, and questions that are open wide.

import * as vscode from "vscode";
import { type HostFocusTarget, hostFocus, type Notification } from "../protocol.gen";
import { type PageSources, showPage } from "./html";
import type { Page } from "./pages";

/** The tab's type, by which the editor opens it again with its window. */
export const historyTabType = "followup.history";

/** Shows the history, once. */
export class HistoryTab implements vscode.WebviewPanelSerializer {
  private panel: vscode.WebviewPanel | undefined;
  private page: Page | undefined;

  constructor(private readonly sources: PageSources) {}

  /** Has the editor open the tab again that was open in the window. */
  register(): vscode.Disposable {
    return vscode.window.registerWebviewPanelSerializer(historyTabType, this);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.fill(panel);
  }

  /** Makes the tab appear with the keyboard focus on its list or its search box, and tells it something more. */
  focus(on: Exclude<HostFocusTarget, "question">, more?: Notification<Record<string, never>>): void {
    if (this.panel) {
      this.panel.reveal();
    } else {
      const title = vscode.l10n.t("Followup History");
      const options = { enableFindWidget: false, retainContextWhenHidden: true };
      this.fill(vscode.window.createWebviewPanel(historyTabType, title, vscode.ViewColumn.Active, options));
    }
    this.page?.tell(hostFocus, { on });
    if (more) {
      this.page?.tell(more, {});
    }
  }

  private fill(panel: vscode.WebviewPanel): void {
    this.panel = panel;
    this.page = showPage(panel, this.sources, "history", () => {
      if (this.panel === panel) {
        this.panel = undefined;
        this.page = undefined;
      }
    });
  }
}

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

  constructor(private readonly sources: PageSources) {}

  /** The questions whose tabs are on the screen. */
  get visible(): string[] {
    return [...this.tabs].filter(([, { panel }]) => panel.visible).map(([id]) => id);
  }

  /** Opens a question in a tab with the keyboard focus, or makes its tab appear. */
  open(questionId: string, title: string): void {
    const known = this.tabs.get(questionId);
    known?.panel.reveal();
    const { page } = known ?? this.create(questionId, title, { viewColumn: vscode.ViewColumn.Active });
    page.tell(hostFocus, { on: "question", id: questionId });
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
    const closed = () => {
      this.tabs.delete(questionId);
      this.visibility.fire();
    };
    const tab = { panel, page: showPage(panel, this.sources, "questions", closed, questionId) };
    this.tabs.set(questionId, tab);
    panel.onDidChangeViewState(() => this.visibility.fire());
    this.visibility.fire();
    return tab;
  }
}
