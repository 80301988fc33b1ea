// `followup web`: the interface in a browser, served by a process of its own that ends with this one.

import { createInterface } from "node:readline";
import type { Log } from "./log";
import { type Launch, startProcess, type Transport } from "./transport";

/** Serves browsers for as long as it is not disposed of. */
export class WebServer {
  private running: Transport | undefined;

  /** `launch` gives the command to run, without what follows `web`; it may throw. */
  constructor(
    private readonly launch: () => Launch,
    private readonly log: Pick<Log, "info" | "warn">,
  ) {}

  /**
   * Starts it anew, since its address can be used once.
   *
   * @returns the address, with the secret
   * @throws Error with what the process told, where it could not serve
   */
  async start(): Promise<string> {
    this.dispose();
    const { command, args } = this.launch();
    const process_ = startProcess({ command, args: [...args, "--json", "--parent", String(process.pid)] });
    this.running = process_;
    let told = "";
    createInterface({ input: process_.stderr }).on("line", (line) => {
      told = line;
      this.log.warn(`followup web: ${line}`);
    });
    const lines = createInterface({ input: process_.stdout });
    const first = new Promise<string>((resolve) => lines.once("line", resolve));
    const ended = process_.ended.then((how) => {
      this.log.info(`followup web has ended: ${how}`);
      throw new Error(told || how);
    });
    ended.catch(() => {}); // later on nobody waits for it
    const { url } = JSON.parse(await Promise.race([first, ended])) as { url: string };
    return url;
  }

  dispose(): void {
    this.running?.kill();
    this.running = undefined;
  }
}
