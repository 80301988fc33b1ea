// Restarts the sidecar, and the keeper behind it: that one may hang.

import { messageOf } from "../sidecar/errors";
import type { Log } from "../sidecar/log";
import type { Sidecar } from "../sidecar/sidecar";
import { type Launch, startProcess, type Transport } from "../sidecar/transport";

/** What a restart needs. */
export interface RestartSurroundings {
  /** The sidecar's program, with a subcommand; it may throw a ProblemError. */
  launch(subcommand: string): Promise<Launch>;
  sidecar: Pick<Sidecar, "restart">;
  log: Pick<Log, "warn">;
  start?(launch: Launch): Transport;
}

/** Gives the command. Clients connect to the new keeper by themselves, and nothing is lost. */
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
