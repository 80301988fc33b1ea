// One sidecar process and the JSON-RPC connection to it.

import { l10n } from "vscode";
import * as jsonrpc from "vscode-jsonrpc/node";
import * as protocol from "../protocol.gen";
import { messageOf, StartError } from "./errors";
import { type Log, pipeLog } from "./log";
import type { Transport } from "./transport";

/** The handshake, without the protocol's version and the trace. */
export type Greeting = Pick<protocol.InitializeParams, "processId" | "clientInfo"> & {
  initializationOptions: Omit<protocol.InitializationOptions, "protocolVersion">;
};

/** How long a sidecar may take to answer the handshake, in milliseconds: long enough for it to start on a slow machine. */
export const handshakeLimit = 30_000;

/** How long a sidecar may take to exit, in milliseconds. */
const grace = 2_000;

/** The maximum number of characters of a message that the trace shows. */
const traceLimit = 20_000;

export class Connection {
  readonly ended: Promise<string>;
  private readonly rpc: jsonrpc.MessageConnection;
  private readonly withLastWords: (detail: string) => string;
  private closing = false;

  constructor(
    private readonly transport: Transport,
    private readonly log: Log,
  ) {
    const { lastWords } = pipeLog(transport.stderr, log);
    this.withLastWords = (detail) => [detail, lastWords().split("\n", 1)[0]].filter(Boolean).join(": ");
    this.ended = transport.ended.then(this.withLastWords);
    const { stdin, stdout } = transport;
    const logger = {
      // A failed write means that the process has exited, which is reported separately.
      error: (message: string) => (message.startsWith("Sending ") ? log.debug(message) : log.error(message)),
      warn: (message: string) => log.warn(message),
      info: (message: string) => log.info(message),
      log: (message: string) => log.debug(message),
    };
    const cancellationStrategy: jsonrpc.CancellationStrategy = {
      ...jsonrpc.CancellationStrategy.Message,
      sender: { sendCancellation: (_, id) => this.notify(protocol.cancelRequest, { id }), cleanup: () => {} },
    };
    this.rpc = jsonrpc.createMessageConnection(
      new jsonrpc.StreamMessageReader(stdout),
      new jsonrpc.StreamMessageWriter(stdin),
      logger,
      { cancellationStrategy },
    );
    // A process with broken pipes is useless, even if it still runs.
    this.rpc.onClose(() => transport.kill());
    this.rpc.onError(([error]) => {
      log.debug(`JSON-RPC: ${error.message}`);
      transport.kill();
    });
    this.rpc.listen();
  }

  /**
   * Performs the handshake with a new process.
   *
   * @throws Error for the user; StartError if the process exits or fails before the end of the handshake
   */
  async initialize(path: string, greeting: Greeting, trace: protocol.Trace): Promise<protocol.ServerInfo> {
    const failed = (detail: string) => new StartError(path, this.withLastWords(detail));
    let theirs: number | undefined;
    let server: protocol.ServerInfo | undefined;
    try {
      await this.rpc.trace(jsonrpc.Trace.fromString(trace), this.tracer);
      ({ protocolVersion: theirs, serverInfo: server } = await Promise.race([
        this.request(protocol.initialize, {
          ...greeting,
          trace,
          initializationOptions: { ...greeting.initializationOptions, protocolVersion: protocol.Version },
        }),
        this.ended.then((how) => Promise.reject(new StartError(path, how))),
        // A process that runs but does not answer is another program, or a sidecar that hangs.
        new Promise<never>((_, reject) => {
          setTimeout(() => reject(failed(`no answer within ${handshakeLimit / 1000} s`)), handshakeLimit);
        }),
      ]));
    } catch (error) {
      if (!(error instanceof jsonrpc.ResponseError && error.code === protocol.CodeVersionMismatch)) {
        this.transport.kill();
        throw error instanceof jsonrpc.ResponseError ? failed(error.message) : error;
      }
      theirs = (error.data as protocol.VersionMismatch | undefined)?.protocolVersion;
    }
    if (theirs === protocol.Version && server) {
      await this.notify(protocol.initialized, {});
      return server;
    }
    this.transport.kill();
    throw new Error(
      l10n.t(
        "Followup speaks protocol version {0}, but the sidecar {1} speaks version {2}. Install matching versions, or change the setting followup.sidecar.path.",
        protocol.Version,
        path,
        theirs ?? l10n.t("unknown"),
      ),
    );
  }

  /**
   * Sends a request. A cancelled token cancels it. The promise stays pending if the process exits before it answers: only
   * the resender knows whether the next process gets the request.
   *
   * @throws ResponseError from the sidecar
   */
  request<P, R>(type: protocol.Request<P, R>, params: P, token?: jsonrpc.CancellationToken): Promise<R> {
    const sent = async () => this.rpc.sendRequest<R>(type.method, params, ...(token ? [token] : []));
    return new Promise((resolve, reject) => {
      sent().then(resolve, (error) => {
        const isAnswer =
          error instanceof jsonrpc.ResponseError && error.code !== jsonrpc.ErrorCodes.MessageWriteError;
        // An exiting process may reject the remaining requests, which counts as no answer.
        isAnswer && !this.closing && reject(error);
      });
    });
  }

  /** Sends a notification. Settles when it is written, or cannot be. */
  async notify<P>(type: protocol.Notification<P>, params: P): Promise<void> {
    try {
      await this.rpc.sendNotification(type.method, params);
    } catch (error) {
      this.log.debug(`${type.method} was not sent: ${messageOf(error)}`);
    }
  }

  /** Listens to a notification, with one listener for each. */
  on<P>(type: protocol.Notification<P>, listener: (params: P) => void): void {
    this.rpc.onNotification(type.method, listener);
  }

  /** Handles a request from the process. */
  answer<P, R>(type: protocol.Request<P, R>, handler: (params: P) => PromiseLike<R>): void {
    this.rpc.onRequest(type.method, async (params: P): Promise<unknown> => handler(params));
  }

  /** Closes the process's input, so that it exits cleanly. */
  endInput(): void {
    this.transport.stdin.end();
  }

  /** Sets how much of the messages is logged, here and in the sidecar. */
  async setTrace(trace: protocol.Trace): Promise<void> {
    await this.rpc.trace(jsonrpc.Trace.fromString(trace), this.tracer, true).catch(() => {});
  }

  /** Ends the process: cleanly if it still responds, otherwise by force after a grace period. */
  async close(): Promise<void> {
    this.closing = true;
    const force = setTimeout(() => this.transport.kill(), grace);
    const shutdown = async () => {
      await this.rpc.sendRequest(protocol.shutdown.method, {});
      await this.rpc.sendNotification(protocol.exit.method, {});
    };
    try {
      // A process that exits first never answers.
      await Promise.race([shutdown(), this.ended]);
    } catch (error) {
      this.log.debug(`The sidecar did not shut down cleanly: ${messageOf(error)}`);
      this.transport.kill();
    }
    await this.ended;
    clearTimeout(force);
  }

  private readonly tracer = {
    log: (message: unknown, data?: string): void => {
      const text = typeof message === "string" ? message : JSON.stringify(message);
      const secret = text.includes(`'${protocol.hubConnect.method} `); // it contains a token
      const whole = data && !secret ? `${text} ${data}` : text;
      this.log.debug(whole.length > traceLimit ? `${whole.slice(0, traceLimit)}… (${whole.length})` : whole);
    },
  };
}
