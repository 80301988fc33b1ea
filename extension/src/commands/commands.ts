// The extension's commands. What is more than one call has a file of its own here.

import * as vscode from "vscode";
import type { FollowupApi } from "../agents/api";
import type { Interface } from "../page/interface";
import type { Hub } from "../sidecar/hub";
import type { Sidecar } from "../sidecar/sidecar";
import type { Launch } from "../sidecar/transport";
import type { WebServer } from "../sidecar/web";
import { addTerminalToAnswer, addToAnswer, ProblemActions } from "./addToAnswer";
import { askSample } from "./askSample";
import { connectAgents } from "./connectAgents";
import { connectHub } from "./connectHub";
import { deleteHistory } from "./deleteHistory";
import { exportHistory } from "./exportHistory";
import { importLog } from "./importLog";
import { openBrowser, restart } from "./processes";

/** The commands, as package.json contributes them. */
export const commandIds = [
  "followup.addTerminalToAnswer",
  "followup.addToAnswer",
  "followup.askSample",
  "followup.clearClosed",
  "followup.connectAgents",
  "followup.connectHub",
  "followup.deleteHistory",
  "followup.exportHistory",
  "followup.focus",
  "followup.importLog",
  "followup.openBrowser",
  "followup.openQuestion",
  "followup.openWalkthrough",
  "followup.restart",
  "followup.searchHistory",
  "followup.showHistory",
  "followup.showLog",
] as const;

/** The id of a command of the extension's. */
export type CommandId = (typeof commandIds)[number];

/** What the commands need. */
export interface CommandSurroundings {
  api: FollowupApi;
  /** The sidecar's program, with a subcommand; it may throw a ProblemError. */
  launch(subcommand: string): Promise<Launch>;
  sidecar: Sidecar;
  web: WebServer;
  hub: Hub;
  page: Interface;
  log: vscode.LogOutputChannel;
  extensionId: string;
}

/** Registers the commands. */
export function registerCommands(surroundings: CommandSurroundings): vscode.Disposable {
  const { page, log, extensionId } = surroundings;
  const commands: Record<CommandId, (...args: never[]) => unknown> = {
    "followup.addTerminalToAnswer": addTerminalToAnswer(page),
    "followup.addToAnswer": addToAnswer(page),
    "followup.askSample": askSample(surroundings.api, log),
    "followup.clearClosed": () => page.clearClosed(),
    "followup.connectAgents": connectAgents(surroundings),
    "followup.connectHub": connectHub(surroundings.hub),
    "followup.deleteHistory": deleteHistory(surroundings),
    "followup.exportHistory": exportHistory(surroundings),
    "followup.focus": () => page.focus(),
    "followup.importLog": importLog(surroundings),
    "followup.openBrowser": openBrowser(surroundings.web),
    "followup.openQuestion": (id?: unknown) => page.openQuestion(typeof id === "string" ? id : undefined),
    "followup.openWalkthrough": () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", `${extensionId}#start`, false),
    "followup.restart": restart(surroundings),
    "followup.searchHistory": () => page.showHistory("search"),
    "followup.showHistory": () => page.showHistory("list"),
    "followup.showLog": () => log.show(),
  };
  return vscode.Disposable.from(
    vscode.languages.registerCodeActionsProvider("*", new ProblemActions(page)),
    ...Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, run)),
  );
}
