// The interface in this window: creates its pages, and shows outside of them that questions are waiting.

import * as vscode from "vscode";
import { english } from "../../webview/strings";
import { showProblem } from "../commands/messages";
import * as protocol from "../protocol.gen";
import * as settings from "../settings";
import type { Log } from "../sidecar/log";
import type { Sidecar } from "../sidecar/sidecar";
import { Diffs } from "./diffs";
import { FileSearch, findPlaces, openLink, openPlace, readFiles } from "./files";
import { Notices } from "./notices";
import { Pages } from "./pages";
import { addStatusBarItem, QuestionsView, Tabs } from "./view";

/** The interface of this window. */
export type Interface = ReturnType<typeof openInterface>;

const commands: Readonly<Record<protocol.HostCommand, [string, ...unknown[]]>> = {
  connectAgents: ["followup.connectAgents"],
  escape: ["workbench.action.focusActiveEditorGroup"],
  openQuestion: ["followup.openQuestion"],
  openLog: ["followup.showLog"],
  restart: ["followup.restart"],
  askSample: ["followup.askSample"],
  openSettings: ["workbench.action.openSettings", "followup.history"],
  connectHub: ["followup.connectHub"],
  import: ["followup.importLog"],
};

/** Registers the views and keeps them up to date. */
export function openInterface(extensionUri: vscode.Uri, sidecar: Sidecar, log: Log) {
  const folders = () => settings.workspaceFolders().map(({ uri }) => uri);
  const files = new FileSearch();
  const diffs = new Diffs();
  let waiting: protocol.Waiting = { count: 0, answerable: false };
  /** The questions that had the keyboard focus, most recent first. */
  let focused: string[] = [];
  /** Questions for which the view has opened by itself: once each, so that it stays hidden after the user has hidden it. */
  const appeared = new Set<string>();
  const isNew = (what: string) => !appeared.has(what) && appeared.add(what);
  // Before the pages, since the sidecar must know the window when they subscribe to the inbox.
  const notices = new Notices({
    sidecar,
    settings: settings.notified,
    visible: () => view.visible,
    visibleAlone: () => tabs.visible,
    show: async (id) => ((await titleOf(id)) === undefined ? tabs.showHistory("list") : view.focus(id)),
    changed: (change) => {
      waiting = change.waiting ?? waiting;
      showWaiting();
      const wide = change.wide?.filter(({ questionId }) => isNew(`wide ${questionId}`)) ?? [];
      for (const { questionId, title } of settings.opensWide() ? wide : []) {
        tabs.openBeside(questionId, title);
      }
      const reveals = change.reveals?.filter(isNew) ?? [];
      if (reveals.length > 0 && settings.revealsOnQuestion()) {
        void view.reveal();
      }
    },
    log,
  });
  const pages = new Pages({
    state: {
      strings: translated(english),
      locale: vscode.env.language,
      folders: folders(),
      keep: settings.historyKept().keep,
      phrases: settings.phrases(),
      commands: Object.keys(commands) as protocol.HostCommand[],
      trouble: null,
      diffs: true,
    },
    sidecar,
    changed: (change, isSnapshot) => tabs.follow(change, isSnapshot),
    host: {
      readFiles: async ({ uris, room, bytes }) => ({ files: await readFiles(uris, room, bytes) }),
      openLink: ({ href }) => openLink(sidecar, href),
      findPlaces: async ({ texts }) => ({ places: await findPlaces(sidecar, texts) }),
      openPlace: ({ text }) => openPlace(sidecar, text),
      openDiff: (params) => diffs.open(params),
      setPhrases: ({ phrases }) => settings.setPhrases(phrases),
      openQuestion: ({ questionId }) => openQuestion(String(questionId)),
      findFiles: async ({ text }) => ({ files: await files.find(String(text)) }),
      didFocus: async ({ questionId }) => {
        const id = String(questionId);
        focused = [id, ...focused.filter((other) => other !== id)].slice(0, 100);
      },
      copy: async ({ text }) => vscode.env.clipboard.writeText(String(text)),
      confirmDelete: async ({ count }) => ({ confirmed: await confirmDelete(Number(count)) }),
      export: async ({ target }) => void vscode.commands.executeCommand("followup.exportHistory", { target }),
      run: async ({ command }) => {
        if (Object.hasOwn(commands, command)) {
          await vscode.commands.executeCommand(...commands[command]);
        }
      },
    },
    log,
  });
  const seen = () => {
    showWaiting();
    notices.attend();
  };
  const view = new QuestionsView({ extensionUri, pages, seen });
  const tabs = new Tabs({ extensionUri, pages, seen });
  const statusBar = addStatusBarItem();
  function showWaiting(): void {
    view.setWaiting(waiting.count);
    statusBar(waiting.count, view.visible);
    void vscode.commands.executeCommand("setContext", "followup.waiting", waiting.count > 0);
  }
  const list = async () => (await sidecar.request(protocol.inboxList, {})).questions;
  const titleOf = async (id: string) => (await list()).find(({ questionId }) => questionId === id)?.title;
  /** The questions that can be answered: the last focused first, then the oldest. */
  async function answerable(): Promise<protocol.InboxEntry[]> {
    const rank = ({ questionId }: protocol.InboxEntry) => focused.indexOf(questionId) >>> 0; // -1 is last
    return (await list()).filter((one) => one.answerable).sort((a, b) => rank(a) - rank(b));
  }
  // A closed question is in the history.
  async function openQuestion(id: string): Promise<void> {
    const title = await titleOf(id);
    title === undefined ? tabs.showHistory("list") : tabs.open(id, title);
  }
  const historyChanged = () => pages.send(protocol.historyDidChange, {});
  sidecar.onDidChangeState((state) => {
    const restarting = state.kind === "restarting";
    const message = restarting
      ? vscode.l10n.t("The Followup sidecar ended unexpectedly and is restarting.")
      : state.kind === "failed" && state.problem;
    pages.change({ trouble: message ? { message, restarting } : null });
    if (state.kind === "failed") {
      void showProblem(state.problem);
    }
  });
  const registered = vscode.Disposable.from(
    statusBar,
    diffs,
    notices,
    view.register(),
    tabs.register(),
    tabs,
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      pages.change({ folders: folders() });
      notices.attend();
    }),
  );
  return {
    focus: () => view.focus(),
    /** Opens a question in a tab: the named one, otherwise the last focused one, otherwise the oldest. */
    openQuestion: async (named?: string) => {
      const id = named ?? (await answerable())[0]?.questionId;
      return id === undefined ? undefined : openQuestion(id);
    },
    noticesChanged: () => notices.configure(),
    answerable,
    canAnswer: () => waiting.answerable,
    add: (questionId: string, quotes: protocol.Quote[]) => view.add(questionId, quotes),
    clearClosed: () => pages.send(protocol.hostClearClosed, {}),
    showHistory: (on: Exclude<protocol.HostFocusTarget, "question">) => tabs.showHistory(on),
    /** Makes the history's tab ask the user, delete everything, and offer to undo that. */
    deleteHistory: () => tabs.showHistory("list", protocol.hostDeleteAll),
    shownHistory: () => pages.shown,
    /** Entries were added or removed other than by closing a question. */
    historyChanged,
    showText: (name: string, text: string) => diffs.show(name, text),
    phrasesChanged: () => pages.change({ phrases: settings.phrases() }),
    keepChanged: () => pages.change({ keep: settings.historyKept().keep }),
    dispose: () => registered.dispose(),
  };
}

async function confirmDelete(count: number): Promise<boolean> {
  const yes = vscode.l10n.t("Delete");
  const question = vscode.l10n.t(
    "Delete everything that matches from Followup's history? Entries: {0}",
    count,
  );
  const detail = vscode.l10n.t(
    "You can undo this for 10 seconds. Then the texts and images are permanently removed from this machine.",
  );
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}

function translated(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, vscode.l10n.t(text)]));
}
