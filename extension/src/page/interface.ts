// The interface in this window: puts its pages together, and tells outside of them that questions wait.

import * as vscode from "vscode";
import { type FocusParams, type HostCommand, hostClearClosed, hostDidDelete } from "../../webview/boundary";
import { english } from "../../webview/strings";
import type { CommandId } from "../commands/commands";
import { confirmDelete } from "../commands/deleteHistory";
import { execute } from "../commands/messages";
import {
  type HistoryDeleteResult,
  historyDidChange,
  type InboxChange,
  inboxDidChange,
  type Quote,
} from "../protocol.gen";
import {
  historyKept,
  notified,
  opensWide,
  phrases,
  revealsOnQuestion,
  section,
  setPhrases,
  workspaceFolders,
} from "../settings";
import type { Log } from "../sidecar/log";
import { troubleWords } from "../sidecar/problems";
import type { Sidecar } from "../sidecar/sidecar";
import { Reveal, Wide } from "./appear";
import { Feed } from "./feed";
import { readFiles } from "./files";
import { FileSearch } from "./findFiles";
import { openLink } from "./links";
import { Notices } from "./notices";
import { Pages } from "./pages";
import { findPlaces, openPlace } from "./places";
import { HistoryTab, QuestionTabs } from "./tabs";
import { QuestionsView, StatusBar } from "./view";
import { Waiting } from "./waiting";

/** What the interface needs. */
export interface InterfaceSurroundings {
  extensionUri: vscode.Uri;
  sidecar: Sidecar;
  log: Log;
}

/** The interface of this window. */
export type Interface = ReturnType<typeof openInterface>;

/** The editor's command behind each of the page's, with its arguments. */
const commands: Readonly<Record<HostCommand, [string, ...unknown[]]>> = {
  connectAgents: ["followup.connectAgents" satisfies CommandId],
  escape: ["workbench.action.focusActiveEditorGroup"],
  openQuestion: ["followup.openQuestion" satisfies CommandId],
  openLog: ["followup.showLog" satisfies CommandId],
  restart: ["followup.restart" satisfies CommandId],
  askSample: ["followup.askSample" satisfies CommandId],
  openSettings: ["workbench.action.openSettings", `${section}.history`],
  connectHub: ["followup.connectHub" satisfies CommandId],
  import: ["followup.importLog" satisfies CommandId],
};

/** Registers the views and keeps them up to date. */
export function openInterface(surroundings: InterfaceSurroundings) {
  const { extensionUri, sidecar, log } = surroundings;
  const feed = new Feed(sidecar);
  const folders = () => workspaceFolders().map(({ uri }) => uri);
  const files = new FileSearch();
  const waiting = new Waiting();
  const pages = new Pages({
    state: {
      strings: translated(english),
      locale: vscode.env.language,
      folders: folders(),
      keep: historyKept().keep,
      phrases: phrases(),
      commands: Object.keys(commands) as HostCommand[],
      trouble: null,
    },
    feed,
    request: (type, params) => sidecar.request(type, params),
    host: {
      readFiles: async ({ uris, room, bytes }) => ({ files: await readFiles(uris, room, bytes) }),
      openLink: ({ href }) => openLink(href),
      findPlaces: async ({ places }) => ({ known: await findPlaces([...places]) }),
      openPlace: ({ place }) => openPlace(place),
      setPhrases: ({ phrases }) => setPhrases(phrases),
      openQuestion: async ({ questionId }) => openQuestion(String(questionId)),
      findFiles: async ({ text }) => ({ files: await files.find(String(text)) }),
      didFocus: async ({ questionId }) => waiting.focus(String(questionId)),
      copy: async ({ text }) => vscode.env.clipboard.writeText(String(text)),
      confirmDelete: async ({ count }) => ({ confirmed: await confirmDelete(Number(count)) }),
      export: async ({ target }) => void execute("followup.exportHistory", target),
      run: async ({ command }) => {
        if (Object.hasOwn(commands, command)) {
          await vscode.commands.executeCommand(...commands[command]);
        }
      },
    },
    log,
  });
  const view = new QuestionsView({ extensionUri, pages });
  const tab = new HistoryTab({ extensionUri, pages });
  const tabs = new QuestionTabs({ extensionUri, pages });
  const wide = new Wide(tabs, folders);
  const statusBar = new StatusBar();
  const reveal = new Reveal(folders);
  const show = (id: string) => (waiting.has(id) ? view.focus(id) : tab.focus("list"));
  /** What is over is found in the history. */
  function openQuestion(id: string): void {
    waiting.has(id) ? tabs.open(id, waiting.title(id)) : tab.focus("list");
  }
  const notices = new Notices({
    sidecar,
    settings: notified,
    visible: () => view.visible,
    visibleAlone: () => tabs.visible,
    show: (id) => void show(id),
    log,
  });

  let shown = "";
  const showWaiting = () => {
    notices.attend();
    const count = waiting.count(folders());
    const toShow = `${count} ${view.visible}`;
    if (toShow === shown) {
      // A streaming question changes the inbox many times a second.
      return;
    }
    shown = toShow;
    view.setWaiting(count);
    statusBar.update(count, view.visible);
    void vscode.commands.executeCommand("setContext", "followup.waiting", count > 0);
  };
  const changed = (change: InboxChange) => {
    showWaiting();
    wide.changed(change, opensWide());
    if (reveal.wanted(change) && revealsOnQuestion()) {
      void view.reveal();
    }
  };
  let begun = false;
  feed.onDidSubscribe(({ inbox }) => {
    waiting.reset(inbox);
    if (!begun) {
      begun = true;
      wide.began(inbox);
    }
    changed({ items: inbox.items, more: inbox.more });
  });
  feed.onDidChange((change) => {
    pages.pass(inboxDidChange, change);
    waiting.apply(change);
    changed(change);
  });
  const historyChanged = () => pages.pass(historyDidChange, {});
  sidecar.addParticipant(async (connection) => {
    connection.on(historyDidChange, historyChanged);
    historyChanged();
  });
  sidecar.onDidChangeState((state) => {
    const message = troubleWords(state);
    pages.change({ trouble: message === null ? null : { message, restarting: state.kind === "restarting" } });
  });
  const registered = vscode.Disposable.from(
    statusBar,
    notices,
    view.register(),
    tab.register(),
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
    openQuestion: (id?: string) => {
      const questionId = id ?? waiting.answerable(folders())[0]?.questionId;
      if (questionId !== undefined) {
        openQuestion(questionId);
      }
    },
    noticesChanged: () => notices.configure(),
    /** The questions that can be answered, the last one that had the focus first. */
    answerable: () => waiting.answerable(folders()),
    add: (questionId: string, quotes: Quote[]) => view.add(questionId, quotes),
    /** Clears closed questions away, but for those with words of the user's that were not sent. */
    clearClosed: () => pages.tell(hostClearClosed, {}),
    showHistory: (on: Exclude<FocusParams["on"], "question">) => tab.focus(on),
    /** The history, if it is on the screen: there a deletion can be undone. */
    history: tab as Pick<HistoryTab, "visible">,
    /** What the history shows: a text and a filter, which may narrow nothing. */
    shownHistory: () => pages.shown,
    /** Entries have come or gone otherwise than by a question's closing. */
    historyChanged,
    deleted: (deletion: HistoryDeleteResult) => pages.tell(hostDidDelete, deletion),
    phrasesChanged: () => pages.change({ phrases: phrases() }),
    keepChanged: () => pages.change({ keep: historyKept().keep }),
    dispose: () => registered.dispose(),
  };
}

function translated(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, vscode.l10n.t(text)]));
}
