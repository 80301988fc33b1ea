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

/** An open session. */
export interface OpenSession {
  /** The session's id, the same in every process. */
  readonly id: string;
  /** The options as they stand after every open. */
  options: SessionOpenParams;
}

/** What can be asked of a sidecar that forgot a question. */
export interface Call {
  session: string;
  tool: string;
  input: unknown;
  /** In milliseconds; see AskOptions. */
  deadline?: number;
}

/** A question that has no answer yet. */
interface OpenQuestion {
  readonly id: string;
  /** What to ask again; absent while only the id is known. */
  call?: Call;
  /** Where the sidecar put it among all questions; absent until it told so. */
  order?: number;
  /** Where this side put it. */
  readonly sequence: number;
  readonly answer: Promise<Answer>;
  resolve(answer: Answer): void;
  reject(error: Error): void;
  /** The request that waits for the answer, if one is under way. */
  sent?: { method: "ask" | "await"; connection: Connection };
  readonly cancel: CancellationTokenSource;
  /** What to answer when the process that knew it is gone and it cannot be asked again. */
  fallback?: Answer;
}

/** Keeps promises of answers over the ends of processes. */
export class Ledger {
  private readonly sessions = new Map<string, OpenSession>();
  private readonly questions = new Map<string, OpenQuestion>();
  private sequence = 0;

  constructor(
    private readonly sidecar: Sidecar,
    private readonly log: Log,
  ) {
    sidecar.addParticipant((connection) => this.replay(connection));
    sidecar.onDidChangeState((state) => {
      if (state.kind === "failed" || state.kind === "stopped") {
        this.rejectUnsent();
      }
    });
  }

  /** Opens a session, or updates the one that is open. */
  async open(options: SessionOpenParams): Promise<OpenSession> {
    const known = [...this.sessions.values()].find((session) => isSame(session.options, options));
    const { session: id } = await this.sidecar.request(sessionOpen, options);
    const session = this.sessions.get(id) ?? { id, options };
    session.options = { ...(known ?? session).options, ...definedOnly(options) };
    this.sessions.set(id, session);
    return session;
  }

  /** Closes a session; the answers of its open questions are rejected as withdrawn. */
  async close(session: string): Promise<void> {
    this.sessions.delete(session);
    for (const question of [...this.questions.values()]) {
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
    const question = this.questions.get(id) ?? this.add(id);
    question.call ??= call;
    this.begin(question, "ask");
    this.onCancel(token, question.answer, () => void this.takeBack(question));
    return question.answer;
  }

  /** Waits for a question that was asked before. */
  await(id: string, known?: { call?: Call; fallback?: Answer }): Promise<Answer> {
    const question = this.questions.get(id) ?? this.add(id);
    question.call ??= known?.call;
    question.fallback ??= known?.fallback;
    this.begin(question, "await");
    return question.answer;
  }

  /** Takes a question back; its answer is rejected as withdrawn. Does nothing to one that is answered. */
  async withdraw(id: string): Promise<void> {
    const question = this.questions.get(id);
    if (question && !this.sidecar.connection) {
      this.drop(question);
      return;
    }
    // Should the process end now, the question is not asked again.
    question?.cancel.cancel();
    try {
      await this.sidecar.request(questionWithdraw, { questionId: id });
    } catch (error) {
      if (!isUnknown(error)) {
        throw error;
      }
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

  private add(id: string): OpenQuestion {
    let resolve: (answer: Answer) => void = () => {};
    let reject: (error: Error) => void = () => {};
    const answer = new Promise<Answer>((res, rej) => {
      resolve = res;
      reject = rej;
    });
    // Nobody has to look at an answer.
    answer.catch(() => {});
    const cancel = new CancellationTokenSource();
    const question: OpenQuestion = { id, sequence: this.sequence++, answer, resolve, reject, cancel };
    this.questions.set(id, question);
    return question;
  }

  private begin(question: OpenQuestion, method: "ask" | "await"): void {
    if (question.sent) {
      return;
    }
    const { kind } = this.sidecar.state;
    if (kind === "failed" || kind === "stopped") {
      this.rejectUnsent();
    } else {
      this.send(question, method);
    }
  }

  private send(question: OpenQuestion, method: "ask" | "await", to = this.sidecar.connection): void {
    if (!to) {
      // Whatever process comes next is told by the replay.
      return;
    }
    question.sent = { method, connection: to };
    const reply =
      method === "ask" && question.call
        ? to.request(questionAsk, { ...question.call, questionId: question.id }, question.cancel.token)
        : to.request(questionAwait, { questionId: question.id });
    reply.then(
      (answer) => this.settle(question, () => question.resolve(answer)),
      (error: unknown) => this.failed(question, error),
    );
  }

  private failed(question: OpenQuestion, error: unknown): void {
    if (error instanceof ConnectionLostError) {
      return;
    }
    this.settle(question, () => question.reject(asError(question.id, error)));
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

  private async takeBack(question: OpenQuestion): Promise<void> {
    const sent = question.sent;
    if (sent?.method === "ask" && !sent.connection.lost) {
      question.cancel.cancel();
      return;
    }
    try {
      await this.withdraw(question.id);
    } catch (error) {
      this.log.warn(`Withdrawing the question ${question.id} failed: ${messageOf(error)}`);
    }
  }

  private onCancel(token: CancellationToken | undefined, answer: Promise<Answer>, then: () => void): void {
    if (!token) {
      return;
    }
    if (token.isCancellationRequested) {
      then();
      return;
    }
    const listener = token.onCancellationRequested(then);
    const done = () => listener.dispose();
    answer.then(done, done);
  }

  /** What no process has seen cannot be waited for when none is coming; what was shown may be again after a restart. */
  private rejectUnsent(): void {
    for (const question of [...this.questions.values()]) {
      if (!question.sent) {
        this.sidecar.connected().catch((error: Error) => this.settle(question, () => question.reject(error)));
      }
    }
  }

  /** Repeats every session and every unanswered question, in the order in which they were asked. */
  private async replay(connection: Connection): Promise<void> {
    await Promise.all([...this.sessions.values()].map((session) => this.reopen(connection, session)));
    const inOrder = [...this.questions.values()].sort(byOrder);
    for (const question of inOrder) {
      if (question.fallback) {
        const { fallback } = question;
        this.settle(question, () => question.resolve(fallback));
      } else if (question.cancel.token.isCancellationRequested) {
        this.drop(question);
      } else {
        this.send(question, question.call ? "ask" : "await", connection);
      }
    }
  }

  private async reopen(connection: Connection, session: OpenSession): Promise<void> {
    try {
      await connection.request(sessionOpen, session.options);
    } catch (error) {
      // Its questions are told so when they are asked again.
      this.log.error(`Opening the session ${session.id} again failed: ${messageOf(error)}`);
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

function byOrder(a: OpenQuestion, b: OpenQuestion): number {
  // One without an order was asked after those that have one.
  return (
    (a.order ?? Number.MAX_SAFE_INTEGER) - (b.order ?? Number.MAX_SAFE_INTEGER) || a.sequence - b.sequence
  );
}

function isSame(a: SessionOpenParams, b: SessionOpenParams): boolean {
  return a.agent === b.agent && a.key === b.key;
}

function definedOnly<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
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
