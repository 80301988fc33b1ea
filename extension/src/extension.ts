// The extension's entry: puts the parts together and nothing else.

import * as vscode from "vscode";
import { historyEnglish } from "../webview/history/strings";
import { english } from "../webview/strings";
import { Agents } from "./agents/agents";
import type { FollowupApi } from "./agents/api";
import { Chats } from "./agents/chats";
import { registerTools } from "./agents/tools";
import { Cards } from "./cards";
import { askSample, askSampleCommand } from "./commands/askSample";
import { clearClosed, clearClosedCommand } from "./commands/clearClosed";
import { confirmDelete, deleteHistory, deleteHistoryCommand } from "./commands/deleteHistory";
import { exportHistory, exportHistoryCommand } from "./commands/exportHistory";
import { focus, focusCommand } from "./commands/focus";
import { importLog, importLogCommand } from "./commands/importLog";
import { openWalkthrough, openWalkthroughCommand } from "./commands/openWalkthrough";
import { restart, restartCommand } from "./commands/restart";
import { searchHistory, searchHistoryCommand } from "./commands/searchHistory";
import { showHistory, showHistoryCommand } from "./commands/showHistory";
import { showLog, showLogCommand } from "./commands/showLog";
import { Drafts } from "./drafts";
import { History } from "./history/history";
import { type HistoryAction, HistoryHost } from "./history/host";
import { historyWords } from "./history/messages";
import { HistoryView } from "./history/view";
import { InboxModel } from "./inbox";
import { Feed } from "./page/feed";
import { readFiles } from "./page/files";
import { openLink } from "./page/links";
import { Reveal } from "./page/reveal";
import { StatusBar } from "./page/statusBar";
import { questionSaveDraft } from "./protocol.gen";
import { counts, historyKept, reading, revealsOnQuestion, section, sidecarPath, trace } from "./settings";
import { greeting } from "./sidecar/greeting";
import { Ledger } from "./sidecar/ledger";
import { locate } from "./sidecar/locate";
import { answerWords, showProblem, words } from "./sidecar/problems";
import { Sidecar, type SidecarState } from "./sidecar/sidecar";
import { QuestionsView } from "./view";

let stop: (() => Promise<void>) | undefined;

/** Called by the editor. Gives other extensions the API. */
export function activate(context: vscode.ExtensionContext): FollowupApi {
  const log = vscode.window.createOutputChannel("Followup", { log: true });
  const sidecar = new Sidecar({
    launch: () => ({
      command: locate({
        environment: process.env,
        setting: sidecarPath(),
        extensionPath: context.extensionPath,
        platform: process.platform,
      }),
      args: ["serve"],
    }),
    greeting: () => greeting(context),
    trace,
    describe: words,
    log,
  });
  const inbox = new InboxModel();
  const drafts = new Drafts((params) => sidecar.request(questionSaveDraft, params));
  sidecar.addParticipant(async () => drafts.resume());
  const ledger = new Ledger(sidecar, log);
  const api = new Agents(sidecar, ledger, counts);
  const chats = new Chats(api, context.workspaceState, log);
  const feed = new Feed(sidecar, api, ledger, inbox);
  const cards = new Cards({
    inbox,
    drafts,
    strings: translated(english),
    locale: vscode.env.language,
    request: (type, params) => sidecar.request(type, params),
    folders,
    describe: answerWords,
    readFiles,
    openLink: (href) => void openLink(href),
    act: (action) => void vscode.commands.executeCommand(actions[action]),
  });
  const view = new QuestionsView(context.extensionUri, cards);
  const history = new History(sidecar, historyKept, log);
  const openLog = () => log.show();
  const exporting = exportHistory({ history, query: () => historyHost.query, openLog });
  const historyHost = new HistoryHost({
    history,
    strings: translated({ ...english, ...historyEnglish }),
    locale: vscode.env.language,
    keep: () => historyKept().keep,
    describe: historyWords,
    confirmDelete: (count) =>
      confirmDelete(
        vscode.l10n.t("Delete everything that matches from Followup's history? Entries: {0}", count),
      ),
    export: (target) => void exporting(target),
    copy: (text) => vscode.env.clipboard.writeText(text),
    openLink: (href) => void openLink(href),
    act: (action) => void vscode.commands.executeCommand(...historyActions[action]),
  });
  const historyView = new HistoryView(context.extensionUri, historyHost);
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
  const remedies = { openLog, retry: () => void sidecar.restart() };
  sidecar.onDidChangeState((state) => {
    cards.showTrouble(trouble(state), state.kind === "restarting");
    if (state.kind === "running") {
      historyHost.changed();
      void chats.closeStill();
    }
    if (state.kind === "failed") {
      void showProblem(state.problem, remedies);
    }
  });

  const commands: Record<string, () => unknown> = {
    [askSampleCommand]: askSample({ api, log, focus: () => view.focus(), openLog }),
    [focusCommand]: focus(view),
    [clearClosedCommand]: clearClosed(cards),
    [showLogCommand]: showLog(log),
    [restartCommand]: restart(sidecar),
    [openWalkthroughCommand]: openWalkthrough(context.extension.id),
    [showHistoryCommand]: showHistory(historyView),
    [searchHistoryCommand]: searchHistory(historyView),
    [exportHistoryCommand]: exporting,
    [importLogCommand]: importLog({
      history,
      log,
      openLog,
      showHistory: () => void historyView.focus("list"),
    }),
    [deleteHistoryCommand]: deleteHistory({
      history,
      view: historyView,
      tell: (result, target) => historyHost.deleted(result, target),
      openLog,
    }),
  };
  context.subscriptions.push(
    log,
    statusBar,
    view.register(),
    historyView.register(),
    view.onDidChangeVisibility(showWaiting),
    registerTools(chats, log, reading),
    chats,
    vscode.workspace.onDidChangeConfiguration((event) => {
      applySettings(event, sidecar);
      if (event.affectsConfiguration(`${section}.history`)) {
        historyHost.keepChanged();
        void history.configure();
      }
    }),
    ...Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, run)),
  );
  stop = async () => {
    await drafts.saved();
    await sidecar.stop();
  };
  sidecar.start();
  return { apiVersion: api.apiVersion, openSession: (options) => api.openSession(options) };
}

/** Called by the editor before it ends the extension host. */
export async function deactivate(): Promise<void> {
  await stop?.();
}

/** The window's workspace folders, as URIs. */
function folders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
}

/** The command behind each action of the interface. */
const actions: Readonly<Record<"escape" | "openLog" | "restart" | "askSample", string>> = {
  escape: "workbench.action.focusActiveEditorGroup",
  openLog: showLogCommand,
  restart: restartCommand,
  askSample: askSampleCommand,
};

/** The command behind each action of the history's interface, with its arguments. */
const historyActions: Readonly<Record<HistoryAction, [string, ...unknown[]]>> = {
  escape: [actions.escape],
  openLog: [showLogCommand],
  openSettings: ["workbench.action.openSettings", `${section}.history`],
  import: [importLogCommand],
};

function applySettings(event: vscode.ConfigurationChangeEvent, sidecar: Sidecar): void {
  if (event.affectsConfiguration(`${section}.sidecar.path`)) {
    void sidecar.restart();
  }
  if (event.affectsConfiguration(`${section}.trace`)) {
    void sidecar.connection?.setTrace(trace());
  }
}

function trouble(state: SidecarState): string | null {
  switch (state.kind) {
    case "failed":
      return words(state.problem);
    case "restarting":
      return vscode.l10n.t("The Followup sidecar ended unexpectedly and is starting again.");
    default:
      return null;
  }
}

function translated(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, vscode.l10n.t(text)]));
}
