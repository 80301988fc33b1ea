// The interface in this window: puts its pages together, and tells outside of them that questions wait.

import * as vscode from "vscode";
import { english } from "../../webview/strings";
import type { CommandId } from "../commands/commands";
import { execute, showProblem } from "../commands/messages";
import * as protocol from "../protocol.gen";
import * as settings from "../settings";
import type { Log } from "../sidecar/log";
import type { Sidecar } from "../sidecar/sidecar";
import { FileSearch, readFiles } from "./files";
import { findPlaces, openLink, openPlace } from "./links";
import { Notices } from "./notices";
import { Feed, Pages } from "./pages";
import { QuestionsView, StatusBar, Tabs } from "./view";
import { type Arrival, Waiting } from "./waiting";

/** The interface of this window. */
export type Interface = ReturnType<typeof openInterface>;

const commands: Readonly<Record<protocol.HostCommand, [string, ...unknown[]]>> = {
  connectAgents: ["followup.connectAgents" satisfies CommandId],
  escape: ["workbench.action.focusActiveEditorGroup"],
  openQuestion: ["followup.openQuestion" satisfies CommandId],
  openLog: ["followup.showLog" satisfies CommandId],
  restart: ["followup.restart" satisfies CommandId],
  askSample: ["followup.askSample" satisfies CommandId],
  openSettings: ["workbench.action.openSettings", `${settings.section}.history`],
  connectHub: ["followup.connectHub" satisfies CommandId],
  import: ["followup.importLog" satisfies CommandId],
};

/** Registers the views and keeps them up to date. */
export function openInterface(extensionUri: vscode.Uri, sidecar: Sidecar, log: Log) {
  const feed = new Feed(sidecar);
  const folders = () => settings.workspaceFolders().map(({ uri }) => uri);
  const files = new FileSearch();
  const waiting = new Waiting(folders);
  const pages = new Pages({
    state: {
      strings: translated(english),
      locale: vscode.env.language,
      folders: folders(),
      keep: settings.historyKept().keep,
      phrases: settings.phrases(),
      commands: Object.keys(commands) as protocol.HostCommand[],
      trouble: null,
    },
    feed,
    request: (type, params) => sidecar.request(type, params),
    host: {
      readFiles: async ({ uris, room, bytes }) => ({ files: await readFiles(uris, room, bytes) }),
      openLink: ({ href }) => openLink(sidecar, href),
      findPlaces: async ({ texts }) => ({ places: await findPlaces(sidecar, texts) }),
      openPlace: ({ text }) => openPlace(sidecar, text),
      setPhrases: ({ phrases }) => settings.setPhrases(phrases),
      openQuestion: async ({ questionId }) => openQuestion(String(questionId)),
      findFiles: async ({ text }) => ({ files: await files.find(String(text)) }),
      didFocus: async ({ questionId }) => waiting.focus(String(questionId)),
      copy: async ({ text }) => vscode.env.clipboard.writeText(String(text)),
      confirmDelete: async ({ count }) => ({ confirmed: await confirmDelete(Number(count)) }),
      export: async ({ target }) => void execute("followup.exportHistory", { target }),
      run: async ({ command }) => {
        if (Object.hasOwn(commands, command)) {
          await vscode.commands.executeCommand(...commands[command]);
        }
      },
    },
    log,
  });
  const view = new QuestionsView({ extensionUri, pages });
  const tabs = new Tabs({ extensionUri, pages });
  const statusBar = new StatusBar();
  // What is over is found in the history.
  const show = (id: string) => (waiting.title(id) === undefined ? tabs.showHistory("list") : view.focus(id));
  function openQuestion(id: string): void {
    const title = waiting.title(id);
    title === undefined ? tabs.showHistory("list") : tabs.open(id, title);
  }
  const notices = new Notices({
    sidecar,
    settings: settings.notified,
    visible: () => view.visible,
    visibleAlone: () => tabs.visible,
    show: (id) => void show(id),
    log,
  });

  let shown = "";
  const showWaiting = () => {
    notices.attend();
    const count = waiting.count();
    if (`${count} ${view.visible}` !== shown) {
      shown = `${count} ${view.visible}`; // a streaming question changes the inbox many times a second
      view.setWaiting(count);
      statusBar.update(count, view.visible);
      void vscode.commands.executeCommand("setContext", "followup.waiting", count > 0);
    }
  };
  const arrived = ({ reveals, wide, over }: Arrival) => {
    showWaiting();
    for (const id of over) {
      tabs.over(id);
    }
    for (const { questionId, title } of settings.opensWide() ? wide : []) {
      tabs.openBeside(questionId, title);
    }
    if (reveals && settings.revealsOnQuestion()) {
      void view.reveal();
    }
  };
  feed.onDidSubscribe(({ inbox }) => arrived(waiting.reset(inbox)));
  feed.onDidChange((change) => {
    pages.pass(protocol.inboxDidChange, change);
    arrived(waiting.apply(change));
  });
  const historyChanged = () => pages.pass(protocol.historyDidChange, {});
  sidecar.addParticipant(async (connection) => {
    connection.on(protocol.historyDidChange, historyChanged);
    historyChanged();
  });
  sidecar.onDidChangeState((state) => {
    const restarting = state.kind === "restarting";
    const message = restarting
      ? vscode.l10n.t("The Followup sidecar ended unexpectedly and is starting again.")
      : state.kind === "failed" && state.problem;
    pages.change({ trouble: message ? { message, restarting } : null });
    if (state.kind === "failed") {
      void showProblem(state.problem);
    }
  });
  const registered = vscode.Disposable.from(
    statusBar,
    notices,
    view.register(),
    tabs.register(),
    tabs,
    view.onDidChangeVisibility(showWaiting),
    tabs.onDidChangeVisibility(() => notices.attend()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      pages.change({ folders: folders() });
      showWaiting();
    }),
  );
  return {
    focus: () => view.focus(),
    /** Opens a question wide: the one of that id, or the one that had the focus last, or the oldest. */
    openQuestion: (id = waiting.answerable()[0]?.questionId) => id === undefined || openQuestion(id),
    noticesChanged: () => notices.configure(),
    answerable: () => waiting.answerable(),
    add: (questionId: string, quotes: protocol.Quote[]) => view.add(questionId, quotes),
    clearClosed: () => pages.tell(protocol.hostClearClosed, {}),
    showHistory: (on: Exclude<protocol.HostFocusTarget, "question">) => tabs.showHistory(on),
    /** Has the history's tab ask the user, delete everything, and offer to undo that. */
    deleteHistory: () => tabs.showHistory("list", protocol.hostDeleteAll),
    shownHistory: () => pages.shown,
    /** Entries have come or gone otherwise than by a question's closing. */
    historyChanged,
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
    "It can be undone for 10 seconds. Then the texts and images are removed from this machine for good.",
  );
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}

function translated(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, vscode.l10n.t(text)]));
}
