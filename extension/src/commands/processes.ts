// Followup: Restart the Sidecar

import { messageOf } from "../sidecar/errors";
import type { Log } from "../sidecar/log";
import type { Sidecar } from "../sidecar/sidecar";
import { type Launch, startProcess, type Transport } from "../sidecar/transport";

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
