// One sidecar process and the JSON-RPC connection to it; it lives as long as that process.

import {
  type CancellationToken,
  createMessageConnection,
  type DataCallback,
  type Disposable,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
  Trace as TraceLevel,
} from "vscode-jsonrpc/node";
import {
  CodeVersionMismatch,
  exit,
  hubConnect,
  type InitializationOptions,
  type InitializeParams,
  type InitializeResult,
  initialize,
  initialized,
  type Notification,
  type Request,
  type ServerInfo,
  shutdown,
  type Trace,
  Version,
} from "../protocol.gen";
import { ConnectionLostError, messageOf, ProblemError } from "./errors";
import { type Log, pipeLog } from "./log";
import type { Transport } from "./transport";

/** What is told in the handshake besides the protocol's version and the trace. */
export type Greeting = Pick<InitializeParams, "processId" | "clientInfo"> & {
  initializationOptions: Omit<InitializationOptions, "protocolVersion">;
};

/** How long a sidecar may take to answer the handshake, in milliseconds: long enough for a slow machine to start it. */
export const handshakeLimit = 30_000;

/** How long a sidecar may take to end by itself, in milliseconds. */
const grace = 2_000;

/** The most characters of one message that the trace shows. */
const traceLimit = 20_000;

/** A connection whose handshake is done. */
export class Connection {
  /** Whether the process is gone. */
  lost = false;
  private closing = false;

  private constructor(
    private readonly rpc: MessageConnection,
    private readonly transport: Transport,
    private readonly log: Log,
    /** What the sidecar said of itself. */
    readonly server: ServerInfo,
    /** Settles when the process is gone; says how it ended. */
    readonly ended: Promise<string>,
  ) {
    void ended.then(() => {
      this.lost = true;
    });
  }

  /**
   * Shakes hands with a sidecar that was just started.
   *
   * @throws ProblemError when it speaks another version, or ends or fails before the handshake is done
   */
  static async open(
    transport: Transport,
    path: string,
    greeting: Greeting,
    trace: Trace,
    log: Log,
  ): Promise<Connection> {
    const { lastWords } = pipeLog(transport.stderr, log);
    const told = (detail: string) => [detail, lastWords().split("\n", 1)[0]].filter(Boolean).join(": ");
    const reader = new CountingReader(transport.stdout);
    const rpc = createMessageConnection(reader, new StreamMessageWriter(transport.stdin), rpcLogger(log), {
      messageStrategy: {
        handleMessage: (message, next) => {
          reader.handled();
          return next(message);
        },
      },
    });
    rpc.onClose(() => transport.kill());
    rpc.onError(([error]) => log.debug(`JSON-RPC: ${error.message}`));
    // What had arrived before the end is still handled: an answer may be among it.
    const ended = transport.ended.then(async (how) => {
      await reader.drained();
      rpc.dispose();
      return told(how);
    });
    rpc.listen();
    await rpc.trace(traceLevels[trace], tracer(log));
    const failed = (detail: string) => new ProblemError({ kind: "start", path, detail });
    const otherVersion = (theirs: number | null) =>
      new ProblemError({ kind: "version", ours: Version, theirs, path });
    let late: ReturnType<typeof setTimeout> | undefined;
    try {
      const result = await Promise.race([
        rpc.sendRequest<InitializeResult>(initialize.method, {
          ...greeting,
          trace,
          initializationOptions: { ...greeting.initializationOptions, protocolVersion: Version },
        }),
        ended.then((how) => Promise.reject(failed(how))),
        // Something that runs and does not answer is some other program, or a sidecar that hangs.
        new Promise<never>((_, reject) => {
          const limit = () => reject(failed(told(`no answer within ${handshakeLimit / 1000} s`)));
          late = setTimeout(limit, handshakeLimit);
        }),
      ]);
      if (result.protocolVersion !== Version) {
        throw otherVersion(result.protocolVersion);
      }
      await rpc.sendNotification(initialized.method, {});
      return new Connection(rpc, transport, log, result.serverInfo, ended);
    } catch (error) {
      transport.kill();
      if (error instanceof ProblemError) {
        throw error;
      }
      if (!(error instanceof ResponseError) || isTransportError(error)) {
        throw failed(await ended);
      }
      throw error.code === CodeVersionMismatch
        ? otherVersion((error.data as { protocolVersion?: number } | undefined)?.protocolVersion ?? null)
        : failed(told(error.message));
    } finally {
      clearTimeout(late);
    }
  }

  /**
   * Sends a request. A cancelled token cancels it.
   *
   * @throws ResponseError as the sidecar answered; ConnectionLostError when it ended before that
   */
  async request<P, R>(type: Request<P, R>, params: P, token?: CancellationToken): Promise<R> {
    try {
      return await (token
        ? this.rpc.sendRequest<R>(type.method, params, token)
        : this.rpc.sendRequest<R>(type.method, params));
    } catch (error) {
      // An ending process may refuse what still waits; that is as if it had not answered.
      if (error instanceof ResponseError && !isTransportError(error) && !this.closing) {
        throw error;
      }
      throw await this.loss();
    }
  }

  /**
   * Sends a notification; settles when it is written.
   *
   * @throws ConnectionLostError
   */
  async notify<P>(type: Notification<P>, params: P): Promise<void> {
    try {
      await this.rpc.sendNotification(type.method, params);
    } catch {
      throw await this.loss();
    }
  }

  /** Listens to a notification of the sidecar's. There is one listener for each. */
  on<P>(type: Notification<P>, listener: (params: P) => void): void {
    this.rpc.onNotification(type.method, listener);
  }

  /** Sets how much of the traffic is logged, here and in the sidecar. */
  async setTrace(trace: Trace): Promise<void> {
    if (!this.lost) {
      await this.rpc.trace(traceLevels[trace], tracer(this.log), true);
    }
  }

  /** Ends the process: in order if it still listens, by force after a grace period. */
  async close(): Promise<void> {
    this.closing = true;
    const force = setTimeout(() => this.transport.kill(), grace);
    try {
      await this.rpc.sendRequest(shutdown.method, {});
      await this.rpc.sendNotification(exit.method, {});
    } catch (error) {
      this.log.debug(`The sidecar did not take the shutdown: ${messageOf(error)}`);
      this.transport.kill();
    }
    await this.ended;
    clearTimeout(force);
  }

  /** A process whose pipes are broken is of no use any more, should it still run. */
  private async loss(): Promise<ConnectionLostError> {
    if (!this.closing) {
      this.transport.kill();
    }
    return new ConnectionLostError(await this.ended);
  }
}

/** How many turns of the event loop a message takes, at most, from the pipe's end to its handler: reading, queueing. */
const turnsPerMessage = 4;

/** Knows when everything that was read has been handled. */
class CountingReader extends StreamMessageReader {
  private messages = 0;
  private waiting = 0;

  override listen(callback: DataCallback): Disposable {
    return super.listen((message) => {
      this.messages += 1;
      this.waiting += 1;
      callback(message);
    });
  }

  handled(): void {
    this.waiting -= 1;
  }

  /** Settles when the pipe has ended and no message is on its way any more; called after the pipe's end. */
  async drained(): Promise<void> {
    for (let quiet = 0; quiet < turnsPerMessage; quiet++) {
      const before = this.messages;
      await new Promise((resolve) => setImmediate(resolve));
      if (this.waiting > 0 || this.messages > before) {
        quiet = 0;
      }
    }
  }
}

const traceLevels: Readonly<Record<Trace, TraceLevel>> = {
  off: TraceLevel.Off,
  messages: TraceLevel.Messages,
  verbose: TraceLevel.Verbose,
};

function tracer(log: Log): { log(message: unknown, data?: string): void } {
  return {
    log: (message, data) => {
      const text = typeof message === "string" ? message : JSON.stringify(message);
      const secret = text.includes(`'${hubConnect.method} `); // it holds a token
      const whole = data && !secret ? `${text} ${data}` : text;
      log.debug(whole.length > traceLimit ? `${whole.slice(0, traceLimit)}… (${whole.length})` : whole);
    },
  };
}

function rpcLogger(log: Log) {
  return {
    // A failed write means that the process is gone; that is told when it has ended.
    error: (message: string) => (message.startsWith("Sending ") ? log.debug(message) : log.error(message)),
    warn: (message: string) => log.warn(message),
    info: (message: string) => log.info(message),
    log: (message: string) => log.debug(message),
  };
}

// vscode-jsonrpc answers what was under way itself when it is disposed of or a write fails: the range −32099…−32096.
function isTransportError(error: ResponseError<unknown>): boolean {
  return error.code >= -32_099 && error.code <= -32_096;
}
