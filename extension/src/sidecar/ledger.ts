// The sessions that are open and the questions that nobody has answered yet: what a new sidecar process has to be told.

import { type CancellationToken, CancellationTokenSource, ResponseError } from "vscode-jsonrpc";
import {
  type Answer,
  CodeCancelled,
  CodeUnknown,
  type InboxItem,
  type Payload,
  questionAsk,
  questionAwait,
  questionWithdraw,
  type SessionOpenParams,
  sessionClose,
  sessionOpen,
} from "../protocol.gen";
import type { Connection } from "./connection";
import { ConnectionLostError, FollowupError, FollowupWithdrawnError, messageOf } from "./errors";
import type { Log } from "./log";
import type { Sidecar } from "./sidecar";

/** What can be asked of a sidecar that forgot a question. */
export interface Call {
  session: string;
  tool: string;
  input: unknown;
  /** In milliseconds; see AskOptions. */
  deadline?: number;
}

/** What a new process is told of a question that only the old one knew. */
interface Known {
  /** What to ask again; absent while only the id is known. */
  call?: Call;
  /** What to answer where it cannot be asked again. */
  fallback?: Answer;
}

/** A question that has no answer yet. */
interface OpenQuestion extends Known {
  readonly id: string;
  /** Where the sidecar put it among all questions; absent until it told so. */
  order?: number;
  readonly answer: Promise<Answer>;
  resolve(answer: Answer): void;
  reject(error: Error): void;
  /** How the last process that was asked was asked. */
  sent?: "ask" | "await";
  readonly cancel: CancellationTokenSource;
}

/** Keeps promises of answers over the ends of processes. */
export class Ledger {
  /** The options of the open sessions as they stand after every open, by the sessions' ids. */
  private readonly sessions = new Map<string, SessionOpenParams>();
  private readonly questions = new Map<string, OpenQuestion>();

  constructor(
    private readonly sidecar: Sidecar,
    private readonly log: Log,
  ) {
    sidecar.addParticipant((connection) => this.replay(connection));
  }

  /** Opens a session, or updates the one that is open. Gives its id, which is the same in every process. */
  async open(options: SessionOpenParams): Promise<string> {
    const { session } = await this.sidecar.request(sessionOpen, options);
    this.sessions.set(session, { ...this.sessions.get(session), ...options });
    return session;
  }

  /** Closes a session; the answers of its open questions are rejected as withdrawn. */
  async close(session: string): Promise<void> {
    this.sessions.delete(session);
    for (const question of this.questions.values()) {
      if (question.call?.session === session) {
        this.drop(question);
      }
    }
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
  ask(id: string, call: Call, token?: CancellationToken): Promise<Answer> {
    const question = this.begin(id, "ask", { call });
    const listener = token?.onCancellationRequested(() => {
      if (question.sent === "ask" && this.sidecar.connection) {
        question.cancel.cancel();
      } else {
        this.withdraw(id).catch((error) => this.warn(id, error));
      }
    });
    const done = () => listener?.dispose();
    question.answer.then(done, done);
    return question.answer;
  }

  /** Waits for a question that was asked before. */
  await(id: string, known: Known = {}): Promise<Answer> {
    return this.begin(id, "await", known).answer;
  }

  /** Takes a question back; its answer is rejected as withdrawn. Does nothing to one that is answered. */
  async withdraw(id: string): Promise<void> {
    const question = this.questions.get(id);
    // Should the process end now, the question is not asked again.
    question?.cancel.cancel();
    const told = this.tellWithdrawn(id);
    if (question && !this.sidecar.connection) {
      // The next process may know it from the store.
      told.catch((error) => this.warn(id, error));
      this.drop(question);
    } else {
      await told;
    }
  }

  /** Takes note of what the sidecar tells of a question: its place, and what to ask again if only its id was known. */
  note(item: InboxItem): void {
    const question = this.questions.get(item.questionId);
    if (question) {
      question.order = item.order;
      question.call ??= item.state === "streaming" ? undefined : callOf(item);
    }
  }

  /** The ids of the questions that are waited for. */
  ids(): string[] {
    return [...this.questions.keys()];
  }

  private begin(id: string, method: "ask" | "await", { call, fallback }: Known): OpenQuestion {
    const question = this.questions.get(id) ?? this.add(id);
    question.call ??= call;
    question.fallback ??= fallback;
    // What was shown before may be shown again after a restart; what no process has seen cannot be waited for when none is coming.
    const unsent = () => !question.sent && this.questions.get(id) === question;
    this.sidecar.connected().then(
      (connection) => unsent() && this.send(question, method, connection),
      (error: Error) => unsent() && this.settle(question, () => question.reject(error)),
    );
    return question;
  }

  private add(id: string): OpenQuestion {
    let resolve: (answer: Answer) => void = () => {};
    let reject: (error: Error) => void = () => {};
    const answer = new Promise<Answer>((res, rej) => {
      resolve = res;
      reject = rej;
    });
    // Nobody has to look at an answer.
    answer.catch(() => {});
    const question = { id, answer, resolve, reject, cancel: new CancellationTokenSource() };
    this.questions.set(id, question);
    return question;
  }

  private send(question: OpenQuestion, method: "ask" | "await", to: Connection, again = false): void {
    question.sent = method;
    const { id: questionId, call, cancel } = question;
    const reply =
      method === "ask" && call
        ? to.request(questionAsk, { ...call, questionId }, cancel.token)
        : to.request(questionAwait, { questionId });
    reply.then(
      (answer) => this.settle(question, () => question.resolve(answer)),
      (error: unknown) => {
        if (error instanceof ConnectionLostError) {
          return; // the next process is told by the replay
        }
        const options = method === "ask" && call && this.sessions.get(call.session);
        if (options && isUnknown(error) && !again) {
          // A session in which nothing went on is only in the store, which may have been lost, or emptied by the user.
          void this.reopen(to, call.session, options).then(() => {
            if (this.questions.get(questionId) === question) {
              this.send(question, method, to, true);
            }
          });
          return;
        }
        this.settle(question, () => question.reject(asError(questionId, error)));
      },
    );
  }

  private settle(question: OpenQuestion, how: () => void): void {
    if (this.questions.get(question.id) === question) {
      this.questions.delete(question.id);
      how();
    }
  }

  private drop(question: OpenQuestion): void {
    this.settle(question, () => question.reject(new FollowupWithdrawnError(question.id)));
  }

  private async tellWithdrawn(questionId: string): Promise<void> {
    try {
      await this.sidecar.request(questionWithdraw, { questionId });
    } catch (error) {
      if (!isUnknown(error)) {
        throw error;
      }
    }
  }

  private warn(id: string, error: unknown): void {
    this.log.warn(`Withdrawing the question ${id} failed: ${messageOf(error)}`);
  }

  /** Repeats every session and every unanswered question, in the order in which they were asked. */
  private async replay(connection: Connection): Promise<void> {
    await Promise.all([...this.sessions].map(([id, options]) => this.reopen(connection, id, options)));
    // One without an order was asked after those that have one.
    const place = ({ order = Number.MAX_SAFE_INTEGER }: OpenQuestion) => order;
    for (const question of [...this.questions.values()].sort((a, b) => place(a) - place(b))) {
      if (question.fallback) {
        const { fallback } = question;
        this.settle(question, () => question.resolve(fallback));
      } else if (question.cancel.token.isCancellationRequested) {
        await this.withdraw(question.id);
      } else {
        this.send(question, question.call ? "ask" : "await", connection);
      }
    }
  }

  private async reopen(connection: Connection, id: string, options: SessionOpenParams): Promise<void> {
    try {
      await connection.request(sessionOpen, options);
    } catch (error) {
      // Its questions are told so when they are asked again.
      this.log.error(`Opening the session ${id} again failed: ${messageOf(error)}`);
    }
  }
}

/** A call whose input says the same as what was read of a call in a stream. */
function inputOf(payload: Payload): unknown {
  if ("questions" in payload) {
    return payload;
  }
  return {
    question: payload.question,
    follow_up: payload.suggest.map(({ answer, mode }) =>
      mode === undefined ? { text: answer } : { text: answer, mode },
    ),
  };
}

/** What to ask again of a question that was read in a stream. */
export function callOf({ session, tool, payload }: Pick<InboxItem, "session" | "tool" | "payload">): Call {
  return { session, tool, input: inputOf(payload) };
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
