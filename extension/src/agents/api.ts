// The API that the extension exports to other extensions: what `activate` returns.

import { randomUUID } from "node:crypto";
import type { CancellationToken, Event, Uri } from "vscode";
import type { Answer, SessionOpenParams, SessionState, StreamCall, StreamEndResult } from "../protocol.gen";

export type { FollowupErrorCode } from "../sidecar/errors";

/**
 * Followup for an agent that is an extension of its own:
 *
 * ```ts
 * const followup = await vscode.extensions.getExtension<FollowupApi>("followup.followup")!.activate();
 * const session = await followup.openSession({ agent: "My agent", key: conversationId });
 * const answer = await session.ask("ask_followup_question", { question: "Which port?", follow_up: [{ text: "8080" }] });
 * ```
 *
 * Errors have a `code` (see FollowupErrorCode): `withdrawn`, `unavailable` (the sidecar does not run; the message says
 * why), `refused` (it cannot be taken, or not be kept; the message says why), `unknown` (no such id), `closed` (the session or
 * stream has ended), `internal`.
 */
export interface FollowupApi {
  /** Grows with every change that a caller written for an older one would misunderstand. */
  readonly apiVersion: 1;

  /** Opens a session, or updates the one of the same agent and key. Throws `unavailable`. */
  openSession(options: SessionOptions): Promise<FollowupSession>;
}

/** Identifies a session by (agent, key). */
export interface SessionOptions extends Omit<SessionOpenParams, "workspaceFolders" | "bound"> {
  /** The folders that the conversation is about, such as vscode.workspace.workspaceFolders; by default the editor's. */
  workspaceFolders?: readonly { readonly uri: string | Uri; readonly name: string }[];
}

/** An open session. It outlives crashes of the sidecar: promises stay pending and are kept by the next process. */
export interface FollowupSession {
  /** The same whenever the same agent opens the same key. */
  readonly id: string;

  /**
   * Asks a question by a whole call and waits for the answer. A call that cannot be read is an answer too: its outcome is
   * `invalid`, and its text explains the problem to the agent.
   *
   * @param tool the tool's name, such as ask_followup_question
   * @param input the call's arguments as the model wrote them: an object, or a string that holds one
   * @throws withdrawn, when the token is cancelled or the session closed; unavailable
   */
  ask(tool: string, input: unknown, options?: AskOptions): Promise<Answer>;

  /**
   * Waits for a question that was asked before. Cancelling the token ends the waiting only (vscode.CancellationError).
   *
   * @throws withdrawn, unknown
   */
  await(questionId: string, token?: CancellationToken): Promise<Answer>;

  /** Takes a question back. One that has an outcome keeps it. */
  withdraw(questionId: string): Promise<void>;

  /** Begins a message of the agent's that arrives in pieces. */
  stream(): FollowupStream;

  /** Returns the mistake count and the conversation in order. */
  get(): Promise<SessionState>;

  /** Withdraws the open questions and ends the session. */
  close(): Promise<void>;
}

/** Options of one question. */
export interface AskOptions {
  /** A UUID, by which the question can be waited for again; by default a new one of version 7. */
  questionId?: string;
  /** Cancelling it withdraws the question. */
  token?: CancellationToken;
  /**
   * After how many milliseconds the promise settles with the outcome `waiting` if there is no answer. The question stays open; `await`
   * with its id returns the answer later.
   */
  deadline?: number;
}

/** A message that arrives in pieces. Its questions are shown while they arrive and can be answered before it ends. */
export interface FollowupStream {
  /** A UUID of version 7. */
  readonly id: string;

  /** Adds a piece of the assistant's text. It may end anywhere, in the middle of a character too. */
  append(text: string | Uint8Array): void;

  /** Adds a fragment of a native tool call's JSON arguments. It may end anywhere. */
  appendToolInput(callId: string, tool: string, fragment: string | Uint8Array): void;

  /** Returns text outside calls, in order. All of it was returned when `end` settles. */
  readonly onDidPassText: Event<string>;

  /**
   * Ends the message and returns the calls found in it; never waits for the user. A crash of the sidecar
   * meanwhile changes nothing in that. If it rejects, it can be called again later: the calls are the same then, and so are the
   * answers that the user gave.
   *
   * @throws unavailable, when no sidecar runs and none is coming; refused, when the storage cannot be read; closed, when the
   * stream, or its session, has ended
   */
  end(): Promise<StreamResult>;

  /** Breaks the message off: withdraws its open call and its unanswered questions. */
  abort(): Promise<void>;
}

/** The calls of a message. */
export interface StreamResult extends Omit<StreamEndResult, "calls"> {
  /** The calls in their order. */
  calls: AnsweredStreamCall[];
}

/** A call and the promise of its answer. A rejection that nobody looks at is not reported. */
export interface AnsweredStreamCall extends StreamCall {
  /** Rejected as `withdrawn` when the question is withdrawn. */
  readonly answer: Promise<Answer>;
}

/** The options for the sidecar, without undefined ones. */
export function openParams({ workspaceFolders, ...options }: SessionOptions): SessionOpenParams {
  const folders = workspaceFolders?.map(({ uri, name }) => ({ uri: uri.toString(), name }));
  return JSON.parse(JSON.stringify({ ...options, workspaceFolders: folders }));
}

/** Makes an id of a question or a stream, a UUID of version 7 (RFC 9562, section 5.7): these sort by the time they were made. */
export function uuidv7(now: number = Date.now()): string {
  const time = now.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
