// The view in the editor that holds the questions.

import * as vscode from "vscode";
import type { FocusParams } from "../../webview/boundary";
import type { Quote } from "../protocol.gen";
import { fillPage } from "./html";
import type { Page, Pages } from "./pages";

/** The view's id, as package.json contributes it. */
export const viewId = "followup.questions";

/** Shows the questions, and makes them appear without taking the keyboard focus. */
export class QuestionsView implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;
  private page: Page | undefined;
  /** Where the keyboard focus goes in a view that is not there yet. */
  private wanted: FocusParams | undefined;
  /** What is added in a view that is not there yet. */
  private added: { questionId: string; quotes: Quote[] }[] = [];
  private waiting = 0;
  private readonly visibility = new vscode.EventEmitter<void>();

  /** Tells that the view has appeared or disappeared. */
  readonly onDidChangeVisibility = this.visibility.event;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly pages: Pick<Pages, "open">,
  ) {}

  /** Registers the view. A hidden interface lives on, so that what is being typed or read in it stays as it is. */
  register(): vscode.Disposable {
    return vscode.window.registerWebviewViewProvider(viewId, this, {
      webviewOptions: { retainContextWhenHidden: true },
    });
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    const page = this.pages.open(portOf(view.webview));
    this.page = page;
    view.onDidChangeVisibility(() => this.visibility.fire());
    view.onDidDispose(() => {
      page.dispose();
      if (this.view === view) {
        this.view = undefined;
        this.page = undefined;
        this.visibility.fire();
      }
    });
    if (this.wanted) {
      page.focus(this.wanted);
      this.wanted = undefined;
    }
    for (const { questionId, quotes } of this.added.splice(0)) {
      page.add(questionId, quotes);
    }
    fillPage(view.webview, this.extensionUri, "questions");
    this.showBadge();
    this.visibility.fire();
  }

  /** Whether the view is on the screen. */
  get visible(): boolean {
    return this.view?.visible ?? false;
  }

  /** Tells the user how many questions wait. */
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
    this.page?.add(questionId, quotes);
    this.added = this.page ? [] : [...this.added, { questionId, quotes }];
    await this.reveal();
  }

  /** Makes the view appear and puts the keyboard focus on a question: the named one, or the first that can be answered. */
  async focus(id?: string): Promise<void> {
    await vscode.commands.executeCommand(`${viewId}.focus`);
    const to: FocusParams = { on: "question", id };
    if (this.page) {
      this.page.focus(to);
    } else {
      this.wanted = to;
    }
  }

  private showBadge(): void {
    if (this.view) {
      this.view.badge =
        this.waiting === 0 ? undefined : { value: this.waiting, tooltip: waitingText(this.waiting) };
    }
  }
}

/** A webview as the other end of a pipe. */
export function portOf(webview: vscode.Webview) {
  return {
    post: (message: unknown) => void webview.postMessage(message),
    onMessage: (listener: (message: unknown) => void) => webview.onDidReceiveMessage(listener),
  };
}

/** How many questions wait, in words. */
export function waitingText(count: number): string {
  return count === 1
    ? vscode.l10n.t("A question waits for your answer")
    : vscode.l10n.t("{0} questions wait for your answer", count);
}
