// The API that the extension exports to other extensions: what `activate` returns.

import { randomUUID } from "node:crypto";
import type { CancellationToken, Event, Uri } from "vscode";
import type { Answer, SessionOpenParams, SessionState, StreamCall, StreamEndResult } from "../protocol.gen";

export type { FollowupErrorCode } from "../sidecar/errors";

/**
 * The API for an extension that is an agent itself:
 *
 * ```ts
 * const followup = await vscode.extensions.getExtension<FollowupApi>("followup.followup")!.activate();
 * const session = await followup.openSession({ agent: "My agent", key: conversationId });
 * const answer = await session.ask("ask_followup_question", { question: "Which port?", follow_up: [{ text: "8080" }] });
 * ```
 *
 * Errors have a `code` (see FollowupErrorCode): `withdrawn`, `unavailable` (the sidecar does not run; the message says why),
 * `refused` (the value is not accepted, or cannot be saved; the message says why), `unknown` (no such id), `closed` (the session
 * or stream has ended), `internal`.
 */
export interface FollowupApi {
  /** The version of this API. Every breaking change increments it. */
  readonly apiVersion: 1;

  /** Opens a session, or updates the one with the same agent and key. Throws `unavailable`. */
  openSession(options: SessionOptions): Promise<FollowupSession>;
}

/** Identifies a session by (agent, key). */
export interface SessionOptions extends Omit<SessionOpenParams, "workspaceFolders" | "bound"> {
  /** The folders of the conversation; vscode.workspace.workspaceFolders by default. */
  workspaceFolders?: readonly { readonly uri: string | Uri; readonly name: string }[];
}

/** An open session. It survives crashes of the sidecar: promises stay pending, and the next process settles them. */
export interface FollowupSession {
  /** The session's id, which depends only on the agent and the key. */
  readonly id: string;

  /**
   * Asks a question with a complete call and waits for the answer. If the call is invalid, the outcome is `invalid`, and the
   * text is the error for the agent.
   *
   * @param tool the tool's name, such as ask_followup_question
   * @param input the call's arguments as the model wrote them: an object, or a string with JSON
   * @throws withdrawn, if the token is cancelled or the session is closed; unavailable
   */
  ask(tool: string, input: unknown, options?: AskOptions): Promise<Answer>;

  /**
   * Waits for a question asked earlier. Cancelling the token only stops waiting (vscode.CancellationError).
   *
   * @throws withdrawn, unknown
   */
  await(questionId: string, token?: CancellationToken): Promise<Answer>;

  /** Withdraws a question. An existing outcome does not change. */
  withdraw(questionId: string): Promise<void>;

  /** Starts a message of the agent that arrives in pieces. */
  stream(): FollowupStream;

  /** Returns the mistake count and the conversation in order. */
  get(): Promise<SessionState>;

  /** Withdraws the open questions and ends the session. */
  close(): Promise<void>;
}

/** Options of one question. */
export interface AskOptions {
  /** The id to await the question by later, a UUID; a new one of version 7 by default. */
  questionId?: string;
  /** The id was made for this call. Otherwise, while the store cannot be read, the question waits until it can be looked up. */
  isNew?: boolean;
  /** Cancelling it withdraws the question. */
  token?: CancellationToken;
  /**
   * Milliseconds until the promise resolves with the outcome `waiting` if there is no answer. The question stays open; `await` with
   * its id returns the answer later. If absent, there is no deadline.
   */
  deadline?: number;
}

/** A message that arrives in pieces. Its questions appear while they arrive and can be answered before it ends. */
export interface FollowupStream {
  /** The stream's id, a UUID of version 7. */
  readonly id: string;

  /** Appends a piece of the assistant's text. It may end anywhere, even inside a character. */
  append(text: string | Uint8Array): void;

  /** Appends a fragment of a native tool call's JSON arguments. It may end anywhere. */
  appendToolInput(callId: string, tool: string, fragment: string | Uint8Array): void;

  /** Fires with text outside calls, in order. When `end` settles, it has fired for all of it. */
  readonly onDidPassText: Event<string>;

  /**
   * Ends the message and returns its calls. It never waits for the user, and survives a crash of the sidecar. If it rejects, it can
   * be called again: it then returns the same calls with the same answers.
   *
   * @throws unavailable, if no sidecar runs or will be started; refused, if the storage cannot be read; closed, if the stream or its
   * session has ended
   */
  end(): Promise<StreamResult>;

  /** Aborts the message: withdraws its open call and its unanswered questions. */
  abort(): Promise<void>;
}

/** The calls of a message. */
export interface StreamResult extends Omit<StreamEndResult, "calls"> {
  /** The calls, in order. */
  calls: AnsweredStreamCall[];
}

/** A call and the promise of its answer. If nobody handles its rejection, nothing is reported. */
export interface AnsweredStreamCall extends StreamCall {
  /** Rejects with `withdrawn` if the question is withdrawn. */
  readonly answer: Promise<Answer>;
}

/** Returns the options for the sidecar, without undefined ones. */
export function openParams({ workspaceFolders, ...options }: SessionOptions): SessionOpenParams {
  const folders = workspaceFolders?.map(({ uri, name }) => ({ uri: uri.toString(), name }));
  return JSON.parse(JSON.stringify({ ...options, workspaceFolders: folders }));
}

/** Returns a new id for a question or a stream: a UUID of version 7 (RFC 9562, section 5.7), which sorts by its time. */
export function uuidv7(now: number = Date.now()): string {
  const time = now.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
