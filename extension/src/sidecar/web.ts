// `followup web`: the interface in a browser, served by a process of its own that ends with this one.

import { once } from "node:events";
import { createInterface } from "node:readline";
import { messageOf } from "./errors";
import { type Log, pipeLog } from "./log";
import { type Launch, startProcess, type Transport } from "./transport";

/** Serves browsers for as long as it is not disposed of. */
export class WebServer {
  private running: Transport | undefined;
  private starting: Promise<string> | undefined;
  /** Where it served the last time. */
  private port: string | undefined;

  /** `launch` gives the command to run, without what follows `web`; it may throw a ProblemError. */
  constructor(
    private readonly launch: () => Launch,
    private readonly log: Log,
  ) {}

  /**
   * Starts it anew, since its address can be used once; on the port of the last time, where pages may be open that only then find it
   * again, unless somebody else has that now. Calls that come together get the same one.
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
    const launch = this.launch();
    const last = this.running;
    this.dispose();
    await last?.ended;
    if (this.port !== undefined) {
      try {
        return await this.serve(launch, ["--listen", `127.0.0.1:${this.port}`]);
      } catch (error) {
        this.log.info(`followup web takes another port: ${messageOf(error)}`);
      }
    }
    return this.serve(launch);
  }

  private async serve({ command, args }: Launch, listen: readonly string[] = []): Promise<string> {
    const own = ["--json", "--parent", `${process.pid}`];
    const server = startProcess({ command, args: [...args, ...own, ...listen] });
    this.running = server;
    const { lastWords } = pipeLog(server.stderr, this.log);
    const ended = server.ended.then((how) => {
      this.log.info(`followup web has ended: ${how}`);
      throw new Error(lastWords().split("\n", 1)[0] || how);
    });
    ended.catch(() => {}); // later on nobody waits for it
    const [line] = await Promise.race([once(createInterface({ input: server.stdout }), "line"), ended]);
    const { url } = JSON.parse(line) as { url: string };
    this.port = new URL(url).port || undefined;
    return url;
  }
}
