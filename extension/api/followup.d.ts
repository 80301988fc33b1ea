// The types of Followup's API for other extensions; copy this file into yours. It needs @types/vscode and nothing else.
// Generated from extension/src/agents/api.ts; to change it, change that and run: make generate

import type { CancellationToken, Event, Uri } from "vscode";

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
export interface StreamResult extends Omit<StreamEndResult, "calls"> {
  /** The calls in their order. */
  calls: AnsweredStreamCall[];
}

/** A call and the promise of its answer. A rejection that nobody looks at is not reported. */
export interface AnsweredStreamCall extends StreamCall {
  /** Rejected as `withdrawn` when the question is taken back. */
  readonly answer: Promise<Answer>;
}

/** Why a promise of Followup's was rejected. */
export type FollowupErrorCode = "withdrawn" | "unavailable" | "refused" | "unknown" | "closed" | "internal";

/** SessionOpenParams identifies a session by (agent, key). A repeated open updates the options that it names. */
export interface SessionOpenParams {
  /** agent is the agent's name as the user knows it; not blank. */
  agent: string;
  /** key tells this agent's conversations apart; not blank. */
  key: string;
  /** workspaceFolders are those the conversation is about; absent: the editor's. */
  workspaceFolders?: WorkspaceFolder[];
  /** locale is the language of what the agent is told, a BCP 47 tag; absent: the editor's. */
  locale?: string;
  /** resultTag is the element around the user's words; absent: answer. */
  resultTag?: ResultTag;
  /** strict turns off repairs: a call that is not well-formed is invalid. Absent: false. */
  strict?: boolean;
  /**
   * mistakeLimit is the number of consecutive invalid calls at which the user is asked for guidance before the agent gets
   * its answer; 0: never. Absent: 3.
   */
  mistakeLimit?: number;
  /** opaqueTags are names of further elements, besides the tools that are known, in which no call can begin. */
  opaqueTags?: string[];
  /** limits bounds what is read; absent: the defaults. */
  limits?: Limits;
  /** bound tells that a question ends with the process that has asked it: its agent asks in another way then. Absent: false. */
  bound?: boolean;
}

/** WorkspaceFolder is one folder of the editor's workspace. */
export interface WorkspaceFolder {
  uri: DocumentURI;
  name: string;
}

/** A document's URI. */
export type DocumentURI = string;

/** ResultTag names the element around the user's words. */
export type ResultTag = "answer" | "user_message";

/** Limits bounds what is read of an agent. Sizes are raw bytes; 0 means the default. */
export interface Limits {
  /** parameter bounds one parameter of a call; 1 MiB by default. */
  parameter?: number;
  /** message bounds one message, or the whole arguments of a native call; 8 MiB by default. */
  message?: number;
  /** questions is how many questions a questionnaire may hold, 4 to 12; 4 by default. */
  questions?: number;
  /** options is how many options a question of a questionnaire may hold, 4 to 12; 4 by default. */
  options?: number;
}

/** Answer is what the agent is given. */
export interface Answer {
  questionId: string;
  outcome: AnswerOutcome;
  /** provenance stands with outcome answered. */
  provenance?: Provenance;
  /**
   * text is the first text part for the agent, for every outcome and error. Behind an error stands the user's guidance, in
   * answer tags, if it was given.
   */
  text: string;
  /**
   * option is the id of the option of an approval that the user chose, and Changed the command that they allow in place of the
   * agent's. Text is then the user's words, and of a denial a sentence with them.
   */
  option?: string;
  changed?: string;
  /** quoted is the end of Text that tells what the user added from the editor, for who gives an agent the rest in another form. */
  quoted?: string;
  /** images are parts of their own, behind the first text part. */
  images: Image[];
  /**
   * structured is what there is to say beyond text and images. Where it is present, the agent gets it as a further
   * text part that holds this object as JSON; where it is absent, there is no such part.
   */
  structured?: Structured;
  /** error tells why a call was invalid. */
  error?: CallError;
}

/** AnswerOutcome is what an agent is told: how the question ended, or that it has not yet. */
export type AnswerOutcome = Outcome | "waiting";

/** Outcome is how a question ended. */
export type Outcome = "answered" | "dismissed" | "replied" | "allowed" | "denied" | "withdrawn" | "notShown" | "invalid";

/** Provenance is where an answer came from. */
export type Provenance = "clicked" | "chosen" | "edited" | "typed" | "timer";

/** Image is an image of the user's. */
export interface Image {
  /** mimeType is image/png, image/jpeg, image/gif or image/webp. */
  mimeType: string;
  /** data is base64 without a data: prefix; at most 2 MiB when decoded. */
  data: string;
}

/** Structured is what an answer holds beyond text and images. */
export interface Structured {
  /** mode is the mode that the chosen suggestion asks to switch to. */
  mode?: string;
  /** provenance is given where the text is not simply a suggestion or the user's own words: chosen, edited, timer. */
  provenance?: Provenance;
  /** suggestion is the suggestion that was chosen, or that an edited answer came from. */
  suggestion?: string;
  /** note is the user's words beside the chosen suggestion. The text holds both, with an empty line between them. */
  note?: string;
  /** repairs are codes of what was mended in the call. */
  repairs?: string[];
  /** notices are codes of advice about the call. */
  notices?: string[];
  /** locations are the places of what the user added from the editor; Text quotes what stands there. */
  locations?: Location[];
  /** Questions, Answers and Annotations stand with every answer to a questionnaire, and with a reply to one. */
  questions?: Question[];
  /**
   * answers holds, by question text, the chosen label, the user's own words, or, where several may be chosen, the list
   * of them. A question that was left out is not in it.
   */
  answers?: Record<string, unknown>;
  /** annotations holds, by question text, what belongs to its answer. */
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
  /** question is the text, unique within the questionnaire. */
  question: string;
  /** header is a short label; may be empty. */
  header: string;
  /** options are two to four. */
  options: Option[];
  /** multiSelect reports that several options may be chosen. */
  multiSelect: boolean;
}

/** Option is one option of a question. */
export interface Option {
  /** label is what is chosen; unique within the question. */
  label: string;
  /** description says what choosing it means; may be empty. */
  description: string;
  /** preview is Markdown to compare the options by eye; absent when there is none. */
  preview?: string;
}

/** Annotation is what belongs to the answer to one question of a questionnaire. */
export interface Annotation {
  /** notes are the user's words beside the choice. */
  notes?: string;
  /** preview is the chosen option's, as the agent wrote it. */
  preview?: string;
  /** skipped reports that the user left the question out. */
  skipped?: boolean;
}

/** CallError tells why a call was invalid. */
export interface CallError {
  /** code is one of those in section "Errors" of docs/protocol.md. */
  code: string;
  /** message is the text for the agent, in the session's language. */
  message: string;
  /**
   * found follows the message in what the agent is told: what is wrong, quoted, and where it stands. Absent where that is in
   * the message, or not known.
   */
  found?: string;
}

/** SessionState is a session as it stands. */
export interface SessionState {
  session: string;
  agent: string;
  key: string;
  /** consecutiveMistakes counts the invalid calls since the last valid one. */
  consecutiveMistakes: number;
  /** workspaceFolders are those the conversation is about. */
  workspaceFolders: WorkspaceFolder[];
  /** conversation holds every call that was read, or has begun to be, in the order of their asking. */
  conversation: ConversationItem[];
}

/** ConversationItem is one call and what became of it. */
export interface ConversationItem {
  questionId: string;
  tool: string;
  /** payload is what was asked; absent for an invalid call. */
  payload?: Payload;
  /** error tells why the call was invalid. */
  error?: CallError;
  /** guidance marks what was asked of the user in place of a question. */
  guidance?: Guidance;
  /** state is where the question stands. */
  state: ItemState;
  /** outcome tells how it ended; absent while it is open. */
  outcome?: ItemOutcome;
  /** collected tells that the agent has got the answer. */
  collected?: boolean;
  /** askedAt is when the call was whole, in milliseconds since 1970. */
  askedAt: number;
}

/** Payload is what a call asks: one of the standard forms, by the call's tool. On the wire it is that form itself. */
export type Payload = Followup | Questionnaire | Approval;

/** Followup is an ask_followup_question call in the standard form of the interface (seeds 000, 001, 002 and 004). */
export interface Followup {
  question: string;
  suggest: Suggestion[];
}

/** Suggestion is one suggested answer. */
export interface Suggestion {
  answer: string;
  /** mode is the agent's mode to switch to with this answer. */
  mode?: string;
}

/** Questionnaire is an AskUserQuestion call in its standard form (seed 003). */
export interface Questionnaire {
  /** questions are one to four. */
  questions: Question[];
}

/** Approval is an agent's request to be allowed to do one thing. The user decides with question/decide, and nothing decides for them. */
export interface Approval {
  /** title is what the agent calls the thing, such as the name of its tool. */
  title: string;
  subject: Subject;
  /** options are what the agent lets the user choose. At least one denies, and at least one allows. */
  options: Choice[];
  /** reason is why the agent wants it, in its own words. */
  reason?: string;
  /** changeable reports that the user may change the command and allow that. The changed command is what the agent runs. */
  changeable?: boolean;
}

/** Subject is what an approval would allow, whole. */
export interface Subject {
  kind: SubjectKind;
  /**
   * text is the command, the URL, the tool's input as JSON, the plan's Markdown, or, if the agent does not give an edit's two texts,
   * a unified diff.
   */
  text?: string;
  /** cwd is the folder that a command runs in. */
  cwd?: string;
  /** path is the file that an edit changes, Before and After the texts. */
  path?: string;
  before?: string;
  after?: string;
  /** name is the tool's name. */
  name?: string;
  /** rest is the call's other arguments, as JSON. */
  rest?: string;
}

/** SubjectKind is what an approval is about. */
export type SubjectKind = "command" | "edit" | "fetch" | "tool" | "plan";

/** Choice is one option of an approval. */
export interface Choice {
  id: string;
  /** label says what the option allows beyond this call, in words; absent where the kind says it all. */
  label?: string;
  kind: ChoiceKind;
}

/** ChoiceKind is what an option does. */
export type ChoiceKind = "once" | "session" | "always" | "deny";

/** Guidance tells why the user is asked to help an agent. */
export interface Guidance {
  /** consecutiveMistakes is how many invalid calls came in a row. */
  consecutiveMistakes: number;
  /** error is what was wrong with the last of them. */
  error: CallError;
}

/** ItemState is where a question stands. */
export type ItemState = "streaming" | "pending" | "queued" | "held" | "closed";

/** ItemOutcome is how a question ended, as the user is told. */
export interface ItemOutcome {
  outcome: Outcome;
  provenance?: Provenance;
  /** text is the answer's text, without tags; of a questionnaire, the user's reply. */
  text?: string;
  mode?: string;
  /** suggestion is the index of the suggestion that was clicked, chosen or edited. */
  suggestion?: number;
  /** note is the user's words beside a chosen suggestion. */
  note?: string;
  /** picks are what was chosen of a questionnaire, one for each question in order. */
  picks?: Pick[];
  /** images is how many images went along. */
  images?: number;
  /** quotes are the labels of what was added from the editor. */
  quotes?: string[];
  /**
   * option is the id of the option of an approval that the user chose, Changed the command that they allowed in place of the agent's,
   * and Client the program that the decision came from, with its machine at a hub.
   */
  option?: string;
  changed?: string;
  client?: string;
  /**
   * elsewhere tells, of a question that was withdrawn, that the user has seen to it in the agent's own dialog. Text and Picks are
   * what they answered there, where that is known.
   */
  elsewhere?: boolean;
  /** answeredBy is the person who ended it, at a hub. */
  answeredBy?: string;
  /** at is when, in milliseconds since 1970; absent where an imported log does not tell. */
  at?: number;
}

/** Pick is what the user chose for one question of a questionnaire. Neither options nor own words: the question is left out. */
export interface Pick {
  /** options are the indexes of the chosen options, in the order of the options; at most one unless several may be chosen. */
  options?: number[];
  /** other is the user's own words in place of an option, or, where several may be chosen, beside them. */
  other?: string;
  /** notes are the user's words beside the choice. */
  notes?: string;
}

/** StreamEndResult tells what was found in a stream. */
export interface StreamEndResult {
  calls: StreamCall[];
  /** consecutiveMistakes is the session's count after these calls. */
  consecutiveMistakes: number;
  /** hidden counts the whole calls that stood where none is run, so that nothing was asked by them. Absent when there were none. */
  hidden?: HiddenCalls;
  /** truncated says that the stream crashed its reader again and again and was not read to its end. */
  truncated?: boolean;
}

/** StreamCall is one call that was found in a stream. */
export interface StreamCall {
  /** questionId is the question's id; wait for it with question/await. */
  questionId: string;
  tool: string;
  status: CallStatus;
  payload?: Payload;
  /** repairs are sorted codes of what was mended. */
  repairs?: string[];
  /** notices are sorted codes of advice. */
  notices?: string[];
  /** error tells why the call is invalid. */
  error?: CallError;
  /** callId is the caller's id of a native call. */
  callId?: string;
}

/** CallStatus tells whether a call could be read. */
export type CallStatus = "valid" | "invalid";

/** HiddenCalls counts calls that were not run, by what they stood in. What is absent is 0. */
export interface HiddenCalls {
  /** fence is a fenced code block. */
  fence?: number;
  /** code is inline code. */
  code?: number;
  /** thinking is an element in which the agent thinks. */
  thinking?: number;
  /** element is an element of another tool. */
  element?: number;
}
