// The interface in this window: puts its views together, and tells outside of them that questions wait.

import * as vscode from "vscode";
import { historyEnglish } from "../../webview/history/strings";
import { english } from "../../webview/strings";
import type { Agents } from "../agents/agents";
import { Cards } from "../cards";
import type { CommandId } from "../commands/commands";
import { confirmDelete } from "../commands/deleteHistory";
import { Drafts } from "../drafts";
import type { History } from "../history/history";
import { type HistoryAction, HistoryHost } from "../history/host";
import { historyWords } from "../history/messages";
import { HistoryView } from "../history/view";
import { InboxModel } from "../inbox";
import { questionSaveDraft } from "../protocol.gen";
import { historyKept, revealsOnQuestion, section, workspaceFolders } from "../settings";
import type { Ledger } from "../sidecar/ledger";
import { answerWords, troubleWords } from "../sidecar/problems";
import type { Sidecar } from "../sidecar/sidecar";
import { QuestionsView } from "../view";
import { Feed } from "./feed";
import { readFiles } from "./files";
import { openLink } from "./links";
import { Reveal } from "./reveal";
import { StatusBar } from "./statusBar";

/** What the interface needs. */
export interface InterfaceSurroundings {
  extensionUri: vscode.Uri;
  sidecar: Sidecar;
  agents: Agents;
  ledger: Ledger;
  history: History;
}

/** The interface of this window. */
export type Interface = ReturnType<typeof openInterface>;

/** The command behind each action of the interface, with its arguments. */
const actions: Readonly<
  Record<"escape" | "openLog" | "restart" | "askSample" | HistoryAction, [string, ...unknown[]]>
> = {
  escape: ["workbench.action.focusActiveEditorGroup"],
  openLog: ["followup.showLog" satisfies CommandId],
  restart: ["followup.restart" satisfies CommandId],
  askSample: ["followup.askSample" satisfies CommandId],
  openSettings: ["workbench.action.openSettings", `${section}.history`],
  import: ["followup.importLog" satisfies CommandId],
};

/** Registers the views and keeps them up to date. */
export function openInterface({ extensionUri, sidecar, agents, ledger, history }: InterfaceSurroundings) {
  const inbox = new InboxModel();
  const drafts = new Drafts((params) => sidecar.request(questionSaveDraft, params));
  sidecar.addParticipant(async () => drafts.resume());
  const feed = new Feed(sidecar, agents, ledger, inbox);
  const folders = () => workspaceFolders().map(({ uri }) => uri);
  const shared = {
    locale: vscode.env.language,
    openLink: (href: string) => void openLink(href),
    act: (action: keyof typeof actions) => void vscode.commands.executeCommand(...actions[action]),
  };
  const cards = new Cards({
    ...shared,
    inbox,
    drafts,
    strings: translated(english),
    request: (type, params) => sidecar.request(type, params),
    folders,
    describe: answerWords,
    readFiles,
  });
  const view = new QuestionsView(extensionUri, cards);
  const historyHost = new HistoryHost({
    ...shared,
    history,
    strings: translated({ ...english, ...historyEnglish }),
    keep: () => historyKept().keep,
    describe: historyWords,
    confirmDelete: (count) =>
      confirmDelete(
        vscode.l10n.t("Delete everything that matches from Followup's history? Entries: {0}", count),
      ),
    export: (target) =>
      void vscode.commands.executeCommand("followup.exportHistory" satisfies CommandId, target),
    copy: (text) => vscode.env.clipboard.writeText(text),
  });
  const historyView = new HistoryView(extensionUri, historyHost);
  const statusBar = new StatusBar();
  const reveal = new Reveal(folders);

  let shown = "";
  const showWaiting = () => {
    const waiting = inbox.waiting(folders());
    const toShow = `${waiting} ${view.visible}`;
    if (toShow === shown) {
      // A streaming question changes the inbox many times a second.
      return;
    }
    shown = toShow;
    view.setWaiting(waiting);
    statusBar.update(waiting, view.visible);
    void vscode.commands.executeCommand("setContext", "followup.waiting", waiting > 0);
  };
  feed.onDidChange((differences) => {
    cards.show(differences);
    historyHost.follow(differences);
    showWaiting();
    if (reveal.wanted(differences) && revealsOnQuestion()) {
      void view.reveal();
    }
  });
  feed.onDidChangeStorage(({ saved, problem }) => {
    cards.showStorage(saved ? null : (problem ?? null));
    historyHost.changed();
  });
  history.onDidChange(() => historyHost.changed());
  sidecar.onDidChangeState((state) => {
    cards.showTrouble(troubleWords(state), state.kind === "restarting");
    if (state.kind === "running") {
      historyHost.changed();
    }
  });
  const registered = vscode.Disposable.from(
    statusBar,
    view.register(),
    historyView.register(),
    view.onDidChangeVisibility(showWaiting),
  );
  return {
    /** Puts the keyboard focus on the first question that can be answered. */
    focus: () => view.focus(),
    /** Clears closed questions away, but for those with words of the user's that were not sent. */
    clearClosed: () => cards.clearClosed(),
    /** Puts the keyboard focus on the history's list or its search box. */
    showHistory: (on: "list" | "search") => historyView.focus(on),
    /** The history, if it is on the screen: there a deletion can be undone. */
    history: historyView as Pick<HistoryView, "visible">,
    /** What the history shows: a text and a filter, which may narrow nothing. */
    shownHistory: () => historyHost.query,
    /** Shows that entries were deleted. */
    deleted: historyHost.deleted.bind(historyHost),
    /** Shows whether a history is kept. */
    keepChanged: () => historyHost.keepChanged(),
    /** Settles when the drafts are saved. */
    saved: () => drafts.saved(),
    dispose: () => registered.dispose(),
  };
}

function translated(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, vscode.l10n.t(text)]));
}
