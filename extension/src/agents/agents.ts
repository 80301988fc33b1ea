// Gives agents their sessions and streams.

import { CancellationError, type CancellationToken } from "vscode";
import { type Answer, type Limits, type SessionState, sessionGet, streamDidPassText } from "../protocol.gen";
import { FollowupError } from "../sidecar/errors";
import type { Ledger } from "../sidecar/ledger";
import type { Sidecar } from "../sidecar/sidecar";
import {
  type AskOptions,
  type FollowupApi,
  type FollowupSession,
  type FollowupStream,
  openParams,
  type SessionOptions,
} from "./api";
import { Stream } from "./stream";
import { uuidv7 } from "./uuid";

/** The exported API. */
export class Agents implements FollowupApi {
  readonly apiVersion = 1;
  private readonly streams = new Map<string, Stream>();

  constructor(
    private readonly sidecar: Sidecar,
    private readonly ledger: Ledger,
    /** The user's own limits, which an agent's own replace. */
    private readonly limits: () => Limits,
  ) {
    sidecar.addParticipant(async (connection) => {
      connection.on(streamDidPassText, ({ streamId, offset, text }) =>
        this.streams.get(streamId)?.pass(offset, text),
      );
    });
  }

  async openSession(options: SessionOptions): Promise<FollowupSession> {
    return new Session(
      await this.ledger.open(openParams({ ...options, limits: { ...this.limits(), ...options.limits } })),
      this.sidecar,
      this.ledger,
      this.streams,
    );
  }
}

class Session implements FollowupSession {
  private closed = false;

  constructor(
    readonly id: string,
    private readonly sidecar: Sidecar,
    private readonly ledger: Ledger,
    private readonly streams: Map<string, Stream>,
  ) {}

  ask(tool: string, input: unknown, options: AskOptions = {}): Promise<Answer> {
    return quiet(async () => {
      this.checkOpen();
      const { questionId = uuidv7(), token, deadline } = options;
      return this.ledger.ask({ session: this.id, questionId, tool, input: asJson(input), deadline }, token);
    });
  }

  await(questionId: string, token?: CancellationToken): Promise<Answer> {
    return quiet(async () => {
      this.checkOpen();
      const answer = this.ledger.await(questionId);
      return token ? unlessCancelled(answer, token) : answer;
    });
  }

  async withdraw(questionId: string): Promise<void> {
    this.checkOpen();
    await this.ledger.withdraw(questionId);
  }

  stream(): FollowupStream {
    this.checkOpen();
    const stream = new Stream(this.id, this.sidecar, this.ledger, ({ id }) => this.streams.delete(id));
    this.streams.set(stream.id, stream);
    return stream;
  }

  async get(): Promise<SessionState> {
    this.checkOpen();
    return this.sidecar.request(sessionGet, { session: this.id });
  }

  async close(): Promise<void> {
    if (!this.closed) {
      this.closed = true;
      for (const stream of [...this.streams.values()]) {
        if (stream.session === this.id) {
          stream.stop();
        }
      }
      await this.ledger.close(this.id);
    }
  }

  private checkOpen(): void {
    if (this.closed) {
      throw new FollowupError("closed", `The session ${this.id} is closed.`);
    }
  }
}

/** The promise of an answer that nobody has to look at: its rejection is not reported as unhandled. */
function quiet<T>(run: () => Promise<T>): Promise<T> {
  const promise = run();
  promise.catch(() => {});
  return promise;
}

/** Fails here, in the caller's hands, where the input is something that JSON cannot hold. */
function asJson(input: unknown): unknown {
  return JSON.parse(JSON.stringify(input) ?? "null");
}

/** Ends the waiting, not what is waited for. */
function unlessCancelled<T>(promise: Promise<T>, token: CancellationToken): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const listener = token.onCancellationRequested(() => reject(new CancellationError()));
    promise.then(resolve, reject).finally(() => listener.dispose());
  });
}
