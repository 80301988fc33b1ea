// The view in the editor that holds the questions, and what tells of them outside of it.

import * as vscode from "vscode";
import type { CommandId } from "../commands/commands";
import { hostAddQuotes, hostFocus, type Quote } from "../protocol.gen";
import { type PageSources, showPage } from "./html";
import type { Page } from "./pages";

/** The view's id, as package.json contributes it. */
export const viewId = "followup.questions";

/** Shows the questions, and makes them appear without taking the keyboard focus. */
export class QuestionsView implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;
  private page: Page | undefined;
  /** What is done in a view that is not there yet. */
  private later: ((page: Page) => void)[] = [];
  private waiting = 0;
  private readonly visibility = new vscode.EventEmitter<void>();

  /** Tells that the view has appeared or disappeared. */
  readonly onDidChangeVisibility = this.visibility.event;

  constructor(private readonly sources: PageSources) {}

  /** Registers the view. A hidden interface lives on, so that what is being typed or read in it stays as it is. */
  register(): vscode.Disposable {
    return vscode.window.registerWebviewViewProvider(viewId, this, {
      webviewOptions: { retainContextWhenHidden: true },
    });
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    const page = showPage(view, this.sources, "questions", () => {
      if (this.view === view) {
        this.view = undefined;
        this.page = undefined;
        this.visibility.fire();
      }
    });
    this.page = page;
    view.onDidChangeVisibility(() => this.visibility.fire());
    for (const act of this.later.splice(0)) {
      act(page);
    }
    this.showBadge();
    this.visibility.fire();
  }

  get visible(): boolean {
    return this.view?.visible ?? false;
  }

  setWaiting(count: number): void {
    this.waiting = count;
    this.showBadge();
  }

  /** Makes the view appear; the keyboard focus stays where it is. */
  async reveal(): Promise<void> {
    if (this.view) {
      // Does nothing to a view that is on the screen.
      this.view.show(true);
    } else {
      // A view that was never shown can only be asked for by its command.
      await vscode.commands.executeCommand(`${viewId}.focus`, { preserveFocus: true });
    }
  }

  /** Makes the view appear with something from the editor added to what the user has begun; the keyboard focus stays. */
  async add(questionId: string, quotes: Quote[]): Promise<void> {
    this.onPage((page) => page.tell(hostAddQuotes, { questionId, quotes }));
    await this.reveal();
  }

  /** Makes the view appear and puts the keyboard focus on a question: the named one, or the first that can be answered. */
  async focus(id?: string): Promise<void> {
    await vscode.commands.executeCommand(`${viewId}.focus`);
    this.onPage((page) => page.tell(hostFocus, { on: "question", id }));
  }

  private onPage(act: (page: Page) => void): void {
    this.page ? act(this.page) : this.later.push(act);
  }

  private showBadge(): void {
    if (this.view) {
      this.view.badge =
        this.waiting === 0 ? undefined : { value: this.waiting, tooltip: waitingText(this.waiting) };
    }
  }
}

/** How many questions wait, in words. */
export function waitingText(count: number): string {
  return count === 1
    ? vscode.l10n.t("A question waits for your answer")
    : vscode.l10n.t("{0} questions wait for your answer", count);
}

/**
 * Shows in the status bar that questions wait while the view is out of sight: its badge is not drawn before it was opened once.
 * Otherwise the item leads to the history.
 */
export class StatusBar {
  private readonly item: vscode.StatusBarItem;

  constructor() {
    this.item = vscode.window.createStatusBarItem("followup.waiting", vscode.StatusBarAlignment.Right, 100);
    this.item.name = vscode.l10n.t("Followup Questions");
    this.update(0, false);
    this.item.show();
  }

  update(waiting: number, viewVisible: boolean): void {
    const { item } = this;
    const calls = waiting > 0 && !viewVisible;
    const label = calls ? waitingText(waiting) : vscode.l10n.t("Followup History");
    item.text = calls ? `$(bell-dot) ${waiting}` : "$(history)";
    item.command = (calls ? "followup.focus" : "followup.showHistory") satisfies CommandId;
    item.tooltip = label;
    item.accessibilityInformation = { label };
  }

  dispose(): void {
    this.item.dispose();
  }
}
