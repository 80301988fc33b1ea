// `followup web`: the interface in a browser, served by a process of its own that ends with this one.

import { once } from "node:events";
import { createInterface } from "node:readline";
import { type Log, pipeLog } from "./log";
import { type Launch, startProcess, type Transport } from "./transport";

/** Serves browsers for as long as it is not disposed of. */
export class WebServer {
  private running: Transport | undefined;
  private starting: Promise<string> | undefined;

  /** `launch` gives the command to run, without what follows `web`; it may throw a ProblemError. */
  constructor(
    private readonly launch: () => Launch,
    private readonly log: Log,
  ) {}

  /**
   * Starts it anew, since its address can be used once. Calls that come together get the same one.
   *
   * @returns the address, with the secret
   * @throws Error with what the process told, where it could not serve; ProblemError
   */
  start(): Promise<string> {
    this.starting ??= this.restart().finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  dispose(): void {
    this.running?.kill("SIGTERM");
    this.running = undefined;
  }

  private async restart(): Promise<string> {
    this.dispose();
    const { command, args } = this.launch();
    const server = startProcess({ command, args: [...args, "--json", "--parent", `${process.pid}`] });
    this.running = server;
    const { lastWords } = pipeLog(server.stderr, this.log);
    const ended = server.ended.then((how) => {
      this.log.info(`followup web has ended: ${how}`);
      throw new Error(lastWords().split("\n", 1)[0] || how);
    });
    ended.catch(() => {}); // later on nobody waits for it
    const [line] = await Promise.race([once(createInterface({ input: server.stdout }), "line"), ended]);
    return (JSON.parse(line) as { url: string }).url;
  }
}
