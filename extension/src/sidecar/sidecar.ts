// Keeps one sidecar running: starts it, shakes hands, starts it again after a crash. Lives as long as the extension.

import { type CancellationToken, Emitter } from "vscode-jsonrpc";
import type { Request, ServerInfo, Trace } from "../protocol.gen";
import { Connection, type Greeting } from "./connection";
import { FollowupError, messageOf, type Problem, ProblemError } from "./errors";
import type { Log } from "./log";
import { Resender } from "./resender";
import { RestartPolicy } from "./restart";
import { type Launch, startProcess, type Transport } from "./transport";

/** Where the sidecar stands. */
export type SidecarState =
  | { kind: "starting" }
  | { kind: "running"; server: ServerInfo }
  /** It crashed and is being started again. */
  | { kind: "restarting" }
  /** It cannot be used until the user does something. */
  | { kind: "failed"; problem: Problem }
  | { kind: "stopped" };

/** What a sidecar needs of its surroundings. */
export interface SidecarOptions {
  /** Tells what to run; may throw a ProblemError. Asked before every start. */
  launch(): Launch | Promise<Launch>;
  /** What is told in the handshake. Asked before every start. */
  greeting(): Greeting;
  /** How much of the traffic is logged. */
  trace(): Trace;
  /** A problem in words, for the errors that callers get. */
  describe(problem: Problem): string;
  log: Log;
  policy?: RestartPolicy;
  start?(launch: Launch): Transport;
}

/** Brings a new process up to date before anyone else uses it. */
export type Participant = (connection: Connection) => Promise<void>;

/** The sidecar, whichever process is running it at the moment. */
export class Sidecar {
  private readonly states = new Emitter<SidecarState>();
  private readonly policy: RestartPolicy;
  private readonly participants: Participant[] = [];
  /** What no process has answered; a new one is sent it behind the participants. */
  readonly resender = new Resender();
  private current: SidecarState = { kind: "stopped" };
  /** The process that runs, or is being brought up to date. */
  private process: Connection | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts the starts, so that one which was overtaken by a restart or a stop does nothing further. */
  private generation = 0;

  /** Tells every change of the state. */
  readonly onDidChangeState = this.states.event;

  constructor(private readonly options: SidecarOptions) {
    this.policy = options.policy ?? new RestartPolicy();
  }

  /** Where the sidecar stands now. */
  get state(): SidecarState {
    return this.current;
  }

  /** Adds what is done with every new process, in the order of adding, before anyone else uses it. */
  addParticipant(participant: Participant): void {
    this.participants.push(participant);
  }

  /** Starts the sidecar. Failures are told by the state. */
  start(): void {
    if (this.current.kind === "stopped" || this.current.kind === "failed") {
      this.change({ kind: "starting" });
      void this.launch();
    }
  }

  /** Ends the sidecar if it runs, and starts it as if for the first time. */
  async restart(): Promise<void> {
    this.policy.forgive();
    const old = this.detach();
    this.change({ kind: "starting" });
    const generation = this.generation;
    await old?.close();
    if (generation === this.generation) {
      await this.launch();
    }
  }

  /** Ends the sidecar for good. */
  async stop(): Promise<void> {
    const old = this.detach();
    this.change({ kind: "stopped" });
    await old?.close();
  }

  /** The process that runs now, if one does and is up to date. */
  get connection(): Connection | undefined {
    return this.current.kind === "running" ? this.process : undefined;
  }

  /**
   * Waits for a process that is up to date.
   *
   * @throws FollowupError unavailable when there is none and none is coming
   */
  async connected(): Promise<Connection> {
    while (!this.connection) {
      const unavailable = this.unavailable();
      if (unavailable) {
        throw unavailable;
      }
      await new Promise<void>((resolve) => {
        const listener = this.onDidChangeState(() => {
          listener.dispose();
          resolve();
        });
      });
    }
    return this.connection;
  }

  /**
   * Sends a request that may safely be sent twice: when the process ends before the answer, the next one is asked.
   *
   * @param lasting keeps a request that was sent pending while no process is coming
   * @throws ResponseError, FollowupError unavailable
   */
  request<P, R>(
    type: Request<P, R>,
    params: P | (() => P),
    token?: CancellationToken,
    lasting?: boolean,
  ): Promise<R> {
    return this.resender.request(type, params, token, lasting);
  }

  private detach(): Connection | undefined {
    this.generation += 1;
    clearTimeout(this.timer);
    const old = this.process;
    this.process = undefined;
    return old;
  }

  private async launch(): Promise<void> {
    const generation = ++this.generation;
    let connection: Connection | undefined;
    try {
      connection = await this.open();
      if (generation !== this.generation) {
        await connection.close();
        return;
      }
      this.process = connection;
      this.watch(connection, generation);
      for (const participant of this.participants) {
        await participant(connection);
      }
    } catch (error) {
      if (generation === this.generation) {
        this.failedToOpen(error, connection);
      }
      return;
    }
    if (generation === this.generation && !connection.lost) {
      this.change({ kind: "running", server: connection.server });
    }
  }

  private async open(): Promise<Connection> {
    const { launch, greeting, trace, log, start = startProcess } = this.options;
    const what = await launch();
    log.info(`Starting ${[what.command, ...what.args].join(" ")}`);
    const connection = await Connection.open(start(what), what.command, greeting(), trace(), log);
    const { name, version, pid } = connection.server;
    log.info(`${name} ${version} runs as process ${pid}`);
    return connection;
  }

  private watch(connection: Connection, generation: number): void {
    void connection.ended.then((detail) => {
      if (generation === this.generation) {
        this.crashed(detail);
      }
    });
  }

  private failedToOpen(error: unknown, connection: Connection | undefined): void {
    if (connection) {
      // Its end is being watched already; what it did not answer is asked again then.
      this.options.log.error(`Bringing the sidecar up to date failed: ${messageOf(error)}`);
      if (!connection.lost) {
        void connection.close();
      }
      return;
    }
    const problem: Problem =
      error instanceof ProblemError ? error.problem : { kind: "start", path: "", detail: messageOf(error) };
    // A sidecar that ran before may end while it starts again; that is one more crash.
    if (problem.kind === "start" && this.current.kind === "restarting") {
      this.crashed(problem.detail);
      return;
    }
    this.fail(problem);
  }

  private crashed(detail: string): void {
    this.detach();
    const delay = this.policy.crashed();
    if (delay === undefined) {
      this.fail({ kind: "crashed", times: this.policy.count + 1, detail });
      return;
    }
    this.options.log.warn(`The sidecar ended unexpectedly (${detail}); starting it again in ${delay} ms`);
    this.change({ kind: "restarting" });
    this.timer = setTimeout(() => void this.launch(), delay);
  }

  private fail(problem: Problem): void {
    this.options.log.error(this.options.describe(problem));
    this.change({ kind: "failed", problem });
  }

  private change(state: SidecarState): void {
    this.current = state;
    if (state.kind === "running" && this.process) {
      this.resender.connected(this.process);
    } else {
      this.resender.disconnected(this.unavailable());
    }
    this.states.fire(state);
  }

  /** Why no process is coming; undefined while one runs or is starting. */
  private unavailable(): FollowupError | undefined {
    switch (this.current.kind) {
      case "failed":
        return new FollowupError("unavailable", this.options.describe(this.current.problem));
      case "stopped":
        return new FollowupError("unavailable", "Followup has been stopped.");
      default:
        return undefined;
    }
  }
}
