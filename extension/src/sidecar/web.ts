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
  /** Its address on this machine, and the one that the user's browser finds it by, as of the last time; "" before that. */
  private own = "";
  private outside = "";

  /**
   * `launch` gives the command to run, without what follows `web`; it may throw a ProblemError. `forward` makes an address of this
   * machine known where the user's browser is, and gives the one that it has there.
   */
  constructor(
    private readonly launch: () => Launch | Promise<Launch>,
    private readonly forward: (address: string) => PromiseLike<string>,
    private readonly log: Log,
  ) {}

  /**
   * Starts it anew, since its address can be used once; on the port of the last time, where pages may be open that only then find it
   * again, unless somebody else has that now. It takes nobody who comes by another address than its own or the forwarded one. Calls
   * that come together get the same one.
   *
   * @returns the address on this machine, with the secret
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
    const launch = await this.launch();
    const secret = await this.serveAgain(launch);
    const outside = await this.forwarded();
    if (outside === this.outside) {
      return this.own + secret;
    }
    this.outside = outside;
    return this.own + (await this.serveAgain(launch));
  }

  private async forwarded(): Promise<string> {
    try {
      const { origin, pathname } = new URL(await this.forward(this.own));
      return origin + pathname;
    } catch (error) {
      this.log.warn(`The editor does not forward ${this.own}: ${messageOf(error)}`);
      return this.own;
    }
  }

  /** Serves where it did the last time, if it can. Gives the secret, behind its #. */
  private async serveAgain(launch: Launch): Promise<string> {
    const last = this.running;
    this.dispose();
    await last?.ended;
    if (this.own !== "") {
      const told = this.outside === this.own ? [] : ["--host", this.outside];
      try {
        return (await this.serve(launch, ["--listen", new URL(this.own).host, ...told])).hash;
      } catch (error) {
        this.log.info(`followup web takes another port: ${messageOf(error)}`);
      }
    }
    const { origin, hash } = await this.serve(launch);
    this.own = this.outside = `${origin}/`;
    return hash;
  }

  private async serve({ command, args }: Launch, where: readonly string[] = []): Promise<URL> {
    const own = ["--json", "--parent", `${process.pid}`];
    const server = startProcess({ command, args: [...args, ...own, ...where] });
    this.running = server;
    const { lastWords } = pipeLog(server.stderr, this.log);
    const ended = server.ended.then((how) => {
      this.log.info(`followup web has ended: ${how}`);
      throw new Error(lastWords().split("\n", 1)[0] || how);
    });
    ended.catch(() => {}); // later on nobody waits for it
    const [line] = await Promise.race([once(createInterface({ input: server.stdout }), "line"), ended]);
    return new URL((JSON.parse(line) as { url: string }).url);
  }
}
