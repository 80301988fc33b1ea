// The extension's commands. Longer ones have their own files in this folder.

import * as vscode from "vscode";
import type { Interface } from "../page/interface";
import type { HistoryTarget, Quote } from "../protocol.gen";
import { hubSetting } from "../settings";
import { messageOf } from "../sidecar/errors";
import type { Log } from "../sidecar/log";
import type { Sidecar } from "../sidecar/sidecar";
import { type Launch, startProcess } from "../sidecar/transport";
import { addTerminalToAnswer, addToAnswer, problemActions } from "./addToAnswer";
import type { Guides } from "./guides";

/** What the commands depend on. */
export interface CommandSurroundings {
  launch(subcommand: string): Promise<Launch>;
  sidecar: Pick<Sidecar, "restart">;
  guides: Guides;
  page: Interface;
  log: vscode.LogOutputChannel;
  extensionId: string;
}

/** The commands by their ids, as package.json contributes them. */
export function makeCommands(surroundings: CommandSurroundings) {
  const { page, guides, log, extensionId } = surroundings;
  return {
    "followup.addTerminalToAnswer": () => addTerminalToAnswer(page),
    "followup.addToAnswer": (target?: vscode.Uri | Quote, files?: unknown) =>
      addToAnswer(page, target, files),
    "followup.askSample": () => guides.start("sample"),
    "followup.clearClosed": () => page.clearClosed(),
    "followup.connectAgents": () => guides.start("connect"),
    "followup.connectHub": () => guides.start("hub", { hub: hubSetting() }),
    "followup.deleteHistory": () => page.deleteHistory(),
    // For a command in a view's title, the editor passes its own context, without a target.
    "followup.exportHistory": (named?: { target?: HistoryTarget }) =>
      guides.start("export", named?.target ? { target: named.target } : { shown: page.shownHistory() }),
    "followup.focus": () => page.focus(),
    "followup.importLog": () => guides.start("import"),
    "followup.openBrowser": () => guides.start("browser"),
    "followup.openQuestion": (id?: unknown) => page.openQuestion(typeof id === "string" ? id : undefined),
    "followup.openWalkthrough": () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", `${extensionId}#start`, false),
    "followup.restart": () => restart(surroundings),
    "followup.searchHistory": () => page.showHistory("search"),
    "followup.showHistory": () => page.showHistory("list"),
    "followup.showLog": () => log.show(),
  };
}

/** Registers the commands. */
export function registerCommands(surroundings: CommandSurroundings): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.languages.registerCodeActionsProvider("*", problemActions(surroundings.page)),
    ...Object.entries(makeCommands(surroundings)).map(([id, run]) =>
      vscode.commands.registerCommand(id, run),
    ),
  );
}

/** Restarts the keeper, even if it responds, and the sidecar. Other clients reconnect by themselves. */
export async function restart(
  { launch, sidecar, log }: Pick<CommandSurroundings, "launch" | "sidecar"> & { log: Log },
  start = startProcess,
): Promise<void> {
  try {
    const { command, args } = await launch("serve");
    if (!args.includes("--alone")) {
      const { ended, stdout, stderr } = start({ command, args: ["keeper", "restart"] });
      stdout.resume();
      stderr.resume();
      log.warn(`followup keeper restart: ${await ended}`);
    }
  } catch (error) {
    log.warn(`The keeper was not restarted: ${messageOf(error)}`);
  }
  await sidecar.restart();
}
