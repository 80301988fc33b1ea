// The commands about the program's processes.

import * as vscode from "vscode";
import { messageOf } from "../sidecar/errors";
import type { Log } from "../sidecar/log";
import { reasonOf } from "../sidecar/problems";
import type { Sidecar } from "../sidecar/sidecar";
import { type Launch, startProcess, type Transport } from "../sidecar/transport";
import type { WebServer } from "../sidecar/web";
import { failed } from "./messages";

/** Opens the interface in the user's browser. */
export function openBrowser(web: Pick<WebServer, "start">): () => Promise<void> {
  return async () => {
    try {
      await vscode.env.openExternal(vscode.Uri.parse(await web.start()));
    } catch (error) {
      await failed(vscode.l10n.t("The browser could not be served: {0}", reasonOf(error)));
    }
  };
}

/** What a restart needs. */
export interface RestartSurroundings {
  launch(subcommand: string): Promise<Launch>;
  sidecar: Pick<Sidecar, "restart">;
  log: Pick<Log, "warn">;
  start?(launch: Launch): Transport;
}

/**
 * Restarts the sidecar, and the keeper before it, even one that answers: the user wants a clean start, and a keeper can be wrong in other
 * ways than by hanging. Clients connect to the new keeper by themselves, and nothing is lost.
 */
export function restart({ launch, sidecar, log, start = startProcess }: RestartSurroundings) {
  return async () => {
    try {
      const { args } = await launch("serve");
      if (!args.includes("--alone")) {
        const { command } = await launch("keeper");
        const { ended, stdout, stderr } = start({ command, args: ["keeper", "restart"] });
        stdout.resume();
        stderr.resume();
        log.warn(`followup keeper restart: ${await ended}`);
      }
    } catch (error) {
      log.warn(`The keeper was not restarted: ${messageOf(error)}`);
    }
    await sidecar.restart();
  };
}
