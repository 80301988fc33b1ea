// Generated from internal/protocol by gen; to change it, change the Go declarations and run: make generate

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

/** AskResult is the outcome of a question, for programs: `followup ask --json` prints it, and the HTTP API returns it. */
export interface AskResult {
  /** questionId is the question's id. */
  questionId?: string;
  /** outcome is how the question ended, or waiting while it is open. */
  outcome: AnswerOutcome;
  /** provenance is where the answer came from, if there is one. */
  provenance?: Provenance;
  /** text is the user's words, or their choices, one per line. It is empty without an answer. */
  text: string;
  /** structured is the answer beyond its text, such as the answers to a questionnaire. */
  structured?: Structured;
  /** images are the images that the user added. */
  images?: Image[];
}

/** APIQuestions is a page of the questions that a token has asked, newest first. */
export interface APIQuestions {
  /** questions have no images. There may be fewer than the limit, even none, before the last page. */
  questions: AskResult[];
  /** next is the value of ?after= for the next page; absent on the last. */
  next?: string;
}

/**
 * APIQuestion is a question that a program asks over HTTP. It has the arguments of ask_followup_question (question and follow_up), or
 * those of AskUserQuestion (questions).
 */
export interface APIQuestion {
  /**
   * id is the question's id, a UUID; version 7 is best. Repeating a request with the same id and content has no effect. If absent,
   * the server creates one.
   */
  id?: string;
  /** agent is the program's name, shown to the user. If absent, it is HTTP. */
  agent?: string;
  /** workspace is the folder that the question is about: an absolute path or a file URI. */
  workspace?: string;
  /** question is the text in Markdown. */
  question?: string;
  /** follow_up are the suggested answers: strings, or objects with an answer. */
  follow_up?: unknown;
  /** questions are several questions with options, as in AskUserQuestion. */
  questions?: unknown;
  /** to is the person or group to ask; only at a hub. If absent, everybody. */
  to?: string;
  /** expires is the time after which the question expires, such as 90s, 30m or 12h. If absent, never. */
  expires?: string;
  /** Callback, if present, receives the outcome. */
  callback?: Callback;
}

/** CallbackEvent is the message to a callback. */
export interface CallbackEvent {
  /** type is question.closed, the only one. */
  type: string;
  /** timestamp is when the question was closed, as in RFC 3339. */
  timestamp: string;
  /** data is the outcome. */
  data: AskResult;
}

/** Problem is the error of an HTTP request, as in RFC 9457. */
export interface Problem {
  /** type is about:blank: the status is the type. */
  type: string;
  /** title is the status in words. */
  title: string;
  /** status is the status of the response. */
  status: number;
  /** detail describes the error for people. */
  detail: string;
  /** code is the error code of an invalid question, listed in section "Errors" of docs/protocol.md. */
  code?: string;
}

/** GuideName names a guide. */
export type GuideName = "connect" | "doctor" | "export" | "hub" | "import" | "link" | "sample" | "browser";

/** GuideRunParams start a guide. */
export interface GuideRunParams {
  guide: GuideName;
  /** options are the editor's own initialization options. */
  options: InitializationOptions;
  /** agents are the agents to connect without asking, replacing the connected ones; only for the guide connect. */
  agents?: string[];
  /**
   * approvals maps an agent to the tools whose requests for permission go to the inbox. An absent agent sends none; an empty
   * list means all tools.
   */
  approvals?: Record<string, string[]>;
  /** link creates the link by which terminals find the program, without asking; only for the guides connect and link. */
  link?: boolean;
  /** undo connects exactly Agents, without asking: an empty list disconnects all. */
  undo?: boolean;
  /** target is what to export; if absent, the user chooses. Only for the guide export. */
  target?: HistoryTarget;
  /** shown is the current filter of the history, if any; only for the guide export. */
  shown?: HistoryMatching;
  /** hub is the current setting without its token; only for the guide hub. */
  hub?: HubConnectParams;
}

/** HistoryTarget selects entries of the history by one of its two fields. */
export type HistoryTarget = HistoryEntries | HistoryMatching;

/** HistoryEntries are entries by their ids. */
export interface HistoryEntries {
  questionIds: string[];
}

/** HistoryMatching selects all entries that match a text and a filter. Empty ones match everything. */
export interface HistoryMatching {
  text: string;
  filter: HistoryFilter;
}

/** GuideResult has the messages to show at the end of a guide. Each message stays until the user has closed it. */
export interface GuideResult {
  messages?: GuideMessage[];
}

/** GuideSeverity is how bad a message is. */
export type GuideSeverity = "Information" | "Warning" | "Error";

/** GuideMessage is a message with buttons. */
export interface GuideMessage {
  severity: GuideSeverity;
  text: string;
  buttons?: GuideButton[];
}

/** GuideButton opens a file, runs a command of the extension, or starts a guide. */
export interface GuideButton {
  title: string;
  /** open are URIs of files; if there are several, the user chooses one. */
  open?: string[];
  command?: string;
  guide?: GuideRunParams;
}

/** GuideCommandParams name a command of the extension. */
export interface GuideCommandParams {
  command: string;
}

/** GuidePickParams are a list, with the editor's own names. It stays open until the user chooses or presses Escape. */
export interface GuidePickParams {
  title: string;
  placeholder?: string;
  /** canSelectMany allows several choices. */
  canSelectMany?: boolean;
  items: GuideItem[];
}

/** GuideItem is an item of a list. */
export interface GuideItem {
  label: string;
  description?: string;
  detail?: string;
  /** icon is the name of one of the editor's icons. */
  icon?: string;
  /** picked means that the item is chosen at first, in a list that allows several choices. */
  picked?: boolean;
}

/** GuidePickResult are the indexes of the chosen items. */
export interface GuidePickResult {
  /** chosen is absent if the user cancelled. */
  chosen?: number[];
}

/** GuideDescribeParams describe an item. */
export interface GuideDescribeParams {
  item: number;
  description: string;
}

/** GuideInputParams describe an input box, with the editor's own names. */
export interface GuideInputParams {
  prompt: string;
  placeHolder?: string;
  value?: string;
  password?: boolean;
  /** problem is what is wrong with Value, shown below the box. */
  problem?: string;
}

/** GuideInputResult is the typed text. */
export interface GuideInputResult {
  /** text is absent if the user cancelled. */
  text?: string;
}

/** GuideShowTextParams are a text that is not in a file. */
export interface GuideShowTextParams {
  /** name is the title. Its extension determines the language, as in agents.diff. */
  name: string;
  text: string;
}

/** GuideOpenFilesParams are a dialog for existing files, or folders, with the editor's own names. Not every system's dialog can choose both. */
export interface GuideOpenFilesParams {
  title: string;
  openLabel: string;
  canSelectFiles: boolean;
  canSelectFolders: boolean;
  canSelectMany: boolean;
  /** filters maps names to extensions without dots. */
  filters?: Record<string, string[]>;
}

/** GuideOpenFilesResult are the chosen paths. */
export interface GuideOpenFilesResult {
  /** paths is absent if the user cancelled. */
  paths?: string[];
}

/** GuideSaveFileParams are a dialog for a new file, with the editor's own names. */
export interface GuideSaveFileParams {
  title: string;
  saveLabel: string;
  /** name is the proposed file name. */
  name: string;
  filters?: Record<string, string[]>;
}

/** GuideSaveFileResult is the chosen file. */
export interface GuideSaveFileResult {
  /** uri is the file's address; absent if the user cancelled. */
  uri?: string;
  /** path is the file's path on this machine; absent if only the editor can write it. */
  path?: string;
}

/** GuideWriteFileParams are a file's content. */
export interface GuideWriteFileParams {
  uri: string;
  text: string;
}

/** GuideProgressParams are the progress of a guide. */
export interface GuideProgressParams {
  title: string;
  message?: string;
  /** increment is the progress since the last message, in percent; 0 if unknown. */
  increment?: number;
  /** fixed means that the user cannot cancel the guide now. */
  fixed?: boolean;
}

/** GuideAddress is an address. */
export interface GuideAddress {
  address: string;
}

/** HistoryFilter restricts entries. Absent fields match everything. */
export interface HistoryFilter {
  /** agents are names of agents. */
  agents?: string[];
  /** workspaces are URIs of workspace folders. */
  workspaces?: string[];
  kinds?: HistoryKind[];
  /** outcomes are values of ItemOutcome.Outcome. */
  outcomes?: Outcome[];
  /** from is the earliest time at which an entry was closed, in milliseconds since 1970. */
  from?: number;
  /** to is the end of the period, exclusive. */
  to?: number;
}

/** HistoryListParams select a page. */
export interface HistoryListParams {
  filter?: HistoryFilter;
  /** after is HistoryPage.Next of the previous page; absent for the first page. */
  after?: string;
  /** limit is the maximum number of entries: 50 by default, at most 200. */
  limit?: number;
}

/** HistorySearchParams select a page of matching entries. */
export interface HistorySearchParams extends HistoryListParams {
  /** text is what the user typed. */
  text: string;
  /** shortIds adds HistoryEntry.ShortID. */
  shortIds?: boolean;
  /** plain omits HistoryEntry.Rendered and HistoryEntry.Matches, for clients without a page. */
  plain?: boolean;
}

/** HistoryPage is a page of the history. */
export interface HistoryPage {
  entries: HistoryEntry[];
  /** next selects the next page; absent on the last. */
  next?: string;
  /** saved is false if the history is not being saved on disk. */
  saved: boolean;
  /** problem is why, in the user's language. */
  problem?: string;
  /** shared means that the history belongs to a hub, so its readers cannot delete entries. */
  shared?: boolean;
}

/** HistoryEntry is one question and its outcome. */
export interface HistoryEntry extends Envelope {
  questionId: string;
  kind: HistoryKind;
  /** shortId is the shortest unique prefix of QuestionID, at least 8 characters; only if the search asked for it. */
  shortId?: string;
  agent: string;
  /** workspace is the URI of the workspace folder where it was asked, if any. */
  workspace?: string;
  tool: string;
  /** source is the tool whose log it was imported from; absent for questions asked in Followup. */
  source?: string;
  /** payload is what the agent offered; absent for an invalid call. */
  payload?: Payload;
  rendered?: Rendered;
  /** error is why a call was invalid. */
  error?: CallError;
  /** guidance marks a request for guidance. */
  guidance?: Guidance;
  /** askedAt is when the agent asked, in milliseconds since 1970; absent if an imported log does not have it. */
  askedAt?: number;
  outcome: ItemOutcome;
  /** shortened means that long texts were cut for the page; HistoryGet returns them in full. */
  shortened?: boolean;
  /** images are the answer's images; only from HistoryGet. */
  images?: Image[];
  /** collected is false until the asking agent has received the answer. */
  collected: boolean;
  /** matches are the words that a search found in the entry's texts, without duplicates; only from HistorySearch. */
  matches?: HistoryMatch[];
  /** excerpt is a line with the first match, unless the question or the answer begins with a match. */
  excerpt?: string;
}

/** HistoryMatch is a word of a text, a run of letters, digits and combining marks, and the part of it to mark. */
export interface HistoryMatch {
  word: string;
  /** start is where the part begins, in UTF-16 code units. */
  start: number;
  /** end is where the part ends, exclusive. */
  end: number;
}

/** HistoryFindParams are a prefix of ids. */
export interface HistoryFindParams {
  /** prefix is a prefix or a complete id, which matches only itself. */
  prefix: string;
  /** limit is the maximum number of questions: 10 by default, at most 50. */
  limit?: number;
}

/** HistoryFindResult are the matching questions, ordered by id. */
export interface HistoryFindResult {
  questions: FoundQuestion[];
  /** more means that others match too. */
  more?: boolean;
}

/** FoundQuestion is a question by its id: either Entry or Item is set. */
export interface FoundQuestion {
  /** entry is a closed question, with its images. */
  entry?: HistoryEntry;
  /** item is an open question. */
  item?: InboxItem;
}

/** HistoryFacetsResult are the values that filters can have. */
export interface HistoryFacetsResult {
  agents: string[];
  workspaces: string[];
}

/** HistoryDeleteParams select the entries to delete: by id, or all that match a filter and a text. */
export interface HistoryDeleteParams {
  /**
   * deletionId is the caller's unique id for the deletion, of at most 64 bytes. Only CountOnly may omit it. A repetition deletes nothing
   * more, and returns the same result.
   */
  deletionId?: string;
  questionIds?: string[];
  /** all deletes everything that matches Filter and Text, instead of QuestionIDs. */
  all?: boolean;
  filter?: HistoryFilter;
  text?: string;
  /** countOnly deletes nothing and returns the number of entries, for a confirmation. */
  countOnly?: boolean;
}

/** HistoryDeleteResult is the result of a deletion or a restoration. */
export interface HistoryDeleteResult {
  /** count is the number of entries. */
  count: number;
  /** undo is the deletion's id, for HistoryRestore; absent if nothing was deleted. */
  undo?: string;
  /** undoUntil is the end of the time to undo, in milliseconds since 1970. */
  undoUntil?: number;
}

/** HistoryRestoreParams identify a deletion. */
export interface HistoryRestoreParams {
  /** undo is HistoryDeleteResult.Undo. */
  undo: string;
}

/** HistoryFormat is an export format. */
export type HistoryFormat = "markdown" | "json";

/** HistoryTextParams select entries and a format. */
export interface HistoryTextParams {
  format: HistoryFormat;
  /** questionIds are the entries' ids; if absent, all that match Filter and Text. */
  questionIds?: string[];
  filter?: HistoryFilter;
  text?: string;
}

/** HistoryTextResult is the text. */
export interface HistoryTextResult {
  /** count is the number of entries. */
  count: number;
  /** text is at most 4 MiB. A longer text is an error. */
  text: string;
}

/** HistoryExportParams select entries, a format and a file. */
export interface HistoryExportParams extends HistoryTextParams {
  /** path is the file to write, an absolute path. */
  path: string;
}

/** HistoryExportResult is the result of an export. */
export interface HistoryExportResult {
  count: number;
}

/** HistoryFindLogsResult are the places of other tools' logs. */
export interface HistoryFindLogsResult {
  places: LogPlace[];
}

/** LogPlace is where one tool keeps logs. */
export interface LogPlace {
  /** tool is the tool's name. */
  tool: string;
  /** paths are absolute paths of files and folders. */
  paths: string[];
}

/** HistoryImportParams select other tools' logs. */
export interface HistoryImportParams {
  /** paths are absolute paths of files or folders. */
  paths: string[];
  /** token identifies the caller in HistoryDidImport, also for a count. If absent, no progress is reported. */
  token?: string;
}

/** HistoryImportProgress is the progress of an import or a count. */
export interface HistoryImportProgress {
  token: string;
  /** read is the number of bytes read so far. */
  read: number;
  /** total is the number of bytes to read; absent if unknown. */
  total?: number;
  /** found is the number of questions found so far. */
  found: number;
}

/** HistoryImportResult is the result of an import. */
export interface HistoryImportResult {
  /** added is the number of new entries. */
  added: number;
  /** known is the number of entries that were imported before. */
  known: number;
  /** unanswered is the number of questions without an answer in the logs. */
  unanswered: number;
  /** files is the number of files read. */
  files: number;
  /** skippedCount is the number of files that were not read: unknown, unreadable or not regular. */
  skippedCount: number;
  /** skipped are the first 20 of them. */
  skipped: DamagedRecord[];
  /** damagedCount is the number of unreadable lines. */
  damagedCount: number;
  /** damaged are the first 20 of them. */
  damaged: DamagedRecord[];
  /** summary is the result in the user's language; only of HistoryImport. */
  summary?: string;
}

/** DamagedRecord is an unreadable line of a log, or an unreadable file. */
export interface DamagedRecord {
  file: string;
  /** line is counted from 1; 0 means the whole file. */
  line: number;
  reason: string;
}

/** HistoryConfigureParams configure the history for all windows that share the storage folder. */
export interface HistoryConfigureParams {
  /** keep is false to keep only open questions and, for a week, answers that no agent has collected. */
  keep: boolean;
  /** retentionDays is the number of days to keep an entry (0 = forever). */
  retentionDays: number;
  /** keepImporting keeps importing new logs from the places of HistoryFindLogs. */
  keepImporting?: boolean;
}

/** HostState is the state of the host that its page knows. */
export interface HostState {
  /** strings are the texts of the interface in the user's language, by key. Missing ones are in English. */
  strings: Record<string, string>;
  /** locale is the user's language, a BCP 47 tag. */
  locale: string;
  /** folders are the workspace folders of the host's window, as URIs. */
  folders: string[];
  /** keep reports whether the history is kept. */
  keep: boolean;
  /** phrases are the user's phrases. */
  phrases: string[];
  /** only is the id of the only question that this page shows; absent if it shows all. */
  only?: string;
  /** commands are the commands that the host supports. The page does not offer others. */
  commands: HostCommand[];
  /** diffs reports that the host has a diff view. */
  diffs?: boolean;
  /** trouble is null if everything works. Otherwise cards stay, and the page cannot send. */
  trouble: HostTroubleOrNull;
}

/** HostChange has the changed fields of HostState. */
export interface HostChange {
  strings?: Record<string, string>;
  locale?: string;
  folders?: string[];
  keep?: boolean;
  phrases?: string[];
  only?: string;
  commands?: HostCommand[];
  diffs?: boolean;
  /** trouble is null when it has ended. */
  trouble?: HostTroubleOrNull;
}

/** HostTrouble is a problem with the sidecar. */
export interface HostTrouble {
  message: string;
  restarting: boolean;
}

/** HostTroubleOrNull is a problem or null. */
export type HostTroubleOrNull = HostTrouble | null;

/** HostCommand is a command that a page can run on its host. */
export type HostCommand = "askSample" | "connectAgents" | "connectHub" | "escape" | "import" | "openLog" | "openQuestion" | "openSettings" | "restart";

/** HostRunParams name a command. */
export interface HostRunParams {
  command: HostCommand;
}

/** HostText is a text. */
export interface HostText {
  text: string;
}

/** HostLink is a link from an agent's text. */
export interface HostLink {
  href: string;
}

/** HostReadFilesParams are URIs of files. At most Room images of at most Bytes each are read. */
export interface HostReadFilesParams {
  uris: string[];
  room: number;
  bytes: number;
}

/** HostReadFilesResult are the files in order. */
export interface HostReadFilesResult {
  files: EditorFile[];
}

/** EditorFile is a file that was dropped on a card from the editor. One of the three fields is set. */
export type EditorFile = EditorImage | EditorPath | EditorRefusal;

/** EditorImage is an image. */
export interface EditorImage {
  name: string;
  /** image is in base64. */
  image: string;
}

/** EditorPath is a file other than an image. */
export interface EditorPath {
  name: string;
  path: string;
}

/** EditorRefusal is a file that was not read. */
export interface EditorRefusal {
  name: string;
  refused: EditorProblem;
}

/** EditorProblem is why a file was not read. */
export type EditorProblem = "notRead" | "fileTooLarge" | "tooMany";

/** HostConfirmDeleteParams have the number of entries to delete. */
export interface HostConfirmDeleteParams {
  count: number;
}

/** HostConfirmDeleteResult reports whether the user has agreed. */
export interface HostConfirmDeleteResult {
  confirmed: boolean;
}

/** HostExportParams select what to export. */
export interface HostExportParams {
  target: HistoryTarget;
}

/** HostFindPlacesParams are texts. */
export interface HostFindPlacesParams {
  texts: string[];
}

/** HostFindPlacesResult are the places in the texts; absent if the host has no files. */
export interface HostFindPlacesResult {
  places?: Place[];
}

/** HostFindFilesResult are paths; absent if the host has no files. */
export interface HostFindFilesResult {
  files?: string[];
}

/** HostSetPhrasesParams are the user's ready phrases. */
export interface HostSetPhrasesParams {
  phrases: string[];
}

/** HostOpenDiffParams are an agent's proposed edit. */
export interface HostOpenDiffParams {
  /** path is the file, for the view's title and language. */
  path: string;
  before: string;
  after: string;
}

/** HostFocusParams are the target of the keyboard focus. */
export interface HostFocusParams {
  on: HostFocusTarget;
  /** id is the question's id; if absent, the first that can be answered. */
  id?: string;
}

/** HostFocusTarget is a question, or the history's list or search. */
export type HostFocusTarget = "question" | "list" | "search";

/** HostAddQuotesParams are quotes for a draft. */
export interface HostAddQuotesParams {
  questionId: string;
  quotes: Quote[];
}

/** Role is the role of a token at a hub. */
export type Role = "agent" | "person";

/** Hub identifies the hub and the client's account. */
export interface Hub {
  /** name is the hub's display name. */
  name: string;
  /** account is the token's account. */
  account: string;
  role: Role;
}

/** RoleRefused is the data of an error with CodeForbidden if the role may not send the method at all. */
export interface RoleRefused {
  role: Role;
}

/** HubConnectParams name a hub. */
export interface HubConnectParams {
  /** url is the hub's address; empty for no hub. */
  url?: string;
  /** token is the user's token. It is only kept in memory. */
  token?: string;
  /** certificates is a PEM file of certificates to trust in addition to the system's. */
  certificates?: string;
}

/** HubLink is the state of a link to a hub. */
export type HubLink = "off" | "connecting" | "connected" | "refused";

/** HubState is the hub's state for the user. */
export interface HubState {
  state: HubLink;
  url?: string;
  /** name is the hub's own name; absent before the first link. */
  name?: string;
  /** account is the user's account; absent without a link. */
  account?: string;
  /** problem is why there is no link, in the user's language; absent if not known yet. */
  problem?: string;
}

/** InboxDidShowParams report whether the user would notice a question. */
export interface InboxDidShowParams {
  shown: boolean;
}

/** InboxListResult are the open questions, oldest first. */
export interface InboxListResult {
  questions: InboxEntry[];
}

/** InboxEntry is a summary of a question. */
export interface InboxEntry {
  questionId: string;
  agent: string;
  /** title is the question in one short line of plain text. */
  title: string;
  /** answerable means that the user can answer it now. Other windows' questions are only answerable if this window has none. */
  answerable: boolean;
}

/** InboxStatusResult is the state of the inbox in all processes that share the store. */
export interface InboxStatusResult {
  /** shown means that some process shows it to the user. */
  shown: boolean;
  /** storage is Inbox.Storage. Only this process shows questions that are not saved. */
  storage?: Storage;
  /** notOpened is why the store cannot be opened; absent while it is open. */
  notOpened?: StoreFailure;
}

/** StoreFailure is the reason why a store cannot be opened. */
export interface StoreFailure {
  reason: StoreReason;
  /** cause is the error in English, from the system or the store. */
  cause: string;
}

/** StoreReason is the kind of a StoreFailure, which decides what the user can do. */
export type StoreReason = "newer" | "notFolder" | "notWritable" | "full" | "inUse" | "other";

/** Inbox is a snapshot. */
export interface Inbox {
  /** items are the open questions, oldest first. */
  items: InboxItem[];
  /** more is the number of open questions that did not fit into the message. InboxDidChange sends them next. */
  more?: number;
  /** storage reports whether everything is saved on disk; absent without a storage folder. */
  storage?: Storage;
  /** hub is the team's hub whose questions are included; absent if none was ever set. */
  hub?: HubState;
}

/** Storage reports whether questions and answers are saved on disk. */
export interface Storage {
  /** saved is false while they are only in memory. The sidecar keeps trying and then saves them. */
  saved: boolean;
  /** problem says in the user's language what is wrong, or what was wrong if Saved is true; absent if there is nothing to report. */
  problem?: string;
  /** hung means that the keeper does not respond. The user can restart it. */
  hung?: boolean;
}

/** InboxChange is the changes since the snapshot or the previous change. Apply Removed, then Items, then Grown. */
export interface InboxChange {
  /** removed are ids of questions that were never complete: invalid, truncated, or withdrawn while they arrived. */
  removed?: string[];
  /** items are new, or replace those with the same id. A closed one has its outcome and is not sent again. */
  items?: InboxItem[];
  /** grown are the new parts of streaming questions. */
  grown?: InboxGrowth[];
  /** more is the number of questions of the snapshot that follow; absent when it is complete. */
  more?: number;
  /** storage is present if it changed. */
  storage?: Storage;
  /** hub is present if it changed. */
  hub?: HubState;
}

/** ItemState is the state of a question. */
export type ItemState = "streaming" | "pending" | "queued" | "held" | "closed";

/** Ask is the form of an item's payload. */
export type Ask = "followup" | "questions" | "approval";

/** InboxItem is a question in the inbox. */
export interface InboxItem extends Envelope {
  questionId: string;
  session: string;
  agent: string;
  tool: string;
  /** streamId is the stream that contained the question, if any. */
  streamId?: string;
  state: ItemState;
  /** ask names the form of Payload. */
  ask: Ask;
  /** payload is the question: complete, unless it is streaming. */
  payload: Payload;
  /** rendered is the payload's Markdown; absent while the question is streaming. */
  rendered?: Rendered;
  /** guidance marks a request for guidance. It is answered and dismissed like a question. */
  guidance?: Guidance;
  /** askedAt is when the question began to arrive, in milliseconds since 1970. */
  askedAt: number;
  /** order is a global sequence number, assigned when the question is asked. */
  order: number;
  /** readOnly is present if the user may not decide this approval. */
  readOnly?: ReadOnly;
  /** draft is the last saved draft; only on an open item. */
  draft?: Draft;
  /** workspaces are the conversation's folders. Interfaces show their own window's questions first. */
  workspaces?: WorkspaceFolder[];
  /** orphaned reports that no agent waits for the question. An answer is kept until an agent collects it. */
  orphaned?: boolean;
  /** timer is present while a timed choice is running; see TimerConfigure. */
  timer?: ItemTimer;
  /** outcome is how the question ended; only on a closed item. */
  outcome?: ItemOutcome;
  /** hub is the name of the team's hub that keeps the question; absent for the user's own. */
  hub?: string;
}

/** ReadOnly names the people who may decide an approval at a hub when the user may not. */
export interface ReadOnly {
  /** approvers are the names of people who see the approval and may decide it. */
  approvers: string[];
}

/** ItemTimer is the state of a timed choice. The sidecar runs the clock; interfaces count down from when they received this. */
export interface ItemTimer {
  /** left is the number of milliseconds until the first suggestion is chosen. */
  left: number;
}

/** Guidance is why the user is asked to help an agent. */
export interface Guidance {
  /** consecutiveMistakes is the number of invalid calls in a row. */
  consecutiveMistakes: number;
  /** error is the error of the last one. */
  error: CallError;
}

/** InboxGrowth is the new part of a streaming question. */
export interface InboxGrowth {
  questionId: string;
  /** text continues the question's text. */
  text?: string;
  /** suggest continues the suggestions; each is complete. */
  suggest?: Suggestion[];
  /** parts are the new parts of a questionnaire, in order. */
  parts?: PartGrowth[];
}

/** PartGrowth is the new part of one question of a questionnaire. */
export interface PartGrowth {
  /** index is the question's index from 0. The first growth with an index begins the question. */
  index: number;
  /** text continues the question's text. */
  text?: string;
  /** header is the question's header, once it is complete. */
  header?: string;
  /** options continue the options; each is complete. */
  options?: Option[];
  /** multiSelect is true as soon as it is known that several options may be chosen. */
  multiSelect?: boolean;
}

/** InitializeParams begins the handshake. It has the Language Server Protocol's params that Followup uses, and ignores others. */
export interface InitializeParams {
  /** processId is the parent's process id. The sidecar ends when that process does. 0 or null means no parent. */
  processId?: number;
  /** clientInfo names the editor, for the log. */
  clientInfo?: ClientInfo;
  /** trace is the initial level of message logging. */
  trace?: Trace;
  /** initializationOptions are Followup's own options. */
  initializationOptions: InitializationOptions;
}

/** InitializationOptions are an editor's options. */
export interface InitializationOptions {
  /** protocolVersion is the version that the editor speaks. */
  protocolVersion: number;
  /** locale is the editor's display language, a BCP 47 tag; English if absent or not supported. */
  locale?: string;
  /**
   * storageFolder is the absolute path of the storage folder. If absent, an editor with an EditorFolder uses the user's own
   * folder, which all processes share, and other clients store nothing.
   */
  storageFolder?: string;
  /**
   * editorFolder is the absolute path of the extension's storage folder in this editor. Other extensions, whose logs can be
   * imported, have sibling folders. Without a home folder, it is the storage folder.
   */
  editorFolder?: string;
  /**
   * logVariables are the variables of the client's environment that locate other tools' logs. If absent, the sidecar uses its own
   * environment.
   */
  logVariables?: Record<string, string>;
  /** workspaceFolders are the folders open in the editor. */
  workspaceFolders?: WorkspaceFolder[];
  /**
   * notShownAfter is how many milliseconds a pending question waits for an interface to subscribe before its outcome is notShown:
   * 10,000 by default. Negative means no limit.
   */
  notShownAfter?: number;
}

/** WorkspaceFolder is a folder of the editor's workspace. */
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
  /** hub is present if this is a hub. */
  hub?: Hub;
  /** capabilities is empty: the version alone determines what the sidecar can do. Language clients expect the field. */
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
  /** id is the request's id. */
  id: number | string;
}

/** SetTraceParams has the level of message logging. */
export interface SetTraceParams {
  /** value is the new level. */
  value: Trace;
}

/** PlaceFindParams are texts and absolute paths of folders. */
export interface PlaceFindParams {
  texts: string[];
  folders: string[];
}

/** PlaceFindResult are places, ordered by text and position. */
export interface PlaceFindResult {
  places: Place[];
}

/** Place is a place in a file that a text names. */
export interface Place {
  /** text is the text's index. */
  text: number;
  /** start is where the name begins in the text, in UTF-16 code units. */
  start: number;
  /** end is where the name ends, exclusive. */
  end: number;
  /** file is the absolute path. */
  file: string;
  /** line is counted from 1, as Column and EndLine are; absent if the text does not have it. */
  line?: number;
  column?: number;
  /** endLine is the last line of a range. */
  endLine?: number;
}

/** MailDescription is the confirmation. */
export interface MailDescription {
  /** question asks whether to write the email, and names the recipients. */
  question: string;
  /** detail is everything else in the link. */
  detail: string;
  /** button is the label of the button that confirms. */
  button: string;
}

/**
 * MarkdownNode is a node of an agent's Markdown: an element, or text if Kind is absent. No node is HTML. A page creates one element
 * per kind. For an unknown kind it shows the content.
 */
export interface MarkdownNode {
  kind?: MarkdownKind;
  /** text is the node's text, before its Nodes. Spaces and line breaks are significant. */
  text?: string;
  /** nodes are the node's children. */
  nodes?: MarkdownNode[];
  /** href is the target of a link: http, https or mailto, in ASCII. */
  href?: string;
  /** title is the target of a link, or of an image in one, unless its text shows it. */
  title?: string;
  /** language is the language of a code block: 1 to 32 letters, digits and the signs _+#.- */
  language?: string;
  /** marked means that an ordered list is not numbered 1, 2, 3: each item has its number in a marker. */
  marked?: boolean;
  /** align is the alignment of a table cell, if not the default. */
  align?: MarkdownAlign;
  /** direction is the direction of an isolate; if absent, that of its first letter. */
  direction?: MarkdownDirection;
}

/** MarkdownKind is the kind of an element. Code blocks and layouts have a fixed width. */
export type MarkdownKind = "paragraph" | "heading" | "rule" | "quote" | "list" | "orderedList" | "item" | "codeBlock" | "info" | "layout" | "table" | "tableHead" | "tableBody" | "row" | "headerCell" | "cell" | "break" | "emphasis" | "strong" | "deleted" | "code" | "link" | "image" | "marker" | "isolate" | "control" | "confusable" | "comment" | "string" | "number" | "keyword" | "inserted" | "removed" | "hunk";

/** MarkdownAlign is the alignment of a cell. */
export type MarkdownAlign = "center" | "right";

/** MarkdownDirection is the direction of an isolate. */
export type MarkdownDirection = "ltr" | "rtl";

/** NoticeAttendParams is the state of a window. */
export interface NoticeAttendParams {
  /** canNotify reports whether the window can show a notification at the moment. */
  canNotify: boolean;
  /** focused reports whether the window has the focus. */
  focused: boolean;
  /** visible reports whether the questions are on its screen. */
  visible: boolean;
  /** questions are the ids of questions shown in their own tabs. */
  questions?: string[];
  /** shown are the ids of questions with a notification from before the sidecar restarted. The sidecar reports when these end. */
  shown?: string[];
  /**
   * workspaceFolders are the window's folders, which replace those of the handshake. If present, NoticeDidChange
   * also has waiting, reveals and wide.
   */
  workspaceFolders?: WorkspaceFolder[];
}

/** NoticeConfigureParams is how the user wants to be notified of a question that they cannot see. */
export interface NoticeConfigureParams {
  /** editor enables notifications in the window, by NoticeDidChange. */
  editor: boolean;
  /** desktop enables desktop notifications on the sidecar's machine while no window has the focus. */
  desktop: boolean;
  /** sound enables a short sound on that machine while no window has the focus. */
  sound: boolean;
}

/** NoticeChange is what a window shows outside its page. */
export interface NoticeChange {
  /** notices are the new notifications. */
  notices?: Notice[];
  /** ended are ids of questions whose notification ends: they are closed, or the user sees them. */
  ended?: string[];
  /** waiting is present if it changed. */
  waiting?: Waiting;
  /** reveals are open questions of this window for which the page opens by itself, once each. Some may be repeated. */
  reveals?: string[];
  /** wide are new questions of this window with previews, to open in tabs. Some may be repeated. */
  wide?: InboxEntry[];
}

/** Waiting is what waits for the user. */
export interface Waiting {
  /** count is the number of open questions of this window, queued ones included. */
  count: number;
  /** answerable means that the user can answer some question, also one of another window. */
  answerable: boolean;
}

/** Notice is a notification of a question. Its texts are one short line of plain text; those from an agent are untrusted. */
export interface Notice {
  questionId: string;
  /** title names the asker, in the user's language. */
  title: string;
  /** text is the question, or the first of a questionnaire. */
  text: string;
  /** ask determines how a choice is sent: as the suggestion of QuestionAnswer, or as the only pick. */
  ask: Ask;
  /** choices are the first suggestions or options, in order; absent if one click cannot answer. */
  choices?: string[];
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

/** Envelope is metadata that accompanies a question in the request, the inbox item, the history entry and the store. */
export interface Envelope {
  /** context is the end of the agent's text just before the call, in Markdown, at most 16 KiB. Absent if unknown. */
  context?: string;
  /** to is the person or group to ask; only at a hub. If absent, everybody who sees the inbox. */
  to?: string;
  /**
   * inConversation means that the agent's client shows the question inside the conversation. Interfaces list it, but do not open
   * by themselves for it.
   */
  inConversation?: boolean;
  /**
   * noCancel means that the agent may stop waiting without reporting it, such as after Esc in its own dialog. Interfaces show that
   * to the user.
   */
  noCancel?: boolean;
  /** beside means that the agent's own dialog is open at the same time. The first answer counts, and the agent decides which one that is. */
  beside?: boolean;
  /** previousPlan is the text of the session's previous plan, if the call is a plan. Only the sidecar sets it. */
  previousPlan?: string;
  /** expires is when the question expires, in milliseconds since 1970. Absent: never. */
  expires?: number;
}

/** Followup is an ask_followup_question call in the standard form of the interface. */
export interface Followup {
  /** question is the text, trimmed. */
  question: string;
  /** suggest are the suggested answers in the agent's order; never nil in a valid call. */
  suggest: Suggestion[];
}

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

/** HistoryKind is the kind of an agent's request. */
export type HistoryKind = "question" | "approval" | "plan" | "guidance";

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

/** Option is one option of a question. */
export interface Option {
  /** label is the option's text, which is also the answer; unique within its question. */
  label: string;
  /** description explains the option. It may be empty. */
  description: string;
  /** preview is Markdown for a visual comparison of the options, with its white space; absent if the option has no preview. */
  preview?: string;
}

/** Outcome is how a question ended. */
export type Outcome = "answered" | "dismissed" | "replied" | "allowed" | "denied" | "withdrawn" | "expired" | "disconnected" | "notShown" | "invalid";

/** Pick is the user's choice for one question of a questionnaire. If it is empty, the question was skipped. */
export interface Pick {
  /** options are the indexes of the chosen options in ascending order; at most one unless several may be chosen. */
  options?: number[];
  /** other is the user's own words instead of an option, or in addition to options if several may be chosen. */
  other?: string;
  /** notes are words in addition to the choice. */
  notes?: string;
}

/** Provenance is the origin of an answer. */
export type Provenance = "clicked" | "chosen" | "edited" | "typed" | "timer";

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

/** Questionnaire is an AskUserQuestion call in its standard form. */
export interface Questionnaire {
  /** questions are one to four questions that are answered together. */
  questions: Question[];
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

/** Suggestion is one suggested answer. */
export interface Suggestion {
  /** answer is the text that is sent when the user chooses the suggestion. */
  answer: string;
  /** mode is the mode that the agent switches to with this answer. */
  mode?: string;
}

/** Payload is the content of a call: the standard form of its tool. On the wire it is that form itself. */
export type Payload = Followup | Questionnaire | Approval;

/**
 * Rendered is the parsed Markdown of a payload and its context: as nodes, and as plain text without marks and addresses for titles,
 * notifications and screen readers. If nodes are absent, the text is too long or has no Markdown: show the text itself. If a plain
 * text is absent, it equals the text.
 */
export interface Rendered {
  /** question is the question of ask_followup_question. */
  question?: MarkdownNode[];
  plainQuestion?: string;
  /** questions are those of AskUserQuestion, in order. */
  questions?: RenderedQuestion[];
  /**
   * subject is what an approval would allow: the Markdown of a plan, or the exact characters of anything else. Characters that are invisible,
   * change the direction of text or look like others are nodes of the kinds control and confusable. The same applies to Folder,
   * Path, Name and OtherArguments.
   */
  subject?: MarkdownNode[];
  /**
   * changes are the nodes of a plan and of the session's previous plan. Blocks that only one of them has are in nodes of the kinds
   * inserted and removed. Absent if both are the same, or there is no previous plan.
   */
  changes?: MarkdownNode[];
  cwd?: MarkdownNode[];
  path?: MarkdownNode[];
  name?: MarkdownNode[];
  otherArguments?: MarkdownNode[];
  /** context is the item's context. */
  context?: MarkdownNode[];
  plainContext?: string;
}

/** RenderedQuestion is the Markdown of one question of a questionnaire. */
export interface RenderedQuestion {
  /** question is the question's text. */
  question?: MarkdownNode[];
  plainQuestion?: string;
  /** options are in the order of the question's. */
  options: RenderedOption[];
}

/** RenderedOption is the Markdown of one option. */
export interface RenderedOption {
  /** description is the option's description. */
  description?: MarkdownNode[];
  plainDescription?: string;
  /** preview is the option's preview. */
  preview?: MarkdownNode[];
  plainPreview?: string;
}

/** PushListResult is the data of a page's settings. */
export interface PushListResult {
  /** key is the server's public key in base64url, for a browser's subscription. */
  key: string;
  browsers: PushReceiver[];
  /** addresses are those that running programs or the hub named. Their endpoints are identifiers for PushTest. */
  addresses: PushReceiver[];
}

/** PushReceiver is a browser or an address that gets notifications. */
export interface PushReceiver extends PushEndpoint {
  /** name is the receiver's display name. */
  name: string;
  /** after is how many milliseconds a question waits for an answer before the receiver is notified. */
  after: number;
  /** hidden omits the question: the notification only names the agent. */
  hidden?: boolean;
  /** lastAt is when the last message was delivered or failed, in milliseconds since 1970. Absent if there was none. */
  lastAt?: number;
  /** problem is why the last attempt failed, in English. Absent if it succeeded. */
  problem?: string;
}

/** PushEndpoint names a receiver. */
export interface PushEndpoint {
  /** endpoint is a browser's address at its push service. */
  endpoint: string;
}

/** PushDismissParams name a notification. */
export interface PushDismissParams extends PushEndpoint {
  tag: string;
}

/** PushSubscribeParams are a browser's subscription. */
export interface PushSubscribeParams extends PushEndpoint {
  /** p256dh is the browser's public key, in base64url. */
  p256dh: string;
  /** auth is the browser's secret, in base64url. */
  auth: string;
  name: string;
  after: number;
  hidden?: boolean;
  /**
   * silent means that the browser can show a notification without a sound, so that a replacement for a closed question disturbs
   * nobody.
   */
  silent?: boolean;
}

/** PushNotifyParams name an address. */
export interface PushNotifyParams {
  /** url is a webhook's address, or ntfy://HOST/TOPIC. */
  url: string;
  /** secret signs a webhook's requests (whsec_…), or is an access token of ntfy. */
  secret?: string;
  /** private permits addresses of this machine and of private networks, and plain HTTP. */
  private?: boolean;
  /** page is the address of the user's page, for links in notifications. */
  page?: string;
  after: number;
  hidden?: boolean;
}

/** NotifyEvent is the body of a webhook's request. */
export interface NotifyEvent {
  /** type is NotifyWaiting, NotifyOver or NotifyTest. */
  type: string;
  /** timestamp is the time of the event, as in RFC 3339. */
  timestamp: string;
  data: PushMessage;
}

/** PushMessage is a message to a browser's service worker, or to an address. */
export interface PushMessage {
  /** tag identifies the notification. One with the same tag replaces it. */
  tag: string;
  title: string;
  text?: string;
  /** questionId is the question to open; absent if there is none or there are several. */
  questionId?: string;
  /** url opens the question on the user's page. Absent for browsers, which know their own page. */
  url?: string;
  /** ask and Choices are as in Notice, with at most two choices. */
  ask?: Ask;
  choices?: string[];
  /** over means that none of the questions waits any more: the notification silently replaces the one with the same tag. */
  over?: boolean;
}

/** AskParams is a complete call. */
export interface AskParams extends Envelope {
  session: string;
  /** questionId is the caller's id: a UUID of version 7. */
  questionId: string;
  /** tool is the tool's name, such as ask_followup_question. */
  tool: string;
  /**
   * input is the call's arguments as the model wrote them: an object, or a string that contains one. An invalid call is not
   * rejected; the answer describes its errors.
   */
  input: unknown;
  /**
   * deadline is how many milliseconds the caller waits before it gets the outcome waiting; the question stays open. Absent or 0
   * means no limit.
   */
  deadline?: number;
  /**
   * rejoin means that the agent cannot name its session the same way after a restart. If no agent waits for an uncollected
   * question of another session with the same agent, folders, tool and content, the answer names that question. With an input that
   * awaits a question, its answer counts as collected, whatever session asked it.
   */
  rejoin?: boolean;
  /**
   * new means that the caller made the id for this request, and that neither was sent before. Only such a question is asked while the
   * store cannot be read; any other waits until the store can say whether it was asked before. A repetition must not have it.
   */
  new?: boolean;
  /** callback receives the outcome. It is stored until it is delivered or given up. */
  callback?: Callback;
  /** privateCallback permits a callback to this machine or a private network. At a hub, its administrator decides instead. */
  privateCallback?: boolean;
}

/** Callback is an address that receives a CallbackEvent when a question is closed. */
export interface Callback {
  /** url is the address: https, unless private addresses are permitted. */
  url: string;
  /**
   * secret signs the message as in Standard Webhooks: whsec_ and the base64 of 24 to 64 bytes. If absent, the message is not
   * signed.
   */
  secret?: string;
}

/** QuestionParams names a question. */
export interface QuestionParams {
  questionId: string;
}

/** WithdrawParams identify a question that is no longer needed. */
export interface WithdrawParams {
  questionId: string;
  /** outcome is why: withdrawn, expired, disconnected or notShown. If absent, withdrawn. */
  outcome?: Outcome;
  /** elsewhere means that the user answered in the agent's own dialog. */
  elsewhere?: boolean;
  /** text is that answer, if known. */
  text?: string;
  /** picks are that answer to a questionnaire, if known. */
  picks?: Pick[];
}

/** ConfirmParams are what an agent has done with a decision. */
export interface ConfirmParams {
  questionId: string;
  /** effective is the decision that took effect: allowed or denied. */
  effective: Outcome;
}

/** AnswerOutcome is the outcome for an agent. OutcomeWaiting means that the question is still open. */
export type AnswerOutcome = Outcome | "waiting";

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

/** Image is an image in an answer. */
export interface Image {
  /** mimeType is image/png, image/jpeg, image/gif or image/webp. */
  mimeType: string;
  /** data is base64 without a data: prefix; at most 2 MiB decoded. */
  data: string;
}

/** Quote is what the user added to an answer from the editor: a place in a file with its text, or a text from elsewhere. */
export interface Quote {
  /**
   * label is the quote's name, for the user and the agent: the path in the workspace with the lines, if any, as in
   * src/main.go:3-5, or a terminal's name.
   */
  label: string;
  /** location is the quote's place; absent outside documents. A whole file has an empty range. */
  location?: Location;
  /** text is the quoted text; absent if the place says it all. */
  text?: string;
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

/** AnswerParams is a user's answer. */
export interface AnswerParams {
  questionId: string;
  provenance: Provenance;
  /**
   * suggestion is the index of the clicked suggestion, or of the one that the text was edited from. A clicked answer's text and
   * mode are the sidecar's own record of that suggestion.
   */
  suggestion?: number;
  /**
   * text is the user's exact words; not blank unless there is an image. With a clicked suggestion it is additional, and the
   * provenance becomes chosen.
   */
  text?: string;
  /** mode is the mode of an edited suggestion, unless the user removed it. */
  mode?: string;
  /** images are at most 8 images. */
  images?: Image[];
  /** quotes are at most 20 quotes from the editor. */
  quotes?: Quote[];
  /**
   * picks answer a questionnaire, one per question in order. If present, Provenance, Suggestion, Text and Mode are ignored; the
   * sidecar determines the provenance itself.
   */
  picks?: Pick[];
}

/** DecideParams is a user's decision on an approval. */
export interface DecideParams {
  questionId: string;
  /** option is the id of the chosen option. */
  option: string;
  /**
   * digest identifies what the user saw: the SHA-256, in hexadecimal, of netstrings of the subject's kind, text, cwd, path,
   * before, after, name and otherArguments, and of the option's id, kind and label. To allow anything, it must match the sidecar's own. A
   * denial needs no digest.
   */
  digest?: string;
  /** text is the user's exact words. */
  text?: string;
  /** changed is the command as the user edited it. It requires Approval.Changeable, and an option that allows once. */
  changed?: string;
}

/** ReplyParams is a message about a questionnaire instead of answers. */
export interface ReplyParams {
  questionId: string;
  /** text is the user's exact words; not blank unless there is an image. */
  text: string;
  /** picks are the choices so far, one per question in order; empty if there are none. */
  picks?: Pick[];
  /** images are at most 8 images. */
  images?: Image[];
  /** quotes are at most 20 quotes from the editor. */
  quotes?: Quote[];
}

/** CloseResult is the result of an answer, a dismissal or a withdrawal. */
export interface CloseResult {
  /** accepted is false if the question already had an outcome, or a different one from another person. Nothing changed then. */
  accepted: boolean;
  /** outcome is the question's current outcome. */
  outcome: ItemOutcome;
}

/** SaveDraftParams is an unsent answer. */
export interface SaveDraftParams {
  questionId: string;
  draft: Draft;
}

/** SaveDraftResult reports whether a draft was saved. */
export interface SaveDraftResult {
  /**
   * missing are the hashes of unknown images that were sent without data. If there are any, nothing was saved: send the draft
   * again with their data.
   */
  missing?: string[];
  /** unkept means that nothing was saved, because the question has another person's draft. The caller keeps its own. */
  unkept?: boolean;
}

/** Draft is an unsent answer. */
export interface Draft {
  /** text is the content of the text box: the user's own answer, or a reply to a questionnaire. */
  text?: string;
  /** suggestion is the index of the suggestion that the text was edited from. */
  suggestion?: number;
  /** mode is the mode of that suggestion. */
  mode?: string;
  /** picks are the choices in a questionnaire so far, one per question in order. */
  picks?: PickDraft[];
  /** comments are the comments on a plan so far, in any order. */
  comments?: PlanComment[];
  /** step is the index of the shown question of the questionnaire; one past the last is the review. */
  step?: number;
  /** replying means that the text box for a reply is open. */
  replying?: boolean;
  /** images are the images added so far. */
  images?: DraftImage[];
  /** quotes are the quotes added from the editor so far. */
  quotes?: Quote[];
  /** changedAt is the time of the last change, in milliseconds since 1970. */
  changedAt?: number;
  /** by is the draft's owner at a hub. The hub sets it, and sends the draft to nobody else. */
  by?: string;
}

/** PlanComment is a comment on a paragraph of a plan, or on a passage in it. */
export interface PlanComment {
  /** paragraph is the index among the nodes of Rendered.Subject. */
  paragraph: number;
  /** passage is the selected text; empty if the comment is on the whole paragraph. */
  passage?: string;
  text: string;
}

/** PickDraft is an unsent choice for one question of a questionnaire. */
export interface PickDraft {
  /** options are the indexes of the chosen options. */
  options?: number[];
  /** other is the text in the box for the user's own words, chosen or not. */
  other?: string;
  /** otherChosen means that the user's own words are chosen. */
  otherChosen?: boolean;
  /** notes are words in addition to the choice. */
  notes?: string;
}

/** DraftImage is an image in a draft. */
export interface DraftImage {
  /**
   * hash identifies the image: the SHA-256, in hexadecimal, of the type, a line feed and the bytes. It may be absent if Data is
   * present.
   */
  hash?: string;
  /** mimeType is image/png, image/jpeg, image/gif or image/webp. */
  mimeType: string;
  /**
   * data is base64 without a data: prefix. It is absent if the other side already has the image: it was sent in either direction
   * for the same question since InboxSubscribe.
   */
  data?: string;
  /** name is the file's name, for its label; the agent does not get it. */
  name?: string;
}

/** QuestionListParams select a page of questions. */
export interface QuestionListParams {
  /** outcome is what the questions have in common; waiting means open. */
  outcome: AnswerOutcome;
  /** keyPrefix is how the keys of the sessions begin. A hub ignores it. */
  keyPrefix?: string;
  /** after is QuestionListResult.Next of the previous page; absent for the first page. */
  after?: string;
  /** limit is the maximum number of questions: 50 by default, at most 200. */
  limit?: number;
}

/** QuestionListResult is a page of questions. */
export interface QuestionListResult {
  /** questions have the outcomes without images. There may be fewer than the limit, even none, before the last page. */
  questions: Answer[];
  /** next selects the next page; absent on the last. */
  next?: string;
}

/** TimerConfigureParams are the user's setting. */
export interface TimerConfigureParams {
  /** after is the time in milliseconds (0 = never). 0 stops running timers. */
  after: number;
}

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

/** ResultTag is the name of the element around the user's words. */
export type ResultTag = "answer" | "user_message";

/** SessionOpenResult identifies the session. */
export interface SessionOpenResult {
  /** session is the session's id: a UUID that is always the same for the same agent and key. */
  session: string;
}

/** SessionParams names a session. */
export interface SessionParams {
  session: string;
}

/** SessionCloseParams name a session, and say when it ends. */
export interface SessionCloseParams {
  session: string;
  /** finish leaves the open questions to the user: the session ends with the last of them, unless it is opened again before. */
  finish?: boolean;
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

/** StreamParams name a stream of a session. */
export interface StreamParams {
  session: string;
  /** streamId is the caller's id: a UUID, new for each message. */
  streamId: string;
}

/** StreamAppendParams is a piece of the assistant's text: characters in Text, or bytes in Data. */
export interface StreamAppendParams {
  session: string;
  streamId: string;
  /** offset is the number of bytes of UTF-8 in the previous pieces of the text. */
  offset: number;
  /** text may end between any two characters. */
  text?: string;
  /** data is base64 (RFC 4648, section 4) of UTF-8 bytes that may end in the middle of a character. */
  data?: string;
}

/** StreamAppendToolInputParams is a fragment of a native call's arguments: characters in Fragment, or bytes in Data. */
export interface StreamAppendToolInputParams {
  session: string;
  streamId: string;
  /** callId distinguishes the calls of one message. */
  callId: string;
  tool: string;
  /** offset is the number of bytes of UTF-8 in the previous fragments of this call. */
  offset: number;
  /** fragment may end between any two characters. */
  fragment?: string;
  /** data is as for StreamAppend. */
  data?: string;
}

/** StreamEndParams ends a stream. */
export interface StreamEndParams {
  /** session is the stream's session, so that a stream without text can be ended too. */
  session: string;
  streamId: string;
  reason: StreamEndReason;
}

/** StreamEndReason is why a stream ended. */
export type StreamEndReason = "complete" | "aborted";

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

/** CallStatus reports whether a call is valid. */
export type CallStatus = "valid" | "invalid";

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

/** StreamDidPassTextParams is text outside calls. */
export interface StreamDidPassTextParams {
  session: string;
  streamId: string;
  /**
   * offset is the number of bytes of UTF-8 of such text before this one. Drop text that you already have: a resumed stream
   * passes on all of its text again.
   */
  offset: number;
  text: string;
}

/** What a page asks of its host. */
export interface Host {
  /** open announces that the page has opened, and returns the state of its host. */
  open(params: Record<string, never>): Promise<HostState>;
  /** readFiles reads files of the editor, in order. */
  readFiles(params: HostReadFilesParams): Promise<HostReadFilesResult>;
  /** copy puts a text into the clipboard. */
  copy(params: HostText): Promise<void>;
  /** confirmDelete asks the user whether to delete entries. */
  confirmDelete(params: HostConfirmDeleteParams): Promise<HostConfirmDeleteResult>;
  /** export starts the export guide. */
  export(params: HostExportParams): Promise<void>;
  /** openLink opens a link from an agent's text: http, https or mailto. The host asks the user first. */
  openLink(params: HostLink): Promise<void>;
  /** findPlaces finds places in files like PlaceFind, in the window's workspace folders. */
  findPlaces(params: HostFindPlacesParams): Promise<HostFindPlacesResult>;
  /** openPlace opens the first place that a text names in the editor. */
  openPlace(params: HostText): Promise<void>;
  /** findFiles finds the workspace's files whose paths contain the text, best first. It cancels the page's previous search. */
  findFiles(params: HostText): Promise<HostFindFilesResult>;
  /** didFocus is sent when a question gets the keyboard focus. */
  didFocus(params: QuestionParams): Promise<void>;
  /** setPhrases saves the user's phrases. */
  setPhrases(params: HostSetPhrasesParams): Promise<void>;
  /** openQuestion opens a question in an editor tab. */
  openQuestion(params: QuestionParams): Promise<void>;
  /** openDiff shows two texts of a file in a diff view, if HostState.Diffs is set. */
  openDiff(params: HostOpenDiffParams): Promise<void>;
  /** run runs a command. */
  run(params: HostRunParams): Promise<void>;
  /** didShow is sent when the history's filter changes, for commands that act on the shown entries. */
  didShow(params: HistoryMatching): Promise<void>;
}

/** CallbackClosed is the type of the only event. */
export const CallbackClosed = "question.closed";

/** CodeNotAsked is an error of a page's host: the request could not be sent to the sidecar. */
export const CodeNotAsked = -32001;

/**
 * Version is the protocol's version. Both sides send theirs in the handshake, and they must be equal. It increases with every
 * change that an older peer would misunderstand.
 */
export const Version = 1;

/** CodeNotInitialized means that the request was sent before initialize. */
export const CodeNotInitialized = -32002;

/** CodeCancelled means that the request was cancelled or its question was withdrawn. */
export const CodeCancelled = -32800;

/** CodeVersionMismatch means that the two sides speak different versions. */
export const CodeVersionMismatch = -32090;

/** CodeUnknown means that the sidecar does not know the session, stream or question. */
export const CodeUnknown = -32091;

/**
 * CodeRefused means that an answer or a dismissal is not acceptable. Its message is for the user, in their language. The
 * question does not change.
 */
export const CodeRefused = -32092;

/**
 * CodeForbidden means that a hub does not allow the method for the token's role, with RoleRefused as its data, or for its
 * account.
 */
export const CodeForbidden = -32093;

/** CodeBusy means that an account at a hub has too many open questions, or too many running requests. */
export const CodeBusy = -32094;

/**
 * CodeIncomplete means that a piece of the ended stream is missing: an offset was larger than what had arrived. Send the stream
 * again from its start, and end it again.
 */
export const CodeIncomplete = -32095;

/** CodeConflict means that another question has the id. */
export const CodeConflict = -32096;

/** NotifyWaiting means that questions wait for an answer, NotifyOver that none of them does any more. */
export const NotifyWaiting = "question.waiting";

export const NotifyOver = "question.over";

/** NotifyTest is a test. */
export const NotifyTest = "test";

/** ErrorUnknownQuestion is the code for an agent that waits for a question it has not asked. It does not count as a mistake. */
export const ErrorUnknownQuestion = "unknown_question";

/**
 * guideRun runs a guide. Its result has the messages to show at the end; its error says why it failed, in the user's language. It can be
 * cancelled.
 */
export const guideRun = { method: "guide/run" } as Request<GuideRunParams, GuideResult>;

/** guideAgain reports that the user has started the same guide while it is running. */
export const guideAgain = { method: "guide/again" } as Notification<Record<string, never>>;

/** guidePick asks the user to choose from a list. */
export const guidePick = { method: "guide/pick" } as Request<GuidePickParams, GuidePickResult>;

/** guideDescribe changes the description of an item while the list is shown. */
export const guideDescribe = { method: "guide/describe" } as Notification<GuideDescribeParams>;

/** guideInput asks the user to type a line. */
export const guideInput = { method: "guide/input" } as Request<GuideInputParams, GuideInputResult>;

/** guideShowText opens a text that cannot be edited. */
export const guideShowText = { method: "guide/showText" } as Request<GuideShowTextParams, Record<string, never>>;

/** guideOpenFiles asks the user to choose files or folders. */
export const guideOpenFiles = { method: "guide/openFiles" } as Request<GuideOpenFilesParams, GuideOpenFilesResult>;

/** guideSaveFile asks the user to choose the file to write. */
export const guideSaveFile = { method: "guide/saveFile" } as Request<GuideSaveFileParams, GuideSaveFileResult>;

/** guideWriteFile asks the editor to write a file that only it can write. */
export const guideWriteFile = { method: "guide/writeFile" } as Request<GuideWriteFileParams, Record<string, never>>;

/** guideShowMessage shows a message, and does not wait for the user. */
export const guideShowMessage = { method: "guide/showMessage" } as Notification<GuideMessage>;

/** guideCommand runs one of the extension's commands. */
export const guideCommand = { method: "guide/command" } as Notification<GuideCommandParams>;

/** guideProgress shows the progress of a guide. The first one opens the notification; the next request closes it. */
export const guideProgress = { method: "guide/progress" } as Notification<GuideProgressParams>;

/** guideForward forwards an address of this machine to the user's browser, and returns the address there. */
export const guideForward = { method: "guide/forward" } as Request<GuideAddress, GuideAddress>;

/** guideBrowse opens an address in the user's browser. */
export const guideBrowse = { method: "guide/browse" } as Request<GuideAddress, Record<string, never>>;

/** guideSaveHub saves the team's hub and the user's token in the editor. */
export const guideSaveHub = { method: "guide/saveHub" } as Request<HubConnectParams, Record<string, never>>;

/** historyList returns a page of entries, newest first. */
export const historyList = { method: "history/list" } as Request<HistoryListParams, HistoryPage>;

/** historySearch returns a page of entries that contain all words of a text. The last word may be a prefix. */
export const historySearch = { method: "history/search" } as Request<HistorySearchParams, HistoryPage>;

/** historyFacets returns the values that filters can have. */
export const historyFacets = { method: "history/facets" } as Request<Record<string, never>, HistoryFacetsResult>;

/** historyGet returns one entry with its images. */
export const historyGet = { method: "history/get" } as Request<QuestionParams, HistoryEntry>;

/** historyFind returns the open and closed questions whose ids have a prefix. */
export const historyFind = { method: "history/find" } as Request<HistoryFindParams, HistoryFindResult>;

/** historyDelete hides entries at once, and deletes them permanently after 10 s. Until then, HistoryRestore undoes it. */
export const historyDelete = { method: "history/delete" } as Request<HistoryDeleteParams, HistoryDeleteResult>;

/** historyRestore undoes a deletion within 10 s. A repetition returns the same result. */
export const historyRestore = { method: "history/restore" } as Request<HistoryRestoreParams, HistoryDeleteResult>;

/** historyText returns entries as text, for the clipboard or a file that the caller writes. It can be cancelled. */
export const historyText = { method: "history/text" } as Request<HistoryTextParams, HistoryTextResult>;

/** historyExport writes entries to a file. It can be cancelled. */
export const historyExport = { method: "history/export" } as Request<HistoryExportParams, HistoryExportResult>;

/**
 * historyImport imports other tools' logs. If it is cancelled, entries imported so far stay. If it fails, the error's data is
 * their HistoryImportResult.
 */
export const historyImport = { method: "history/import" } as Request<HistoryImportParams, HistoryImportResult>;

/** historyFindLogs returns where other tools keep logs on this machine. */
export const historyFindLogs = { method: "history/findLogs" } as Request<Record<string, never>, HistoryFindLogsResult>;

/** historyCountLogs returns the result that HistoryImport would have, and writes nothing. */
export const historyCountLogs = { method: "history/countLogs" } as Request<HistoryImportParams, HistoryImportResult>;

/** HistoryDidImport, from the sidecar, reports the progress of an import. */
export const historyDidImport = { method: "history/didImport" } as Notification<HistoryImportProgress>;

/** HistoryDidChange, from the sidecar, reports entries that were added without a request. */
export const historyDidChange = { method: "history/didChange" } as Notification<Record<string, never>>;

/** historyConfigure configures what the history keeps. */
export const historyConfigure = { method: "history/configure" } as Request<HistoryConfigureParams, Record<string, never>>;

/** hostDidChange has the fields of HostState that have changed. */
export const hostDidChange = { method: "host/didChange" } as Notification<HostChange>;

/** hostDidSaveDraft has a draft that another page of the window saved. */
export const hostDidSaveDraft = { method: "host/didSaveDraft" } as Notification<SaveDraftParams>;

/** hostDidSubscribe has a new snapshot of the inbox. */
export const hostDidSubscribe = { method: "host/didSubscribe" } as Notification<Inbox>;

/** hostFocus moves the keyboard focus. */
export const hostFocus = { method: "host/focus" } as Notification<HostFocusParams>;

/** hostAddQuotes adds quotes from the editor to the user's draft. */
export const hostAddQuotes = { method: "host/addQuotes" } as Notification<HostAddQuotesParams>;

/** hostClearClosed clears all closed cards without unsent words. */
export const hostClearClosed = { method: "host/clearClosed" } as Notification<Record<string, never>>;

/** hostDeleteAll deletes the whole history after the user has confirmed. */
export const hostDeleteAll = { method: "host/deleteAll" } as Notification<Record<string, never>>;

/**
 * hubConnect sets the hub, replacing the previous one. It returns when the link's state is known, or after 10 s; the keeper
 * keeps trying.
 */
export const hubConnect = { method: "hub/connect" } as Request<HubConnectParams, HubState>;

/** inboxSubscribe returns a snapshot of the open questions. InboxDidChange sends every later change. */
export const inboxSubscribe = { method: "inbox/subscribe" } as Request<Record<string, never>, Inbox>;

/**
 * InboxDidChange, from the sidecar, has the changes. Changes that a slow reader has not received yet are merged. Apply Removed,
 * then Items, then Grown.
 */
export const inboxDidChange = { method: "inbox/didChange" } as Notification<InboxChange>;

/** inboxDidShow reports whether the user can see the inbox here. Until it arrives, a subscriber counts as showing it. */
export const inboxDidShow = { method: "inbox/didShow" } as Notification<InboxDidShowParams>;

/** inboxList lists summaries of the open questions. */
export const inboxList = { method: "inbox/list" } as Request<Record<string, never>, InboxListResult>;

/** inboxStatus reports whether anybody could see a question, for clients that do not show the inbox. */
export const inboxStatus = { method: "inbox/status" } as Request<Record<string, never>, InboxStatusResult>;

/** initialize performs the handshake. All other requests fail before it. */
export const initialize = { method: "initialize" } as Request<InitializeParams, InitializeResult>;

/** initialized reports that the editor is ready. */
export const initialized = { method: "initialized" } as Notification<Record<string, never>>;

/** shutdown asks the sidecar to end. Only Exit may follow. */
export const shutdown = { method: "shutdown" } as Request<Record<string, never>, Record<string, never>>;

/** exit ends the process, with status 0 after Shutdown and 1 otherwise. */
export const exit = { method: "exit" } as Notification<Record<string, never>>;

/** cancelRequest cancels a running request and withdraws the question that it asked. */
export const cancelRequest = { method: "$/cancelRequest" } as Notification<CancelParams>;

/** setTrace sets the level of message logging. */
export const setTrace = { method: "$/setTrace" } as Notification<SetTraceParams>;

/** placeFind finds places in files that texts name, such as src/main.ts:12, if the files are in the given folders. */
export const placeFind = { method: "place/find" } as Request<PlaceFindParams, PlaceFindResult>;

/** mailDescribe describes in the user's language what a mailto: link does, for a confirmation. */
export const mailDescribe = { method: "mail/describe" } as Request<HostLink, MailDescription>;

/** noticeAttend reports the state of a window, at first and after each change. Without it, the window gets no notifications. */
export const noticeAttend = { method: "notice/attend" } as Notification<NoticeAttendParams>;

/** noticeConfigure sets how the user wants to be notified. Until then, only the window does. */
export const noticeConfigure = { method: "notice/configure" } as Notification<NoticeConfigureParams>;

/** NoticeDidChange, from the sidecar, has what the window shows outside its page. Apply Ended, then Notices. */
export const noticeDidChange = { method: "notice/didChange" } as Notification<NoticeChange>;

/** pushList lists the browsers and addresses to notify. */
export const pushList = { method: "push/list" } as Request<Record<string, never>, PushListResult>;

/** pushSubscribe adds a browser, or changes how it is notified. */
export const pushSubscribe = { method: "push/subscribe" } as Request<PushSubscribeParams, PushListResult>;

/** pushUnsubscribe removes a browser. */
export const pushUnsubscribe = { method: "push/unsubscribe" } as Request<PushEndpoint, PushListResult>;

/** pushTest sends a test message to a browser or an address, and returns when it was delivered or has failed. */
export const pushTest = { method: "push/test" } as Request<PushEndpoint, PushListResult>;

/** pushDismiss reports that a browser has removed a notification itself, so it needs no replacement when its question closes. */
export const pushDismiss = { method: "push/dismiss" } as Notification<PushDismissParams>;

/** pushNotify notifies an address until the request is cancelled. It only returns earlier if the address is refused. */
export const pushNotify = { method: "push/notify" } as Request<PushNotifyParams, Record<string, never>>;

/**
 * questionAsk asks a question by a complete call and returns the answer. A request with a known id waits for that
 * question, in whichever process it was asked. Cancelling it withdraws the question. With the input {"await": id} it waits for
 * an earlier question of the same agent and asks nothing.
 */
export const questionAsk = { method: "question/ask" } as Request<AskParams, Answer>;

/** questionAwait waits for an earlier question. Cancelling it only ends the wait. */
export const questionAwait = { method: "question/await" } as Request<QuestionParams, Answer>;

/** questionWithdraw takes a question back. If its outcome is withdrawn, requests that wait for it fail with CodeCancelled. */
export const questionWithdraw = { method: "question/withdraw" } as Request<WithdrawParams, CloseResult>;

/**
 * questionList returns a page of an asker's questions, newest first: those of the account at a hub, otherwise those of the sessions
 * with a prefix of keys. Nothing counts as collected.
 */
export const questionList = { method: "question/list" } as Request<QuestionListParams, QuestionListResult>;

/** questionAnswer answers a pending question. It is idempotent: the first outcome stays. */
export const questionAnswer = { method: "question/answer" } as Request<AnswerParams, CloseResult>;

/**
 * questionReply sends the agent a message about a questionnaire instead of answers, with the choices made so far. It is
 * idempotent like QuestionAnswer.
 */
export const questionReply = { method: "question/reply" } as Request<ReplyParams, CloseResult>;

/** questionDecide allows or denies a pending approval. Nothing else does. It is idempotent like QuestionAnswer. */
export const questionDecide = { method: "question/decide" } as Request<DecideParams, CloseResult>;

/**
 * questionConfirm records which decision on an approval took effect in the agent, if the agent's own dialog was open, too. It is
 * idempotent like QuestionAnswer.
 */
export const questionConfirm = { method: "question/confirm" } as Request<ConfirmParams, CloseResult>;

/** questionDismiss declines to answer. The agent shows its own dialog for an approval. */
export const questionDismiss = { method: "question/dismiss" } as Request<QuestionParams, CloseResult>;

/**
 * questionSaveDraft saves the user's unsent answer to an open question, and returns once it is saved. An empty draft deletes the
 * saved one, and a draft older than the saved one is ignored. Each image is sent once, later only its hash. A question has one
 * draft. At a hub it belongs to the first person who began one, until it is empty again.
 */
export const questionSaveDraft = { method: "question/saveDraft" } as Request<SaveDraftParams, SaveDraftResult>;

/**
 * timerConfigure sets the time after which the first suggestion of a question is chosen for the user. It is off unless the
 * user enables it, and never applies to guidance or to a questionnaire with more than one question.
 */
export const timerConfigure = { method: "timer/configure" } as Request<TimerConfigureParams, Record<string, never>>;

/**
 * questionTouch reports that the user is at a question, which stops its timed choice permanently in all windows. Saving a draft
 * does the same.
 */
export const questionTouch = { method: "question/touch" } as Request<QuestionParams, Record<string, never>>;

/** sessionOpen opens a session, or finds the open one with the same agent and key. */
export const sessionOpen = { method: "session/open" } as Request<SessionOpenParams, SessionOpenResult>;

/** sessionGet returns a session's state. */
export const sessionGet = { method: "session/get" } as Request<SessionParams, SessionState>;

/** sessionClose withdraws a session's open questions and ends it. */
export const sessionClose = { method: "session/close" } as Request<SessionCloseParams, Record<string, never>>;

/**
 * streamResume announces that a stream which another connection or process began to read follows from offset 0. Calls that were
 * already read keep their ids, answers and counts. It comes before the first piece.
 */
export const streamResume = { method: "stream/resume" } as Notification<StreamParams>;

/** streamAppend sends a piece of the assistant's text, in order. */
export const streamAppend = { method: "stream/append" } as Notification<StreamAppendParams>;

/** streamAppendToolInput sends a fragment of a native tool call's JSON arguments, in order. */
export const streamAppendToolInput = { method: "stream/appendToolInput" } as Notification<StreamAppendToolInputParams>;

/** streamEnd ends a stream and returns the calls in it. It never waits for the user. */
export const streamEnd = { method: "stream/end" } as Request<StreamEndParams, StreamEndResult>;

/** StreamDidPassText, from the sidecar, passes on text outside calls, in order. */
export const streamDidPassText = { method: "stream/didPassText" } as Notification<StreamDidPassTextParams>;

/**
 * interfaceMethods are the methods that a page may send. The pipe rejects other requests with MethodNotFound, drops other
 * notifications, and logs both.
 */
export const interfaceMethods: ReadonlySet<string> = new Set([
  cancelRequest.method,
  inboxSubscribe.method,
  inboxDidShow.method,
  noticeAttend.method,
  questionAnswer.method,
  questionReply.method,
  questionDecide.method,
  questionDismiss.method,
  questionSaveDraft.method,
  questionTouch.method,
  historyList.method,
  historySearch.method,
  historyFacets.method,
  historyGet.method,
  historyDelete.method,
  historyRestore.method,
  historyText.method,
  pushList.method,
  pushSubscribe.method,
  pushUnsubscribe.method,
  pushTest.method,
  pushDismiss.method,
]);

/** interfaceNotifications are the sidecar's notifications that a page receives. */
export const interfaceNotifications: ReadonlySet<string> = new Set([
  inboxDidChange.method,
  noticeDidChange.method,
  historyDidChange.method,
]);

