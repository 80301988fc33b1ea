// Shows pages in the editor: the view with the questions, the history's tab, and tabs of single questions.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import * as protocol from "../protocol.gen";
import { type PageOptions, page as pageHtml } from "./html";
import type { Page, Pages } from "./pages";

/** The view's id, as package.json contributes it. */
export const viewId = "followup.questions";

/** The tab's type, by which the editor restores the tab with its window. */
export const historyTabType = "followup.history";

const titleLength = 40;

/** What pages are built from. */
export interface PageSources {
  extensionUri: vscode.Uri;
  pages: Pick<Pages, "create">;
  /** Called when a page appears or disappears. */
  seen(): void;
}

/** Shows a page until the editor closes its container. The page can only read the files in its own folder. */
function showPage(
  holder: vscode.WebviewView | vscode.WebviewPanel,
  page: Page,
  { extensionUri, seen }: PageSources,
  view: PageOptions["view"],
  closed: () => void,
): void {
  const { webview } = holder;
  page.connect({
    post: (message) => void webview.postMessage(message),
    onMessage: (listener) => webview.onDidReceiveMessage(listener),
  });
  holder.onDidDispose(() => {
    page.dispose();
    closed();
    seen();
  });
  if ("iconPath" in holder) {
    holder.iconPath = vscode.Uri.joinPath(extensionUri, "extension", "icons", "activity.svg");
  }
  const dist = vscode.Uri.joinPath(extensionUri, "extension", "dist");
  const uri = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  webview.html = pageHtml({
    view,
    scriptUri: uri("webview.js"),
    styleUri: uri(`${view}.css`),
    cspSource: webview.cspSource,
    nonce: randomBytes(16).toString("hex"),
    locale: vscode.env.language,
  });
}

/** Shows the questions, and makes them appear without taking the keyboard focus. */
export class QuestionsView implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;
  private page: Page;

  constructor(private readonly sources: PageSources) {
    this.page = sources.pages.create();
  }

  /** Registers the view. A hidden interface keeps running, so that it keeps its state. */
  register(): vscode.Disposable {
    return vscode.window.registerWebviewViewProvider(viewId, this, {
      webviewOptions: { retainContextWhenHidden: true },
    });
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const { pages, seen } = this.sources;
    this.view = view;
    showPage(view, this.page, this.sources, "questions", () => {
      this.view = undefined;
      this.page = pages.create();
    });
    view.onDidChangeVisibility(seen);
    seen();
  }

  get visible(): boolean {
    return this.view?.visible ?? false;
  }

  setWaiting(count: number): void {
    if (this.view) {
      this.view.badge = count === 0 ? undefined : { value: count, tooltip: waitingText(count) };
    }
  }

  async reveal(): Promise<void> {
    if (this.view) {
      // Has no effect on a visible view.
      this.view.show(true);
    } else {
      // A view that was never shown can only be opened by its command.
      await vscode.commands.executeCommand(`${viewId}.focus`, { preserveFocus: true });
    }
  }

  /** Reveals the view, and adds quotes from the editor to the user's draft. The keyboard focus stays. */
  async add(questionId: string, quotes: protocol.Quote[]): Promise<void> {
    this.page.send(protocol.hostAddQuotes, { questionId, quotes });
    await this.reveal();
  }

  /** Reveals the view, and focuses a question: the named one, otherwise the first that can be answered. */
  async focus(id?: string): Promise<void> {
    await vscode.commands.executeCommand(`${viewId}.focus`);
    this.page.send(protocol.hostFocus, { on: "question", id });
  }
}

type Tab = { panel: vscode.WebviewPanel; page: Page };

/** The tabs: the history's, and one for each question that is opened wide. */
export class Tabs implements vscode.WebviewPanelSerializer {
  /** By the questions' ids; the history's is undefined. */
  private readonly tabs = new Map<string | undefined, Tab>();

  constructor(private readonly sources: PageSources) {}

  /** Makes the editor restore the history's tab that was open in the window. */
  register(): vscode.Disposable {
    return vscode.window.registerWebviewPanelSerializer(historyTabType, this);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.fill(panel);
  }

  get visible(): string[] {
    return [...this.tabs].flatMap(([id, { panel }]) => (id !== undefined && panel.visible ? [id] : []));
  }

  /** Shows the history with its list or its search box focused, and sends it another message. */
  showHistory(
    on: Exclude<protocol.HostFocusTarget, "question">,
    more?: protocol.Notification<Record<string, never>>,
  ): void {
    const { page } = this.reveal() ?? this.create(vscode.l10n.t("Followup History"));
    page.send(protocol.hostFocus, { on });
    if (more) {
      page.send(more, {});
    }
  }

  open(id: string, title: string): void {
    const { page } = this.reveal(id) ?? this.create(title, id);
    page.send(protocol.hostFocus, { on: "question", id });
  }

  /** Opens a question in a tab beside the active editor, which keeps the focus. */
  openBeside(id: string, title: string): void {
    if (!this.tabs.has(id)) {
      this.create(title, id, true);
    }
  }

  /** Follows the inbox. Closes the tab of a closed question, unless the user is in it and can still read the outcome. */
  follow({ items = [], removed = [], more }: protocol.InboxChange, isSnapshot = false): void {
    const open = new Set(items.flatMap(({ questionId, state }) => (state === "closed" ? [] : [questionId])));
    const named = new Set([...removed, ...items.map(({ questionId }) => questionId)]);
    for (const [id, { panel }] of this.tabs) {
      const isOver = id !== undefined && !open.has(id) && (named.has(id) || (isSnapshot && !more));
      if (isOver && !panel.active) {
        panel.dispose();
      }
    }
  }

  /** Closes the questions' tabs. The editor restores the history's. */
  dispose(): void {
    for (const [id, { panel }] of this.tabs) {
      if (id !== undefined) {
        panel.dispose();
      }
    }
  }

  private reveal(id?: string): Tab | undefined {
    const tab = this.tabs.get(id);
    tab?.panel.reveal();
    return tab;
  }

  private create(text: string, id?: string, beside = false): Tab {
    const show = { viewColumn: vscode.ViewColumn[beside ? "Beside" : "Active"], preserveFocus: beside };
    const title = text.length > titleLength ? `${text.slice(0, titleLength)}…` : text;
    const options = { enableFindWidget: id !== undefined, retainContextWhenHidden: true };
    const type = id === undefined ? historyTabType : "followup.question";
    return this.fill(vscode.window.createWebviewPanel(type, title, show, options), id);
  }

  private fill(panel: vscode.WebviewPanel, id?: string): Tab {
    const { pages, seen } = this.sources;
    const tab = { panel, page: pages.create(id) };
    this.tabs.set(id, tab);
    showPage(panel, tab.page, this.sources, id === undefined ? "history" : "questions", () => {
      if (this.tabs.get(id) === tab) {
        this.tabs.delete(id);
      }
    });
    panel.onDidChangeViewState(seen);
    seen();
    return tab;
  }
}

function waitingText(count: number): string {
  return count === 1
    ? vscode.l10n.t("A question waits for your answer")
    : vscode.l10n.t("{0} questions wait for your answer", count);
}

/** Adds the status bar item. The returned function sets its count, shown while the view is hidden: badges need a view that was opened. */
export function addStatusBarItem() {
  const item = vscode.window.createStatusBarItem("followup.waiting", vscode.StatusBarAlignment.Right, 100);
  item.name = vscode.l10n.t("Followup Questions");
  const update = (waiting: number, viewVisible: boolean) => {
    const calls = waiting > 0 && !viewVisible;
    const label = calls ? waitingText(waiting) : vscode.l10n.t("Followup History");
    item.text = calls ? `$(bell-dot) ${waiting}` : "$(history)";
    item.command = calls ? "followup.focus" : "followup.showHistory";
    item.tooltip = label;
    item.accessibilityInformation = { label };
  };
  update(0, false);
  item.show();
  return Object.assign(update, { dispose: () => item.dispose() });
}
