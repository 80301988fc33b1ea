// Generated from internal/protocol by tsgen; to change it, change the Go declarations and run: make generate

/** A document's URI. */
export type DocumentURI = string;

/** A place between two characters, both counted from 0; characters are UTF-16 code units. */
export interface Position {
  line: number;
  character: number;
}

/** A stretch of a document; its end is exclusive. */
export interface Range {
  start: Position;
  end: Position;
}

/** A place in a document of the editor's. */
export interface Location {
  uri: DocumentURI;
  range: Range;
}

/** How much of the traffic is logged. */
export type Trace = "off" | "messages" | "verbose";

/** Names the editor. */
export interface ClientInfo {
  name?: string;
  version?: string;
}

/** Inbox is a snapshot. */
export interface Inbox {
  /** items are the open questions, oldest first. */
  items: InboxItem[];
}

/** InboxChange is what changed since the snapshot or the change before. Apply Removed, then Items, then Grown. */
export interface InboxChange {
  /** removed are the ids of questions that never became whole: invalid, cut off, or taken back while they arrived. */
  removed?: string[];
  /**
   * items are new, or take the place of those with the same id. One that is closed tells its outcome and is not
   * mentioned again.
   */
  items?: InboxItem[];
  /** grown tells what has newly arrived of streaming questions. */
  grown?: InboxGrowth[];
}

/** ItemState is where a question stands. */
export type ItemState = "streaming" | "pending" | "queued" | "held" | "closed";

/** InboxItem is a question as the interface sees it. */
export interface InboxItem {
  questionId: string;
  session: string;
  agent: string;
  tool: string;
  /** streamId is the stream that the question arrived in, if it did. */
  streamId?: string;
  state: ItemState;
  /** payload is what is known of the question: all of it, unless it is streaming. */
  payload: Followup;
  /** guidance marks a request for guidance in place of a question. It is answered and dismissed like a question. */
  guidance?: Guidance;
  /** askedAt is when it began to arrive, in milliseconds since 1970. */
  askedAt: number;
  /** order stands the questions of all sessions in the order of their asking. */
  order: number;
  /** outcome tells how it ended; only on a closed item. */
  outcome?: ItemOutcome;
}

/** Guidance tells why the user is asked to help an agent. */
export interface Guidance {
  /** consecutiveMistakes is how many invalid calls came in a row. */
  consecutiveMistakes: number;
  /** error is what was wrong with the last of them. */
  error: CallError;
}

/** InboxGrowth is what has newly arrived of a streaming question. */
export interface InboxGrowth {
  questionId: string;
  /** text belongs behind the question's text so far. */
  text?: string;
  /** suggest belongs behind the suggestions so far; each is complete. */
  suggest?: Suggestion[];
}

/** ItemOutcome is how a question ended, as the user is told. */
export interface ItemOutcome {
  outcome: Outcome;
  provenance?: Provenance;
  /** text is the answer's text, without tags. */
  text?: string;
  mode?: string;
  /** suggestion is the index of the suggestion that was clicked or edited. */
  suggestion?: number;
  /** images is how many images went along. */
  images?: number;
  /** at is when, in milliseconds since 1970. */
  at: number;
}

/**
 * InitializeParams opens the handshake. Of the Language Server Protocol's params it reads those that mean something here;
 * a client may send the others.
 */
export interface InitializeParams {
  /** processId is the parent's process id; when that process is gone the sidecar ends. 0 or null: it has none. */
  processId?: number;
  /** clientInfo names the editor, for the log. */
  clientInfo?: ClientInfo;
  /** trace is the logging of messages to begin with. */
  trace?: Trace;
  /** initializationOptions holds what is Followup's own. */
  initializationOptions: InitializationOptions;
}

/** InitializationOptions is what an editor tells the sidecar once. */
export interface InitializationOptions {
  /** protocolVersion is the version that the editor's side speaks. */
  protocolVersion: number;
  /** locale is the editor's display language, a BCP 47 tag; English when absent or not spoken. */
  locale?: string;
  /** storageFolder is an absolute path for what outlives the process. */
  storageFolder?: string;
  /** workspaceFolders are the folders open in the editor. */
  workspaceFolders?: WorkspaceFolder[];
  /**
   * notShownAfter is how many milliseconds a pending question waits for an interface to subscribe before its outcome is
   * notShown. Absent: 10,000.
   */
  notShownAfter?: number;
}

/** WorkspaceFolder is one folder of the editor's workspace. */
export interface WorkspaceFolder {
  uri: DocumentURI;
  name: string;
}

/** InitializeResult is the sidecar's half of the handshake. */
export interface InitializeResult {
  /** protocolVersion is the version that the sidecar speaks. */
  protocolVersion: number;
  /** serverInfo names the sidecar. */
  serverInfo: ServerInfo;
  /** capabilities is empty: every version of the protocol says whole what it can do. Language clients expect it. */
  capabilities: Record<string, never>;
}

/** VersionMismatch is the data of an error with CodeVersionMismatch. */
export interface VersionMismatch {
  /** protocolVersion is the version that the sidecar speaks. */
  protocolVersion: number;
}

/** ServerInfo names a sidecar. */
export interface ServerInfo {
  name: string;
  version: string;
  /** pid is the sidecar's process id, for a debugger. */
  pid: number;
}

/** CancelParams names the request to cancel. */
export interface CancelParams {
  id: number | string;
}

/** SetTraceParams turns the logging of messages on and off. */
export interface SetTraceParams {
  value: Trace;
}

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

/** AskParams is a whole call. */
export interface AskParams {
  session: string;
  /** questionId is the caller's: a UUID of version 7. */
  questionId: string;
  /** tool is the tool's name, such as ask_followup_question. */
  tool: string;
  /**
   * input is the call's arguments as the model wrote them: an object, or a string that holds one. It is read whole and
   * never rejected before that; what is wrong with it is told in the answer.
   */
  input: unknown;
}

/** QuestionParams names a question. */
export interface QuestionParams {
  questionId: string;
}

/** Outcome is how a question ended. */
export type Outcome = "answered" | "dismissed" | "replied" | "withdrawn" | "notShown" | "invalid";

/** Provenance is where an answer came from. */
export type Provenance = "clicked" | "edited" | "typed" | "timer";

/** Answer is what the agent is given. */
export interface Answer {
  questionId: string;
  outcome: Outcome;
  /** provenance stands with outcome answered. */
  provenance?: Provenance;
  /**
   * text is the first text part for the agent, for every outcome and error. Behind an error stands the user's guidance, in
   * answer tags, if it was given.
   */
  text: string;
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

/** Structured is what an answer holds beyond text and images. */
export interface Structured {
  /** mode is the mode that the chosen suggestion asks to switch to. */
  mode?: string;
  /** provenance is told where the text is not simply a suggestion or the user's own words: edited, timer. */
  provenance?: Provenance;
  /** suggestion is the suggestion that an edited answer came from. */
  suggestion?: string;
  /** repairs are codes of what was mended in the call. */
  repairs?: string[];
  /** notices are codes of advice about the call. */
  notices?: string[];
  /** locations are places in the editor that the user added to the answer. */
  locations?: Location[];
}

/** Image is an image of the user's. */
export interface Image {
  /** mimeType is image/png, image/jpeg, image/gif or image/webp. */
  mimeType: string;
  /** data is base64 without a data: prefix; at most 2 MiB when decoded. */
  data: string;
}

/** CallError tells why a call was invalid. */
export interface CallError {
  /** code is one of those in section "Errors" of docs/protocol.md. */
  code: string;
  /** message is the text for the agent, in the session's language. */
  message: string;
}

/** AnswerParams is a user's answer. */
export interface AnswerParams {
  questionId: string;
  provenance: Provenance;
  /**
   * suggestion is the index of the suggestion that was clicked, or that the edited text came from. A clicked answer's
   * text and mode are the sidecar's own record of that suggestion.
   */
  suggestion?: number;
  /** text is the user's words exactly as they are; not blank unless there is an image. */
  text?: string;
  /** mode goes with an edited suggestion, unless the user took it off. */
  mode?: string;
  /** images are at most 8. */
  images?: Image[];
  /** locations are places in the editor that belong to the answer. */
  locations?: Location[];
}

/** CloseResult tells whether an answer, a dismissal or a withdrawal was taken. */
export interface CloseResult {
  /** accepted is false where the question had an outcome already; nothing was changed then. */
  accepted: boolean;
  /** outcome is the question's outcome now. */
  outcome: ItemOutcome;
}

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
}

/** ResultTag names the element around the user's words. */
export type ResultTag = "answer" | "user_message";

/** Limits bounds what is read of an agent. Sizes are raw bytes; 0 means the default. */
export interface Limits {
  /** parameter bounds one parameter of a call; 1 MiB by default. */
  parameter?: number;
  /** message bounds one message, or the whole arguments of a native call; 8 MiB by default. */
  message?: number;
}

/** SessionOpenResult names the open session. */
export interface SessionOpenResult {
  /** session is the session's id: a UUID that is the same whenever the same agent opens the same key. */
  session: string;
}

/** SessionParams names a session. */
export interface SessionParams {
  session: string;
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
  payload?: Followup;
  /** error tells why the call was invalid. */
  error?: CallError;
  /** guidance marks what was asked of the user in place of a question. */
  guidance?: Guidance;
  /** state is where the question stands. */
  state: ItemState;
  /** outcome tells how it ended; absent while it is open. */
  outcome?: ItemOutcome;
  /** askedAt is when the call was whole, in milliseconds since 1970. */
  askedAt: number;
}

/** StreamAppendParams is a piece of the assistant's text. */
export interface StreamAppendParams {
  session: string;
  /** streamId is the caller's: a UUID, new for each message. */
  streamId: string;
  /** text may end anywhere between two characters. */
  text: string;
}

/** StreamAppendToolInputParams is a fragment of a native call's arguments. */
export interface StreamAppendToolInputParams {
  session: string;
  streamId: string;
  /** callId tells the calls of one message apart. */
  callId: string;
  tool: string;
  /** fragment may end anywhere between two characters. */
  fragment: string;
}

/** StreamEndParams ends a stream. */
export interface StreamEndParams {
  /** session is where the stream belongs, so that a stream without any text can be ended too. */
  session: string;
  streamId: string;
  reason: StreamEndReason;
}

/** StreamEndReason is why a stream ended. */
export type StreamEndReason = "complete" | "aborted";

/** StreamEndResult tells what was found in a stream. */
export interface StreamEndResult {
  calls: StreamCall[];
  /** consecutiveMistakes is the session's count after these calls. */
  consecutiveMistakes: number;
}

/** CallStatus tells whether a call could be read. */
export type CallStatus = "valid" | "invalid";

/** StreamCall is one call that was found in a stream. */
export interface StreamCall {
  /** questionId is the question's id; wait for it with question/await. */
  questionId: string;
  tool: string;
  status: CallStatus;
  payload?: Followup;
  /** repairs are sorted codes of what was mended. */
  repairs?: string[];
  /** notices are sorted codes of advice. */
  notices?: string[];
  /** error tells why the call is invalid. */
  error?: CallError;
  /** callId is the caller's id of a native call. */
  callId?: string;
}

/** StreamDidPassTextParams is text that stood outside calls. */
export interface StreamDidPassTextParams {
  session: string;
  streamId: string;
  text: string;
}

/**
 * Version is the protocol's version. Both sides name theirs in the handshake and must name the same one; it grows with
 * every change that an older peer would misunderstand.
 */
export const Version = 1;

/** CodeNotInitialized answers a request that came before initialize. */
export const CodeNotInitialized = -32002;

/** CodeCancelled answers a request that was cancelled, or whose question was withdrawn. */
export const CodeCancelled = -32800;

/** CodeVersionMismatch answers initialize when the two sides speak different versions. */
export const CodeVersionMismatch = -32090;

/** CodeUnknown answers a request about a session, stream or question that the sidecar does not know. */
export const CodeUnknown = -32091;

/**
 * CodeRefused answers an answer or a dismissal that cannot be taken. Its message is written for the user, in the
 * user's language; the question stays as it was.
 */
export const CodeRefused = -32092;

/** A method that is answered. P and R are its params and its result. */
export interface Request<P, R> {
  readonly method: string;
  readonly __types?: (params: P) => R;
}

/** A method without an answer. */
export interface Notification<P> {
  readonly method: string;
  readonly __types?: (params: P) => void;
}

/** inboxSubscribe gives a snapshot; InboxDidChange tells every change after it. */
export const inboxSubscribe = { method: "inbox/subscribe" } as Request<Record<string, never>, Inbox>;

/** inboxDidChange tells what changed, from the sidecar. Changes that a slow reader has not taken are joined. */
export const inboxDidChange = { method: "inbox/didChange" } as Notification<InboxChange>;

/** initialize shakes hands. Nothing else is answered before it. */
export const initialize = { method: "initialize" } as Request<InitializeParams, InitializeResult>;

/** initialized tells that the editor is ready. */
export const initialized = { method: "initialized" } as Notification<Record<string, never>>;

/** shutdown asks to end; only Exit follows it. */
export const shutdown = { method: "shutdown" } as Request<Record<string, never>, Record<string, never>>;

/** exit ends the process: with status 0 after Shutdown, with 1 otherwise. */
export const exit = { method: "exit" } as Notification<Record<string, never>>;

/** cancelRequest cancels a request that is under way; a question that it asked is withdrawn. */
export const cancelRequest = { method: "$/cancelRequest" } as Notification<CancelParams>;

/** setTrace turns the logging of messages on and off. */
export const setTrace = { method: "$/setTrace" } as Notification<SetTraceParams>;

/**
 * questionAsk asks a question by a whole call and is answered when the user has answered. Asking again with a known id
 * waits for that question. Cancelling it withdraws the question.
 */
export const questionAsk = { method: "question/ask" } as Request<AskParams, Answer>;

/** questionAwait waits for a question that was asked before. Cancelling it ends the waiting only. */
export const questionAwait = { method: "question/await" } as Request<QuestionParams, Answer>;

/** questionWithdraw takes back a question; whoever waits for it gets CodeCancelled. */
export const questionWithdraw = { method: "question/withdraw" } as Request<QuestionParams, CloseResult>;

/** questionAnswer answers a pending question. It is idempotent: a question that has an outcome keeps it. */
export const questionAnswer = { method: "question/answer" } as Request<AnswerParams, CloseResult>;

/** questionDismiss declines to answer. */
export const questionDismiss = { method: "question/dismiss" } as Request<QuestionParams, CloseResult>;

/** sessionOpen opens a session, or finds the one that is open for the same agent and key. */
export const sessionOpen = { method: "session/open" } as Request<SessionOpenParams, SessionOpenResult>;

/** sessionGet tells a session's state. */
export const sessionGet = { method: "session/get" } as Request<SessionParams, SessionState>;

/** sessionClose withdraws a session's open questions and ends it. */
export const sessionClose = { method: "session/close" } as Request<SessionParams, Record<string, never>>;

/** streamAppend hands on the assistant's text. Order is kept. */
export const streamAppend = { method: "stream/append" } as Notification<StreamAppendParams>;

/** streamAppendToolInput hands on a fragment of a native tool call's JSON arguments. Order is kept. */
export const streamAppendToolInput = { method: "stream/appendToolInput" } as Notification<StreamAppendToolInputParams>;

/** streamEnd ends a stream and tells the calls that were found in it. It never waits for the user. */
export const streamEnd = { method: "stream/end" } as Request<StreamEndParams, StreamEndResult>;

/** streamDidPassText hands back text that stood outside calls, from the sidecar, in order. */
export const streamDidPassText = { method: "stream/didPassText" } as Notification<StreamDidPassTextParams>;

