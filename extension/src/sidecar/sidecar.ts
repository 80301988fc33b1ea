// Keeps one sidecar running: starts it, performs the handshake, and restarts it after a crash. Lives as long as the extension.

import { l10n } from "vscode";
import { type CancellationToken, Emitter } from "vscode-jsonrpc";
import type { Request, ServerInfo, Trace } from "../protocol.gen";
import { Connection, type Greeting } from "./connection";
import { FollowupError, messageOf, StartError } from "./errors";
import type { Log } from "./log";
import { Resender } from "./resender";
import { type Launch, startProcess, type Transport } from "./transport";

/** The state of the sidecar. */
export type SidecarState =
  | { kind: "starting" }
  | { kind: "running"; server: ServerInfo }
  /** It crashed and is restarting. */
  | { kind: "restarting" }
  /** It cannot be used until the user acts; has the reason, in the user's language. */
  | { kind: "failed"; problem: string }
  | { kind: "stopped" };

/** What a sidecar depends on. */
export interface SidecarOptions {
  /** Returns the command to run, or throws an error for the user. Called before every start. */
  launch(): Launch | Promise<Launch>;
  /** Returns the handshake. Called before every start. */
  greeting(): Greeting;
  trace(): Trace;
  log: Log;
  /** The delays before each restart after a crash, in milliseconds, and thereby the number of restarts within restartPeriod. */
  delays?: readonly number[];
  start?(launch: Launch): Transport;
}

const defaultDelays = [0, 250, 1_000, 2_000, 4_000];

const restartPeriod = 180_000;

/** Sets up a new process, before it gets the previous one's unanswered messages. If it fails, the process is replaced. */
export type Participant = (connection: Connection) => Promise<void>;

/** The sidecar, independent of the process that currently runs it. */
export class Sidecar {
  private readonly states = new Emitter<SidecarState>();
  private readonly participants: Participant[] = [];
  readonly resender = new Resender();
  state: SidecarState = { kind: "stopped" };
  connection: Connection | undefined;
  private crashes: number[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts the starts, so that a start that was overtaken by a restart or a stop has no effect. */
  private generation = 0;

  readonly onDidChangeState = this.states.event;

  constructor(private readonly options: SidecarOptions) {}

  /** Adds a participant, which sets up every new process, in order. */
  addParticipant(participant: Participant): void {
    this.participants.push(participant);
  }

  /** Sends a setting to every new process, if it is wanted. The returned function sends it to the running process. */
  configure<P>(type: Request<P, unknown>, setting: () => P, wanted = (_: P) => true): () => Promise<void> {
    const send = async (to = this.connection) => {
      await to
        ?.request(type, setting())
        .catch((error) => this.options.log.error(`${type.method}: ${messageOf(error)}`));
    };
    this.addParticipant(async (connection) => {
      if (wanted(setting())) {
        await send(connection);
      }
    });
    return () => send();
  }

  start(): void {
    if (this.state.kind === "stopped" || this.state.kind === "failed") {
      this.change({ kind: "starting" });
      void this.launch();
    }
  }

  /** Ends the sidecar if it is running, and starts it as if for the first time. */
  async restart(): Promise<void> {
    this.crashes = [];
    const old = this.detach();
    this.change({ kind: "starting" });
    const generation = this.generation;
    await old?.close();
    if (generation === this.generation) {
      await this.launch();
    }
  }

  async stop(): Promise<void> {
    const old = this.detach();
    this.change({ kind: "stopped" });
    await old?.close();
  }

  /**
   * Sends a request that may safely be sent twice: if the process exits before it answers, the next one gets the request.
   *
   * @throws ResponseError, FollowupError unavailable
   */
  request<P, R>(type: Request<P, R>, params: P, token?: CancellationToken): Promise<R> {
    return this.resender.request(type, params, token);
  }

  private detach(): Connection | undefined {
    this.generation += 1;
    clearTimeout(this.timer);
    const old = this.connection;
    this.connection = undefined;
    return old;
  }

  private async launch(): Promise<void> {
    const generation = ++this.generation;
    const { launch, greeting, trace, log, start = startProcess } = this.options;
    let connection: Connection;
    let server: ServerInfo;
    try {
      const what = await launch();
      log.info(`Starting ${[what.command, ...what.args].join(" ")}`);
      connection = new Connection(start(what), log);
      server = await connection.initialize(what.command, greeting(), trace());
    } catch (error) {
      if (generation === this.generation) {
        // If a restarted sidecar exits during its start, that is another crash.
        const isCrash = error instanceof StartError && this.state.kind === "restarting";
        isCrash ? this.crashed(error.detail) : this.fail(messageOf(error));
      }
      return;
    }
    if (generation !== this.generation) {
      await connection.close();
      return;
    }
    log.info(`${server.name} ${server.version} runs as process ${server.pid}`);
    this.connection = connection;
    let unusable = "";
    void connection.ended.then((how) => generation === this.generation && this.crashed(unusable || how));
    for (const participant of this.participants) {
      participant(connection).catch((error) => {
        unusable = messageOf(error);
        log.error(`The sidecar cannot be used: ${unusable}`);
        void connection.close();
      });
    }
    this.change({ kind: "running", server });
  }

  private crashed(detail: string): void {
    this.detach();
    const { delays = defaultDelays, log } = this.options;
    this.crashes = [...this.crashes.filter((at) => at > Date.now() - restartPeriod), Date.now()];
    const times = this.crashes.length;
    const delay = delays[times - 1];
    if (delay === undefined) {
      this.fail(
        l10n.t(
          "The Followup sidecar ended unexpectedly {0} times in a short time and was not restarted ({1}). Open questions are kept, and appear again when you retry.",
          times,
          detail,
        ),
      );
      return;
    }
    log.warn(`The sidecar ended unexpectedly (${detail}); starting it again in ${delay} ms`);
    this.change({ kind: "restarting" });
    this.timer = setTimeout(() => void this.launch(), delay);
  }

  private fail(problem: string): void {
    this.options.log.error(problem);
    this.change({ kind: "failed", problem });
  }

  private change(state: SidecarState): void {
    this.state = state;
    this.resender.use(this.connection ?? this.unavailable());
    this.states.fire(state);
  }

  private unavailable(): FollowupError | undefined {
    const { kind } = this.state;
    const problem = kind === "failed" ? this.state.problem : "Followup has been stopped.";
    return kind === "failed" || kind === "stopped" ? new FollowupError("unavailable", problem) : undefined;
  }
}
