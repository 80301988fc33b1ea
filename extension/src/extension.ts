// The extension's entry: puts the parts together and nothing else.

import * as vscode from "vscode";
import { type HostCommand, hostDidDelete, type Trouble } from "../webview/boundary";
import { english } from "../webview/strings";
import { Agents } from "./agents/agents";
import type { FollowupApi } from "./agents/api";
import { Chats } from "./agents/chats";
import { registerTools } from "./agents/tools";
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
import { History } from "./history/history";
import { Feed } from "./page/feed";
import { readFiles } from "./page/files";
import { HistoryTab } from "./page/historyTab";
import { openLink } from "./page/links";
import { Pages } from "./page/pages";
import { Reveal } from "./page/reveal";
import { StatusBar } from "./page/statusBar";
import { QuestionsView } from "./page/view";
import { Waiting } from "./page/waiting";
import { historyDidChange, type InboxChange, inboxDidChange } from "./protocol.gen";
import { counts, historyKept, reading, revealsOnQuestion, section, sidecarPath, trace } from "./settings";
import { greeting } from "./sidecar/greeting";
import { Ledger } from "./sidecar/ledger";
import { locate } from "./sidecar/locate";
import { showProblem, words } from "./sidecar/problems";
import { Sidecar, type SidecarState } from "./sidecar/sidecar";

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
  const ledger = new Ledger(sidecar, log);
  const api = new Agents(sidecar, ledger, counts);
  const chats = new Chats(api, context.workspaceState, log);
  const feed = new Feed(sidecar, api, ledger);
  const history = new History(sidecar, historyKept, log);
  const openLog = () => log.show();
  const exporting = exportHistory({ history, query: () => pages.shown, openLog });
  const pages = new Pages({
    state: {
      strings: translated(english),
      locale: vscode.env.language,
      folders: folders(),
      keep: historyKept().keep,
      trouble: null,
    },
    feed,
    request: (type, params, token) => sidecar.request(type, params, token),
    readFiles,
    openLink: (href) => void openLink(href),
    copy: (text) => vscode.env.clipboard.writeText(text),
    confirmDelete,
    export: (target) => void exporting(target),
    run: (command) => {
      if (Object.hasOwn(hostCommands, command)) {
        void vscode.commands.executeCommand(...hostCommands[command]);
      }
    },
    log,
  });
  const view = new QuestionsView(context.extensionUri, pages);
  const historyTab = new HistoryTab(context.extensionUri, pages);
  const statusBar = new StatusBar();
  const waiting = new Waiting();
  const reveal = new Reveal(folders);

  let shown = "";
  const showWaiting = () => {
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
    if (reveal.wanted(change) && revealsOnQuestion()) {
      void view.reveal();
    }
  };
  feed.onDidSubscribe(({ inbox, awaited }) => {
    waiting.reset(inbox, awaited);
    changed({ items: inbox.items });
  });
  feed.onDidChange((change) => {
    pages.pass(inboxDidChange, change);
    waiting.apply(change);
    changed(change);
  });
  history.onDidChange(() => pages.pass(historyDidChange, {}));
  const remedies = { openLog, retry: () => void sidecar.restart() };
  sidecar.onDidChangeState((state) => {
    pages.change({ trouble: trouble(state) });
    if (state.kind === "running") {
      void chats.closeStill();
    }
    if (state.kind === "failed") {
      void showProblem(state.problem, remedies);
    }
  });

  const commands: Record<string, () => unknown> = {
    [askSampleCommand]: askSample({ api, log, focus: () => view.focus(), openLog }),
    [focusCommand]: focus(view),
    [clearClosedCommand]: clearClosed(pages),
    [showLogCommand]: showLog(log),
    [restartCommand]: restart(sidecar),
    [openWalkthroughCommand]: openWalkthrough(context.extension.id),
    [showHistoryCommand]: showHistory(historyTab),
    [searchHistoryCommand]: searchHistory(historyTab),
    [exportHistoryCommand]: exporting,
    [importLogCommand]: importLog({
      history,
      log,
      openLog,
      showHistory: () => historyTab.focus("list"),
    }),
    [deleteHistoryCommand]: deleteHistory({
      history,
      view: historyTab,
      tell: (deletion) => pages.tell(hostDidDelete, deletion),
      openLog,
    }),
  };
  context.subscriptions.push(
    log,
    statusBar,
    view.register(),
    historyTab.register(),
    view.onDidChangeVisibility(showWaiting),
    registerTools(chats, log, reading),
    chats,
    vscode.workspace.onDidChangeConfiguration((event) => {
      applySettings(event, sidecar);
      if (event.affectsConfiguration(`${section}.history`)) {
        pages.change({ keep: historyKept().keep });
        void history.configure();
      }
    }),
    ...Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, run)),
  );
  stop = () => sidecar.stop();
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

/** The editor's command behind each of the page's, with its arguments. */
const hostCommands: Readonly<Record<HostCommand, [string, ...unknown[]]>> = {
  escape: ["workbench.action.focusActiveEditorGroup"],
  openLog: [showLogCommand],
  restart: [restartCommand],
  askSample: [askSampleCommand],
  import: [importLogCommand],
  openSettings: ["workbench.action.openSettings", `${section}.history`],
};

function applySettings(event: vscode.ConfigurationChangeEvent, sidecar: Sidecar): void {
  if (event.affectsConfiguration(`${section}.sidecar.path`)) {
    void sidecar.restart();
  }
  if (event.affectsConfiguration(`${section}.trace`)) {
    void sidecar.connection?.setTrace(trace());
  }
}

function trouble(state: SidecarState): Trouble | null {
  switch (state.kind) {
    case "failed":
      return { message: words(state.problem), restarting: false };
    case "restarting":
      return {
        message: vscode.l10n.t("The Followup sidecar ended unexpectedly and is starting again."),
        restarting: true,
      };
    default:
      return null;
  }
}

function translated(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, vscode.l10n.t(text)]));
}
