// The types of Followup's API for other extensions; copy this file into yours. It needs @types/vscode and nothing else.
// Generated from extension/src/agents/api.ts; to change it, change that and run: make generate

import type { CancellationToken, Event, Uri } from "vscode";

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

/** Why a promise of Followup rejected. */
export type FollowupErrorCode = "withdrawn" | "unavailable" | "refused" | "unknown" | "closed" | "internal";

/** SessionOpenParams identify a session by (agent, key). A repeated request updates the given options. */
export interface SessionOpenParams {
  /** agent is the agent's display name; not blank. */
  agent: string;
  /** key distinguishes this agent's conversations; not blank. */
  key: string;
  /** workspaceFolders are the conversation's folders; if absent, the editor's. */
  workspaceFolders?: WorkspaceFolder[];
  /** locale is the language of messages to the agent, a BCP 47 tag; if absent, the editor's. */
  locale?: string;
  /** resultTag is the element around the user's words; answer by default. */
  resultTag?: ResultTag;
  /** strict rejects malformed calls instead of repairing them. */
  strict?: boolean;
  /**
   * mistakeLimit is the number of consecutive invalid calls after which the user is asked for guidance, before the agent gets its
   * answer: 3 by default (0 = never).
   */
  mistakeLimit?: number;
  /** opaqueTags are names of further elements, besides known tools, that cannot contain a call. */
  opaqueTags?: string[];
  /** limits bounds the agent's messages. */
  limits?: Limits;
  /** bound withdraws questions when the process that asked them ends, because its agent then asks in its own way. */
  bound?: boolean;
}

/** WorkspaceFolder is a folder of the editor's workspace. */
export interface WorkspaceFolder {
  uri: DocumentURI;
  name: string;
}

/** A document's URI. */
export type DocumentURI = string;

/** ResultTag is the name of the element around the user's words. */
export type ResultTag = "answer" | "user_message";

/** Limits bounds an agent's messages. Sizes are raw bytes; 0 means the default. */
export interface Limits {
  /** parameter bounds one parameter of a call; 1 MiB by default. */
  parameter?: number;
  /** message bounds one message, or the arguments of a native call; 8 MiB by default. */
  message?: number;
  /** questions bounds the questions of a questionnaire, 4 to 12; 4 by default. */
  questions?: number;
  /** options bounds the options of a question, 4 to 12; 4 by default. */
  options?: number;
}

/** Answer is the response to the agent. */
export interface Answer {
  questionId: string;
  outcome: AnswerOutcome;
  /** provenance is present if the outcome is answered. */
  provenance?: Provenance;
  /**
   * text is the first text part for the agent, for every outcome and error. After an error it includes the user's guidance in
   * answer tags, if any.
   */
  text: string;
  /** option is the id of the chosen option of an approval. If present, Text is the user's words; for a denial, a sentence with them. */
  option?: string;
  /** changed is the command that the user allowed instead of the agent's. */
  changed?: string;
  /** quoted is the end of Text that describes quotes from the editor, for callers that send the rest of Text in another form. */
  quoted?: string;
  /** images are separate parts after the first text part. */
  images: Image[];
  /** structured is the answer beyond text and images. If present, the agent gets it as JSON in another text part. */
  structured?: Structured;
  /** error is why a call was invalid. */
  error?: CallError;
}

/** AnswerOutcome is the outcome for an agent. OutcomeWaiting means that the question is still open. */
export type AnswerOutcome = Outcome | "waiting";

/** Outcome is how a question ended. */
export type Outcome = "answered" | "dismissed" | "replied" | "allowed" | "denied" | "withdrawn" | "expired" | "disconnected" | "notShown" | "invalid";

/** Provenance is the origin of an answer. */
export type Provenance = "clicked" | "chosen" | "edited" | "typed" | "timer";

/** Image is an image in an answer. */
export interface Image {
  /** mimeType is image/png, image/jpeg, image/gif or image/webp. */
  mimeType: string;
  /** data is base64 without a data: prefix; at most 2 MiB decoded. */
  data: string;
}

/** Structured is the part of an answer beyond text and images. */
export interface Structured {
  /** mode is the mode of the chosen suggestion. */
  mode?: string;
  /** provenance is present if the text is not simply a suggestion or the user's own words: chosen, edited, timer. */
  provenance?: Provenance;
  /** suggestion is the chosen suggestion, or the one that the user edited. */
  suggestion?: string;
  /** note is the user's words in addition to the chosen suggestion. The text has both, with an empty line between them. */
  note?: string;
  /** repairs are codes of repairs to the call. */
  repairs?: string[];
  /** notices are codes of advice about the call. */
  notices?: string[];
  /** locations are the places of quotes from the editor. The answer's text quotes their content. */
  locations?: Location[];
  /** questions are the agent's questions. Every answer or reply to a questionnaire has them, with answers and annotations. */
  questions?: Question[];
  /**
   * answers maps a question's text to the chosen label, the user's own words, or a list of them if several may be chosen. It
   * omits skipped questions.
   */
  answers?: Record<string, unknown>;
  /** annotations maps a question's text to the details of its answer. */
  annotations?: Record<string, Annotation>;
}

/** A place in a document of the editor's. */
export interface Location {
  uri: DocumentURI;
  range: Range;
}

/** A stretch of a document; its end is exclusive. */
export interface Range {
  start: Position;
  end: Position;
}

/** A place between two characters, both counted from 0; characters are UTF-16 code units. */
export interface Position {
  line: number;
  character: number;
}

/** Question is one question of a questionnaire. */
export interface Question {
  /** question is the text, trimmed; unique within the questionnaire. */
  question: string;
  /** header is a short label. It may be empty. */
  header: string;
  /** options are two to four options. */
  options: Option[];
  /** multiSelect means that several options may be chosen. */
  multiSelect: boolean;
}

/** Option is one option of a question. */
export interface Option {
  /** label is the option's text, which is also the answer; unique within its question. */
  label: string;
  /** description explains the option. It may be empty. */
  description: string;
  /** preview is Markdown for a visual comparison of the options, with its white space; absent if the option has no preview. */
  preview?: string;
}

/** Annotation is the details of the answer to one question of a questionnaire. */
export interface Annotation {
  /** notes are words in addition to the choice. */
  notes?: string;
  /** preview is the chosen option's preview, as the agent wrote it. */
  preview?: string;
  /** skipped means that the user skipped the question. */
  skipped?: boolean;
}

/** CallError is why a call was invalid. */
export interface CallError {
  /** code is one of the codes in section "Errors" of docs/protocol.md. */
  code: string;
  /** message is the text for the agent, in the session's language. */
  message: string;
  /**
   * found is appended to the message for the agent: a quotation of the error and its position. Absent if the message has it, or it
   * is unknown.
   */
  found?: string;
}

/** SessionState is the state of a session. */
export interface SessionState {
  session: string;
  agent: string;
  key: string;
  /** consecutiveMistakes is the number of invalid calls since the last valid one. */
  consecutiveMistakes: number;
  /** workspaceFolders are the conversation's folders. */
  workspaceFolders: WorkspaceFolder[];
  /** conversation has every call, partial ones too, in the order in which they were asked. */
  conversation: ConversationItem[];
}

/** ConversationItem is one call and its outcome. */
export interface ConversationItem {
  questionId: string;
  tool: string;
  /** payload is the question; absent for an invalid call. */
  payload?: Payload;
  /** error is why the call was invalid. */
  error?: CallError;
  /** guidance marks a request for guidance instead of a question. */
  guidance?: Guidance;
  /** state is the question's state. */
  state: ItemState;
  /** outcome is how it ended; absent while it is open. */
  outcome?: ItemOutcome;
  /** collected means that the agent has received the answer. */
  collected?: boolean;
  /** askedAt is when the call was complete, in milliseconds since 1970. */
  askedAt: number;
}

/** Payload is the content of a call: the standard form of its tool. On the wire it is that form itself. */
export type Payload = Followup | Questionnaire | Approval;

/** Followup is an ask_followup_question call in the standard form of the interface. */
export interface Followup {
  /** question is the text, trimmed. */
  question: string;
  /** suggest are the suggested answers in the agent's order; never nil in a valid call. */
  suggest: Suggestion[];
}

/** Suggestion is one suggested answer. */
export interface Suggestion {
  /** answer is the text that is sent when the user chooses the suggestion. */
  answer: string;
  /** mode is the mode that the agent switches to with this answer. */
  mode?: string;
}

/** Questionnaire is an AskUserQuestion call in its standard form. */
export interface Questionnaire {
  /** questions are one to four questions that are answered together. */
  questions: Question[];
}

/** Approval is an agent's request for permission to do one thing. Only the user decides, with question/decide. */
export interface Approval {
  /** title is the agent's name of the request, such as the name of its tool. */
  title: string;
  subject: Subject;
  /**
   * options are the choices that the agent offers. At least one denies, and at least one allows, but none allows a request that is
   * not shown.
   */
  options: Choice[];
  /** reason is the agent's reason, in its own words. */
  reason?: string;
  /** changeable means that the user may edit the command before allowing it. The agent runs the edited command. */
  changeable?: boolean;
}

/** Subject is all that an approval would allow. */
export interface Subject {
  kind: SubjectKind;
  /**
   * text is the command, the URL, the tool's input as JSON, the plan's Markdown, or, if the agent does not send an edit's two
   * texts, a unified diff.
   */
  text?: string;
  /** cwd is the working folder of a command. */
  cwd?: string;
  /** path is the file that an edit changes; Before and After are its texts. */
  path?: string;
  before?: string;
  after?: string;
  /** name is the tool's name. */
  name?: string;
  /** otherArguments is the call's other arguments, as JSON. */
  otherArguments?: string;
}

/** SubjectKind is the kind of a subject. */
export type SubjectKind = "command" | "edit" | "fetch" | "tool" | "plan" | "unshown";

/** Choice is one option of an approval. */
export interface Choice {
  id: string;
  /**
   * label describes what the option allows beyond this call; absent if the kind describes it. Hidden characters are made
   * visible, since interfaces show it literally.
   */
  label?: string;
  kind: ChoiceKind;
}

/** ChoiceKind is the effect of an option. */
export type ChoiceKind = "once" | "session" | "always" | "deny";

/** Guidance is why the user is asked to help an agent. */
export interface Guidance {
  /** consecutiveMistakes is the number of invalid calls in a row. */
  consecutiveMistakes: number;
  /** error is the error of the last one. */
  error: CallError;
}

/** ItemState is the state of a question. */
export type ItemState = "streaming" | "pending" | "queued" | "held" | "closed";

/** ItemOutcome is how a question ended, for the user. */
export interface ItemOutcome {
  outcome: Outcome;
  provenance?: Provenance;
  /** text is the answer without tags, or the reply to a questionnaire. */
  text?: string;
  mode?: string;
  /** suggestion is the index of the suggestion that was clicked, chosen or edited. */
  suggestion?: number;
  /** note is the user's words in addition to a chosen suggestion. */
  note?: string;
  /** picks are the choices in a questionnaire, one per question in order. */
  picks?: Pick[];
  /** images is the number of images in the answer. */
  images?: number;
  /** quotes are the labels of quotes from the editor. */
  quotes?: string[];
  /** option is the id of the chosen option of an approval. */
  option?: string;
  /** changed is the command that the user allowed instead of the agent's. */
  changed?: string;
  /** client is the program that sent the decision on an approval, with its machine at a hub. */
  client?: string;
  /**
   * elsewhere means, for a withdrawn question, that the user answered it in the agent's own dialog. If known, Text or Picks are
   * that answer.
   */
  elsewhere?: boolean;
  /**
   * effective is the decision that took effect in an agent whose own dialog was open, too: allowed or denied, as the agent reported. If it
   * differs from Outcome, the user decided otherwise in that dialog at the same moment. Absent until then: the decision was only sent.
   */
  effective?: Outcome;
  /** answeredBy is the person who closed the question; only at a hub. */
  answeredBy?: string;
  /** at is when the question was closed, in milliseconds since 1970; absent if an imported log does not have it. */
  at?: number;
}

/** Pick is the user's choice for one question of a questionnaire. If it is empty, the question was skipped. */
export interface Pick {
  /** options are the indexes of the chosen options in ascending order; at most one unless several may be chosen. */
  options?: number[];
  /** other is the user's own words instead of an option, or in addition to options if several may be chosen. */
  other?: string;
  /** notes are words in addition to the choice. */
  notes?: string;
}

/** StreamEndResult is the calls in a stream. */
export interface StreamEndResult {
  calls: StreamCall[];
  /** consecutiveMistakes is the session's count after these calls. */
  consecutiveMistakes: number;
  /** hidden counts the complete calls that were not run because of what contained them. Absent if there were none. */
  hidden?: HiddenCalls;
  /** truncated means that the stream crashed its reader repeatedly and was not read to its end. */
  truncated?: boolean;
}

/** StreamCall is one call in a stream. */
export interface StreamCall {
  /** questionId is the question's id; wait for it with QuestionAwait. */
  questionId: string;
  tool: string;
  status: CallStatus;
  payload?: Payload;
  /** repairs are sorted codes of repairs to the call. */
  repairs?: string[];
  /** notices are sorted codes of advice. */
  notices?: string[];
  /** error is why the call is invalid. */
  error?: CallError;
  /** callId is the caller's id of a native call. */
  callId?: string;
}

/** CallStatus reports whether a call is valid. */
export type CallStatus = "valid" | "invalid";

/** HiddenCalls counts the complete calls of a message that were not run, by what contained them. Absent fields are 0. */
export interface HiddenCalls {
  /** fence is a fenced code block. */
  fence?: number;
  /** code is inline code. */
  code?: number;
  /** thinking is an element with the agent's thoughts. */
  thinking?: number;
  /** element is an element of another tool. */
  element?: number;
  /** text is a text that only mentions a call in another format. */
  text?: number;
}
