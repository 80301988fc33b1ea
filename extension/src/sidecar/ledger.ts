// The open sessions, which every new sidecar process opens again, and the questions that are waited for.

import { type CancellationToken, ResponseError } from "vscode-jsonrpc";
import {
  type Answer,
  type AskParams,
  CodeCancelled,
  CodeUnknown,
  questionAsk,
  questionAwait,
  questionWithdraw,
  type SessionOpenParams,
  sessionClose,
  sessionOpen,
} from "../protocol.gen";
import { FollowupError, FollowupWithdrawnError, messageOf } from "./errors";
import type { Log } from "./log";
import type { Sidecar } from "./sidecar";

/** Opens sessions, asks and waits. Promises of answers outlive the sidecar's processes. */
export class Ledger {
  /** The options of each open session after all its openings, by its id. */
  private readonly sessions = new Map<string, SessionOpenParams>();
  private readonly waits = new Set<{ readonly id: string }>();

  constructor(
    private readonly sidecar: Sidecar,
    log: Log,
  ) {
    sidecar.addParticipant(async (connection) => {
      const reopen = ([id, options]: [string, SessionOpenParams]) =>
        connection.request(sessionOpen, options).catch((error) => {
          // Its questions get the error when they are asked again.
          log.error(`Opening the session ${id} again failed: ${messageOf(error)}`);
        });
      await Promise.all([...this.sessions].map(reopen));
    });
  }

  /** Opens a session, or updates an open one. Returns its id, which is the same in every process. */
  async open(options: SessionOpenParams): Promise<string> {
    const { session } = await this.sidecar.request(sessionOpen, options);
    this.sessions.set(session, { ...this.sessions.get(session), ...options });
    return session;
  }

  /** Closes a session, which withdraws its open questions. */
  async close(session: string): Promise<void> {
    this.sessions.delete(session);
    try {
      await this.sidecar.request(sessionClose, { session });
    } catch (error) {
      // A sidecar that does not run or does not know the session has nothing to close.
      if (!(isUnknown(error) || error instanceof FollowupError)) {
        throw error;
      }
    }
  }

  /** Asks a question, or waits for the one with that id. A cancelled token withdraws it. */
  ask(params: AskParams, token?: CancellationToken): Promise<Answer> {
    const ask = () => this.sidecar.request(questionAsk, params, token, true);
    return this.wait(params.questionId, async () => {
      try {
        return await ask();
      } catch (error) {
        const options = this.sessions.get(params.session);
        if (!(options && isUnknown(error))) {
          throw error;
        }
        // An idle session is only in the store, which the user may have emptied.
        await this.sidecar.request(sessionOpen, options);
        return ask();
      }
    });
  }

  /** Waits for a question that was asked before. */
  await(questionId: string): Promise<Answer> {
    return this.wait(questionId, () => this.sidecar.request(questionAwait, { questionId }, undefined, true));
  }

  /** Takes a question back, so that its answer is rejected as withdrawn. Does nothing to an answered one. */
  async withdraw(questionId: string): Promise<void> {
    try {
      await this.sidecar.request(questionWithdraw, { questionId });
    } catch (error) {
      if (!isUnknown(error)) {
        throw error;
      }
    }
  }

  /** The ids of the questions that are waited for. */
  ids(): string[] {
    return [...new Set([...this.waits].map(({ id }) => id))];
  }

  private async wait(id: string, answer: () => Promise<Answer>): Promise<Answer> {
    const wait = { id };
    this.waits.add(wait);
    try {
      return await answer();
    } catch (error) {
      throw asError(id, error);
    } finally {
      this.waits.delete(wait);
    }
  }
}

function isUnknown(error: unknown): boolean {
  return error instanceof ResponseError && error.code === CodeUnknown;
}

function asError(questionId: string, error: unknown): Error {
  if (!(error instanceof ResponseError)) {
    return error instanceof Error ? error : new FollowupError("internal", String(error));
  }
  switch (error.code) {
    case CodeCancelled:
      return new FollowupWithdrawnError(questionId);
    case CodeUnknown:
      return new FollowupError("unknown", error.message);
    default:
      return new FollowupError("internal", error.message);
  }
}
