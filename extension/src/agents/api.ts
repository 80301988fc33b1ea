// The API that the extension exports to other extensions: what `activate` returns.

import type { CancellationToken, Event, Uri } from "vscode";
import type {
  Answer,
  HiddenCalls,
  Limits,
  ResultTag,
  SessionOpenParams,
  SessionState,
  StreamCall,
} from "../protocol.gen";

export type {
  Annotation,
  Answer,
  CallError,
  CallStatus,
  ConversationItem,
  Followup,
  HiddenCalls,
  Image,
  ItemOutcome,
  ItemState,
  Limits,
  Location,
  Option,
  Outcome,
  Payload,
  Provenance,
  Question,
  Questionnaire,
  ResultTag,
  SessionState,
  StreamCall,
  Structured,
  Suggestion,
  WorkspaceFolder,
} from "../protocol.gen";
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

  /**
   * Opens a session: one conversation with one agent. The same agent and key give the same session; what the options
   * name is updated then.
   *
   * @throws unavailable
   */
  openSession(options: SessionOptions): Promise<FollowupSession>;
}

/** Identifies a session by (agent, key). */
export interface SessionOptions {
  /** The agent's name as the user knows it; not blank. */
  agent: string;
  /** Tells this agent's conversations apart; not blank. */
  key: string;
  /** The folders that the conversation is about, such as vscode.workspace.workspaceFolders; by default the editor's. */
  workspaceFolders?: readonly { readonly uri: string | Uri; readonly name: string }[];
  /** The language of what the agent is told, a BCP 47 tag; by default the editor's. */
  locale?: string;
  /** The element around the user's words; by default answer. */
  resultTag?: ResultTag;
  /** Turns off repairs: a call that is not well-formed is invalid. */
  strict?: boolean;
  /** The number of consecutive invalid calls at which the user is asked for guidance; 0: never; by default 3. */
  mistakeLimit?: number;
  /** Names of further elements in which no call can begin. */
  opaqueTags?: readonly string[];
  /** Bounds on what is read. */
  limits?: Limits;
}

/** An open session. It outlives crashes of the sidecar: promises stay pending and are kept by the next process. */
export interface FollowupSession {
  /** The same whenever the same agent opens the same key. */
  readonly id: string;

  /**
   * Asks a question by a whole call and waits for the answer. A call that cannot be read is an answer too: its outcome is
   * `invalid`, and its text tells the agent why.
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

  /** Tells the mistake count and the conversation in order. */
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
   * After how many milliseconds the promise settles with the outcome `waiting` if there is no answer by then. The question stays
   * open; `await` with its id gives the answer when there is one.
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

  /** Hands back text that stood outside calls, in order. All of it was handed back when `end` settles. */
  readonly onDidPassText: Event<string>;

  /**
   * Ends the message and tells the calls that were found in it; never waits for the user. A crash of the sidecar
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

/** What was found in a message. */
export interface StreamResult {
  /** The calls in their order. */
  calls: AnsweredStreamCall[];
  /** The session's count of invalid calls since the last valid one. */
  consecutiveMistakes: number;
  /**
   * How many whole calls stood where none is run, by what they stood in: tell the agent that nothing was asked by them.
   * Absent when there were none.
   */
  hidden?: HiddenCalls;
  /**
   * The message made the sidecar crash again and again, and was not read to its end: there may be more calls in it, of which
   * nothing is known. Absent otherwise.
   */
  truncated?: boolean;
}

/** A call and the promise of its answer. A rejection that nobody looks at is not reported. */
export interface AnsweredStreamCall extends StreamCall {
  /** Rejected as `withdrawn` when the question is taken back. */
  readonly answer: Promise<Answer>;
}

/** The options as the sidecar reads them; what is undefined is left out. */
export function openParams({ workspaceFolders, ...options }: SessionOptions): SessionOpenParams {
  const folders = workspaceFolders?.map(({ uri, name }) => ({ uri: uri.toString(), name }));
  return JSON.parse(JSON.stringify({ ...options, workspaceFolders: folders }));
}
