// Manages the sessions and streams of agents.

import { CancellationError, type CancellationToken } from "vscode";
import { ResponseError } from "vscode-jsonrpc";
import * as protocol from "../protocol.gen";
import { counts } from "../settings";
import { asFollowupError, FollowupError, unless } from "../sidecar/errors";
import type { Sidecar } from "../sidecar/sidecar";
import * as api from "./api";
import { Stream } from "./stream";

/** The exported API. Promises of answers survive the end of a sidecar process. */
export class Agents implements api.FollowupApi {
  readonly apiVersion = 1;
  /** The options of each open session, by its id, which is the same in every process. */
  readonly sessions = new Map<string, protocol.SessionOpenParams>();
  readonly streams = new Map<string, Stream>();

  constructor(readonly sidecar: Sidecar) {
    sidecar.addParticipant(async (connection) => {
      connection.on(protocol.streamDidPassText, ({ streamId, offset, text }) =>
        this.streams.get(streamId)?.pass(offset, text),
      );
      for (const options of this.sessions.values()) {
        connection.request(protocol.sessionOpen, options).catch(() => {}); // its questions get the error
      }
    });
  }

  async openSession(options: api.SessionOptions): Promise<api.FollowupSession> {
    // An agent's own limits replace the user's.
    const params = api.openParams({ ...options, limits: { ...counts(), ...options.limits } });
    const { session } = await this.sidecar.request(protocol.sessionOpen, params);
    this.sessions.set(session, { ...this.sessions.get(session), ...params });
    return new Session(session, this);
  }
}

class Session implements api.FollowupSession {
  private closed = false;

  constructor(
    readonly id: string,
    private readonly agents: Agents,
  ) {}

  ask(tool: string, input: unknown, options: api.AskOptions = {}): Promise<protocol.Answer> {
    const { questionId = api.uuidv7(), isNew = !options.questionId, token, deadline } = options;
    return this.answer(questionId, async () => {
      // A value that JSON cannot represent fails here, for the caller.
      const json = JSON.parse(JSON.stringify(input) ?? "null");
      const params = { session: this.id, questionId, tool, input: json, deadline };
      const { resender } = this.agents.sidecar;
      const ask = (first: boolean) =>
        resender.request(protocol.questionAsk, { ...params, new: first || undefined }, token, questionId);
      return ask(isNew).catch(async (error) => {
        const opened = this.agents.sessions.get(this.id);
        if (!(error instanceof ResponseError && error.code === protocol.CodeUnknown && opened)) {
          throw error;
        }
        // An idle session is only in the store, which the user may have emptied.
        await this.agents.sidecar.request(protocol.sessionOpen, opened);
        return ask(false);
      });
    });
  }

  await(questionId: string, token?: CancellationToken): Promise<protocol.Answer> {
    return this.answer(questionId, () => {
      const { resender } = this.agents.sidecar;
      const answer = resender.request(protocol.questionAwait, { questionId }, undefined, questionId);
      return token ? unlessCancelled(answer, token) : answer;
    });
  }

  async withdraw(questionId: string): Promise<void> {
    this.checkOpen();
    await this.agents.sidecar
      .request(protocol.questionWithdraw, { questionId })
      .then(() => {}, unless("unknown"));
  }

  stream(): api.FollowupStream {
    this.checkOpen();
    const stream = new Stream(this, this.agents.sidecar, ({ id }) => this.agents.streams.delete(id));
    this.agents.streams.set(stream.id, stream);
    return stream;
  }

  async get(): Promise<protocol.SessionState> {
    this.checkOpen();
    return this.agents.sidecar.request(protocol.sessionGet, { session: this.id });
  }

  async close(): Promise<void> {
    if (!this.closed) {
      this.closed = true;
      for (const stream of [...this.agents.streams.values()].filter(({ session }) => session === this)) {
        stream.stop();
      }
      this.agents.sessions.delete(this.id);
      // Without a sidecar, or if it does not know the session, there is nothing to close.
      const close = this.agents.sidecar.request(protocol.sessionClose, { session: this.id });
      await close.then(() => {}, unless("unknown")).catch(unless("unavailable"));
    }
  }

  private checkOpen(): void {
    if (this.closed) {
      throw new FollowupError("closed", `The session ${this.id} is closed.`);
    }
  }

  private answer(questionId: string, run: () => Promise<protocol.Answer>): Promise<protocol.Answer> {
    const begin = async () => {
      this.checkOpen();
      return run();
    };
    const promise = begin().catch((error) => {
      throw asFollowupError(error, questionId);
    });
    promise.catch(() => {});
    return promise;
  }
}

/** Rejects when the token is cancelled; the operation continues. */
function unlessCancelled<T>(promise: Promise<T>, token: CancellationToken): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const listener = token.onCancellationRequested(() => reject(new CancellationError()));
    promise.then(resolve, reject).finally(() => listener.dispose());
  });
}
