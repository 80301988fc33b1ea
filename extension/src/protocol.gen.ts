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

/** AskResult is what became of a question, for programs: `followup ask --json` prints it, and the HTTP API answers with it. */
export interface AskResult {
  /** questionId is the question's id. */
  questionId?: string;
  /** outcome is how the question ended, or waiting while it is open. */
  outcome: AnswerOutcome;
  /** provenance is where the answer came from, if there is one. */
  provenance?: Provenance;
  /** text is the user's words, or what they chose, one a line. It is empty without an answer. */
  text: string;
  /** structured is what there is to say beyond the text. It has the answers to a questionnaire. */
  structured?: Structured;
  /** images are those that the user added. */
  images?: Image[];
}

/**
 * APIQuestion is a question that a program asks over HTTP. It has the arguments of ask_followup_question (question and follow_up), or
 * those of AskUserQuestion (questions).
 */
export interface APIQuestion {
  /**
   * id is the question's id, a UUID; version 7 is best. Asking again with the same id and content is safe: nothing is asked twice.
   * Absent: the server makes one.
   */
  id?: string;
  /** agent is the name of the program as the user sees it. Absent: HTTP. */
  agent?: string;
  /** workspace is the folder that the question is about: an absolute path or a file URI. */
  workspace?: string;
  /** question is the question, in Markdown. */
  question?: string;
  /** follow_up are the suggested answers: texts, or objects with answer. */
  follow_up?: unknown;
  /** questions are several questions with options, as AskUserQuestion has them. */
  questions?: unknown;
  /** to is the person or group that the question is for; only at a hub. Absent: everybody. */
  to?: string;
  /** expires is after how long the question is withdrawn, such as 90s, 30m or 12h. Absent: never. */
  expires?: string;
  /** callback is an address that gets the outcome. */
  callback?: Callback;
}

/** CallbackEvent is what a callback gets. */
export interface CallbackEvent {
  /** type is question.closed. */
  type: string;
  /** timestamp is when the question was closed, by RFC 3339. */
  timestamp: string;
  /** data is what became of the question. */
  data: AskResult;
}

/** Problem is why a request over HTTP failed, by RFC 9457. */
export interface Problem {
  /** type is about:blank: the status says what kind of problem it is. */
  type: string;
  /** title is the status in words. */
  title: string;
  /** status is the status of the response. */
  status: number;
  /** detail says what is wrong, for people. */
  detail: string;
  /** code is that of an invalid question, one of those in section "Errors" of docs/protocol.md. */
  code?: string;
}

/** SaveDraftParams is what the user has begun. */
export interface SaveDraftParams {
  questionId: string;
  draft: Draft;
}

/** SaveDraftResult tells whether a draft was kept. */
export interface SaveDraftResult {
  /** missing are the hashes of images that came without data and are not known. Nothing was kept then: send it again with them. */
  missing?: string[];
  /** unkept tells that nothing was kept, since somebody else's draft stands there: whoever sent it keeps it themselves. */
  unkept?: boolean;
}

/** Draft is an answer that has not been given yet. */
export interface Draft {
  /** text stands in the text box: the user's own answer, or, of a questionnaire, a reply. */
  text?: string;
  /** suggestion is the index of the suggestion that the text came from. */
  suggestion?: number;
  /** mode goes with that suggestion. */
  mode?: string;
  /** picks are what was chosen so far of a questionnaire, one for each question in order. */
  picks?: PickDraft[];
  /** comments are those on a plan so far, in any order. */
  comments?: PlanComment[];
  /** step is the question of the questionnaire that is shown; one past the last is the review. */
  step?: number;
  /** replying tells that the text box for a reply is open. */
  replying?: boolean;
  /** images are those added so far. */
  images?: DraftImage[];
  /** quotes are what was added from the editor so far. */
  quotes?: Quote[];
  /** changedAt is when it was last changed, in milliseconds since 1970. */
  changedAt?: number;
  /** by is whose it is, at a hub, which sets it: nobody else is told of it. */
  by?: string;
}

/** PlanComment is a comment on a paragraph of a plan, or on a passage in it. */
export interface PlanComment {
  /** paragraph is its index among the nodes of Rendered.Subject. */
  paragraph: number;
  /** passage is what the user selected; empty if the comment is on the whole paragraph. */
  passage?: string;
  text: string;
}

/** PickDraft is what was begun for one question of a questionnaire. */
export interface PickDraft {
  /** options are the indexes of the options that are chosen. */
  options?: number[];
  /** other is what stands in the box for own words, whether or not it is chosen. */
  other?: string;
  /** otherChosen tells that the own words are chosen. */
  otherChosen?: boolean;
  /** notes are the words beside the choice. */
  notes?: string;
}

/** DraftImage is an image that was added to a draft. */
export interface DraftImage {
  /**
   * hash names the image: the SHA-256, in hexadecimal digits, of the type, a line feed and the bytes. It may be left out
   * where there is Data.
   */
  hash?: string;
  /** mimeType is image/png, image/jpeg, image/gif or image/webp. */
  mimeType: string;
  /**
   * data is base64 without a data: prefix. It is left out of an image that the other side has: one that was sent, in either
   * direction, for the same question since inbox/subscribe.
   */
  data?: string;
  /** name is the file's, for its label; not sent to the agent. */
  name?: string;
}

/** GuideName names a guide. */
export type GuideName = "connect" | "export" | "hub" | "import" | "sample" | "browser";

/** GuideRunParams start a guide. */
export interface GuideRunParams {
  guide: GuideName;
  /** options are those of the editor's handshake. */
  options: InitializationOptions;
  /** Agents, of connect, are the agents to connect without asking, in place of those that are connected. */
  agents?: string[];
  /**
   * approvals are the tools whose requests for permission each of the Agents brings into the inbox: none for an absent one, all for an
   * empty list.
   */
  approvals?: Record<string, string[]>;
  /** undo has Agents connected, even if there are none. */
  undo?: boolean;
  /** Target, of export, is what to export; absent: the user chooses. */
  target?: HistoryTarget;
  /** Shown, of export, is what the history shows at the moment, if it is narrowed. */
  shown?: HistoryMatching;
  /** Hub, of hub, is what is set: its token is absent. */
  hub?: HubConnectParams;
}

/** HistoryTarget is what an action on the history is about: one of the two. */
export type HistoryTarget = HistoryEntries | HistoryMatching;

/** HistoryEntries are entries by their ids. */
export interface HistoryEntries {
  questionIds: string[];
}

/** HistoryMatching is all that a text and a filter let through, which may narrow nothing. */
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

/** GuideButton does one thing: it opens a file, runs a command of the extension's, or starts a guide. */
export interface GuideButton {
  title: string;
  /** open are files, by their URIs; of several the user chooses one. */
  open?: string[];
  command?: string;
  guide?: GuideRunParams;
}

/** GuideCommandParams name a command of the extension's. */
export interface GuideCommandParams {
  command: string;
}

/** GuidePickParams are a list, with the editor's own names. */
export interface GuidePickParams {
  title: string;
  placeholder?: string;
  /** canSelectMany lets the user choose several; else one. */
  canSelectMany?: boolean;
  items: GuideItem[];
}

/** GuideItem is an item of a list. */
export interface GuideItem {
  label: string;
  description?: string;
  detail?: string;
  /** icon is one of the editor's. */
  icon?: string;
  /** picked is chosen unless the user changes that, of a list with Many. */
  picked?: boolean;
}

/** GuidePickResult are the indexes of the chosen items. */
export interface GuidePickResult {
  /** chosen is absent where the user has left. */
  chosen?: number[];
}

/** GuideDescribeParams describe an item. */
export interface GuideDescribeParams {
  item: number;
  description: string;
}

/** GuideInputParams are a line to type, with the editor's own names. */
export interface GuideInputParams {
  prompt: string;
  placeHolder?: string;
  value?: string;
  password?: boolean;
  /** problem is what is wrong with Value. */
  problem?: string;
}

/** GuideInputResult is what was typed. */
export interface GuideInputResult {
  /** text is absent where the user has left. */
  text?: string;
}

/** GuideConfirmParams are a question with one button besides Cancel. */
export interface GuideConfirmParams {
  text: string;
  detail: string;
  button: string;
}

/** GuideConfirmResult reports whether the user has agreed. */
export interface GuideConfirmResult {
  agreed: boolean;
}

/** GuideOpenFilesParams are a dialog for existing files, or folders, with the editor's own names. Not every system's dialog can choose both. */
export interface GuideOpenFilesParams {
  title: string;
  openLabel: string;
  canSelectFiles: boolean;
  canSelectFolders: boolean;
  canSelectMany: boolean;
  /** filters are extensions without dots, by their names. */
  filters?: Record<string, string[]>;
}

/** GuideOpenFilesResult are the chosen paths. */
export interface GuideOpenFilesResult {
  /** paths is absent where the user has left. */
  paths?: string[];
}

/** GuideSaveFileParams are a dialog for a new file, with the editor's own names. */
export interface GuideSaveFileParams {
  title: string;
  saveLabel: string;
  /** name is what is proposed. */
  name: string;
  filters?: Record<string, string[]>;
}

/** GuideSaveFileResult is the chosen file. */
export interface GuideSaveFileResult {
  /** uri is absent where the user has left. Path is the file's on this machine; absent where only the editor can write it. */
  uri?: string;
  path?: string;
}

/** GuideWriteFileParams are a file's content. */
export interface GuideWriteFileParams {
  uri: string;
  text: string;
}

/** GuideProgressParams are how far a guide has come. */
export interface GuideProgressParams {
  title: string;
  message?: string;
  /** increment is what has been done since the one before, in percent; 0 where that is not known. */
  increment?: number;
  /** fixed means that the user cannot cancel it. */
  fixed?: boolean;
}

/** GuideAddress is an address. */
export interface GuideAddress {
  address: string;
}

/** HistoryKind is what an agent wanted of the user. */
export type HistoryKind = "question" | "approval" | "plan" | "guidance";

/** HistoryFilter narrows the history; an absent field narrows nothing. */
export interface HistoryFilter {
  /** agents are agents' names. */
  agents?: string[];
  /** workspaces are URIs of workspace folders. */
  workspaces?: string[];
  kinds?: HistoryKind[];
  /** outcomes are those of ItemOutcome. */
  outcomes?: Outcome[];
  /** from and To bound when the entry was closed, in milliseconds since 1970; To is exclusive. */
  from?: number;
  to?: number;
}

/** HistoryListParams asks for a page. */
export interface HistoryListParams {
  filter?: HistoryFilter;
  /** after is the Next of the page before; absent: the first page. */
  after?: string;
  /** limit is how many entries at most; absent: 50, at most 200. */
  limit?: number;
}

/** HistorySearchParams asks for a page of what holds a text. */
export interface HistorySearchParams {
  /** text is what the user typed. */
  text: string;
  filter?: HistoryFilter;
  after?: string;
  limit?: number;
  /** shortIds adds HistoryEntry.ShortID. */
  shortIds?: boolean;
  /** plain leaves Rendered out, for a client that shows no page. */
  plain?: boolean;
}

/** HistoryPage is a page of the history. */
export interface HistoryPage {
  entries: HistoryEntry[];
  /** next asks for the page that follows; absent on the last. */
  next?: string;
  /** saved is false where history is not being kept on disk, and Problem says why. */
  saved: boolean;
  problem?: string;
  /** shared tells that the history is a hub's: nothing of it is deleted by those who read it. */
  shared?: boolean;
}

/** HistoryEntry is one question and its outcome. */
export interface HistoryEntry extends Envelope {
  questionId: string;
  kind: HistoryKind;
  /** shortId is the shortest beginning of QuestionID, of 8 characters at least, that no other question's id has; only with ShortIDs. */
  shortId?: string;
  agent: string;
  /** workspace is the URI of the workspace folder that it was asked in; absent when there was none. */
  workspace?: string;
  tool: string;
  /** source is the tool whose log it was imported from; absent for Followup's own. */
  source?: string;
  /** payload is everything that was offered; absent for an invalid call. */
  payload?: Payload;
  rendered?: Rendered;
  /** error tells why a call was invalid. */
  error?: CallError;
  /** guidance marks a request for guidance. */
  guidance?: Guidance;
  /** askedAt is in milliseconds since 1970; absent where an imported log does not tell. */
  askedAt?: number;
  outcome: ItemOutcome;
  /** shortened tells that long texts were cut for the page; history/get gives them whole. */
  shortened?: boolean;
  /** images are the answer's; only from history/get. */
  images?: Image[];
  /** collected is false while the agent that asked has not been given the answer. */
  collected: boolean;
  /** matches are the words that a search found in the entry's texts, each once; only from history/search, unless Plain. */
  matches?: HistoryMatch[];
  /** excerpt is a line with the first match in it, if neither the question nor the answer begins with one. */
  excerpt?: string;
}

/** HistoryMatch is a word as a text has it, all letters, digits and combining marks in a row, and the part of it to mark. */
export interface HistoryMatch {
  word: string;
  /** start and End are in UTF-16 code units. */
  start: number;
  end: number;
}

/** HistoryFindParams names questions by the beginning of their ids. */
export interface HistoryFindParams {
  /** prefix is the beginning, or a whole id, which is given alone. */
  prefix: string;
  /** limit is how many questions at most; absent: 10, at most 50. */
  limit?: number;
}

/** HistoryFindResult is what was found, in the order of the ids. */
export interface HistoryFindResult {
  questions: FoundQuestion[];
  /** more tells that there are others. */
  more?: boolean;
}

/** FoundQuestion is a question by its id: one of Entry and Item is there. */
export interface FoundQuestion {
  /** entry is a closed question, with its images. */
  entry?: HistoryEntry;
  /** item is an open one. */
  item?: InboxItem;
}

/** HistoryFacetsResult tells what the filters can name. */
export interface HistoryFacetsResult {
  agents: string[];
  workspaces: string[];
}

/** HistoryDeleteParams names what is deleted: entries, or all that a filter and a text let through. */
export interface HistoryDeleteParams {
  questionIds?: string[];
  /** all deletes everything that Filter and Text let through, instead of QuestionIDs. */
  all?: boolean;
  filter?: HistoryFilter;
  text?: string;
  /** countOnly deletes nothing: it tells how many entries would be deleted, so that the user can be asked. */
  countOnly?: boolean;
}

/** HistoryDeleteResult tells what was deleted, or restored. */
export interface HistoryDeleteResult {
  /** count is how many entries. */
  count: number;
  /** undo restores them; absent when nothing was deleted. */
  undo?: string;
  /** undoUntil is when that ends, in milliseconds since 1970. */
  undoUntil?: number;
}

/** HistoryRestoreParams undoes a deletion. */
export interface HistoryRestoreParams {
  /** undo is the deletion's. */
  undo: string;
}

/** HistoryFormat is a form of export. */
export type HistoryFormat = "markdown" | "json";

/** HistoryTextParams names what is given, and in which form. */
export interface HistoryTextParams {
  format: HistoryFormat;
  /** questionIds names entries; absent: all that Filter and Text let through. */
  questionIds?: string[];
  filter?: HistoryFilter;
  text?: string;
}

/** HistoryTextResult is what was asked for. */
export interface HistoryTextResult {
  /** count is how many entries. */
  count: number;
  /** text is 4 MiB at most; more is refused. */
  text: string;
}

/** HistoryExportParams names what is exported, in which form, and where to. */
export interface HistoryExportParams {
  format: HistoryFormat;
  /** questionIds names entries; absent: all that Filter and Text let through. */
  questionIds?: string[];
  filter?: HistoryFilter;
  text?: string;
  /** path is the file to write, absolute. */
  path: string;
}

/** HistoryExportResult tells what was exported. */
export interface HistoryExportResult {
  count: number;
}

/** HistoryFindLogsResult tells where other tools keep logs. */
export interface HistoryFindLogsResult {
  places: LogPlace[];
}

/** LogPlace is where one tool keeps logs. */
export interface LogPlace {
  /** tool is its name. */
  tool: string;
  /** paths are files and folders, absolute. */
  paths: string[];
}

/** HistoryImportParams names logs of other tools. */
export interface HistoryImportParams {
  /** paths are files or folders, absolute. */
  paths: string[];
  /** token is the caller's, for HistoryDidImport, also while logs are only counted; absent: no progress is told. */
  token?: string;
}

/** HistoryImportProgress tells how far an import, or a count, has come. */
export interface HistoryImportProgress {
  token: string;
  /** read and Total are bytes; Total is 0 while it is not known. */
  read: number;
  total?: number;
  /** found is how many exchanges have been found so far. */
  found: number;
}

/** HistoryImportResult tells what an import brought. */
export interface HistoryImportResult {
  /** added are new entries, Known those that had been imported before. */
  added: number;
  known: number;
  /** unanswered are questions in the logs that have no answer there. */
  unanswered: number;
  /** files is how many were read. */
  files: number;
  /** skippedCount is how many files were not read: of no known kind, unreadable, no files at all; Skipped tells of the first 20. */
  skippedCount: number;
  skipped: DamagedRecord[];
  /** damagedCount is how many lines could not be read; Damaged tells of the first 20. */
  damagedCount: number;
  damaged: DamagedRecord[];
  /** summary is all that in the user's words, of HistoryImport. */
  summary?: string;
}

/** DamagedRecord is a line of a log that could not be read, or a file. */
export interface DamagedRecord {
  file: string;
  /** line is counted from 1; 0 when it is about the file as a whole. */
  line: number;
  reason: string;
}

/** HistoryConfigureParams sets what is kept, for all windows that use the same storage folder. */
export interface HistoryConfigureParams {
  /** keep is false to keep nothing but what is still open. */
  keep: boolean;
  /** retentionDays is after how many days an entry is removed; 0: never. */
  retentionDays: number;
  /** keepImporting imports what comes to the places of HistoryFindLogs; absent: not. */
  keepImporting?: boolean;
}

/** HostState is what a page knows of its host. */
export interface HostState {
  /** strings are those of the interface in the user's language, by key; English where one is missing. */
  strings: Record<string, string>;
  /** locale is the user's language, a BCP 47 tag. */
  locale: string;
  /** folders are the workspace folders of the host's window, as URIs. */
  folders: string[];
  /** keep says whether a history is kept at all. */
  keep: boolean;
  /** phrases are the user's ready phrases. */
  phrases: string[];
  /** only is the one question that this page shows; absent where it shows all. */
  only?: string;
  /** commands are those of a page's that the host can do; the others are not offered. */
  commands: HostCommand[];
  /** diffs reports that the host has a diff view. */
  diffs?: boolean;
  /** trouble is null when all is well. While there is trouble cards stay, and nothing can be sent. */
  trouble: HostTroubleOrNull;
}

/** HostChange is what has changed of HostState. */
export interface HostChange {
  strings?: Record<string, string>;
  locale?: string;
  folders?: string[];
  keep?: boolean;
  phrases?: string[];
  only?: string;
  commands?: HostCommand[];
  diffs?: boolean;
  /** trouble is null when it is over. */
  trouble?: HostTroubleOrNull;
}

/** HostTrouble is trouble with the sidecar. */
export interface HostTrouble {
  message: string;
  restarting: boolean;
}

/** HostTroubleOrNull is trouble, or null. */
export type HostTroubleOrNull = HostTrouble | null;

/** HostCommand is what a page can have its host do. */
export type HostCommand = "askSample" | "connectAgents" | "connectHub" | "escape" | "import" | "openLog" | "openQuestion" | "openSettings" | "restart";

/** HostRunParams name a command. */
export interface HostRunParams {
  command: HostCommand;
}

/** HostText is a text. */
export interface HostText {
  text: string;
}

/** HostLink is a link in what an agent wrote. */
export interface HostLink {
  href: string;
}

/** HostReadFilesParams name files by their URIs: at most Room images of at most Bytes each are read. */
export interface HostReadFilesParams {
  uris: string[];
  room: number;
  bytes: number;
}

/** HostReadFilesResult are the files in their order. */
export interface HostReadFilesResult {
  files: EditorFile[];
}

/** EditorFile is a file of the editor's that was dropped on a card: one of the three. */
export type EditorFile = EditorImage | EditorPath | EditorRefusal;

/** EditorImage is an image. */
export interface EditorImage {
  name: string;
  /** image is in base64. */
  image: string;
}

/** EditorPath is anything else. */
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

/** HostConfirmDeleteParams tell how many entries are to be deleted. */
export interface HostConfirmDeleteParams {
  count: number;
}

/** HostConfirmDeleteResult reports whether the user has agreed. */
export interface HostConfirmDeleteResult {
  confirmed: boolean;
}

/** HostExportParams name what is exported. */
export interface HostExportParams {
  target: HistoryTarget;
}

/** HostFindPlacesParams are texts. */
export interface HostFindPlacesParams {
  texts: string[];
}

/** HostFindPlacesResult are the places in the texts; absent where the host has no files. */
export interface HostFindPlacesResult {
  places?: Place[];
}

/** HostFindFilesResult are paths; absent where the host has no files. */
export interface HostFindFilesResult {
  files?: string[];
}

/** HostSetPhrasesParams are the user's ready phrases. */
export interface HostSetPhrasesParams {
  phrases: string[];
}

/** HostOpenDiffParams are what an agent wants to change. */
export interface HostOpenDiffParams {
  /** path is the file's, from which the view takes its title and the language. */
  path: string;
  before: string;
  after: string;
}

/** HostFocusParams say where the keyboard focus is to go. */
export interface HostFocusParams {
  on: HostFocusTarget;
  /** id is the question's; absent: the first that can be answered. */
  id?: string;
}

/** HostFocusTarget is a question, or the history's list or search. */
export type HostFocusTarget = "question" | "list" | "search";

/** HostAddQuotesParams are quotes for a draft. */
export interface HostAddQuotesParams {
  questionId: string;
  quotes: Quote[];
}

/** Role is what the holder of a token does at a hub. */
export type Role = "agent" | "person";

/** Hub tells a client of a hub where it is, and as whom. */
export interface Hub {
  /** name is the hub's, as people know it. */
  name: string;
  /** account is whose token was shown. */
  account: string;
  role: Role;
}

/** RoleRefused is the data of an error with CodeForbidden where the whole method is not the role's. */
export interface RoleRefused {
  role: Role;
}

/** HubConnectParams name a hub. */
export interface HubConnectParams {
  /** url is its address; empty: there is none any more. */
  url?: string;
  /** token is the user's. It is kept in memory alone. */
  token?: string;
  /** certificates is a file with certificates in PEM that are trusted besides the system's. */
  certificates?: string;
}

/** HubLink is whether there is a link to a hub. */
export type HubLink = "off" | "connecting" | "connected" | "refused";

/** HubState is a hub as the user sees it. */
export interface HubState {
  state: HubLink;
  url?: string;
  /** name is what the hub calls itself; absent before there was a link. */
  name?: string;
  /** account is whom the hub takes the user for; absent where there is no link. */
  account?: string;
  /** problem is why there is no link, in the user's language; absent where that is not known yet. */
  problem?: string;
}

/** InboxDidShowParams tells whether the user would notice a question. */
export interface InboxDidShowParams {
  shown: boolean;
}

/** InboxListResult are the open questions, oldest first. */
export interface InboxListResult {
  questions: InboxEntry[];
}

/** InboxEntry is a question in short. */
export interface InboxEntry {
  questionId: string;
  agent: string;
  /** title is the question as plain text, short and in one line. */
  title: string;
  /** answerable means that the user can answer it now. Those of other windows only are if there are no others. */
  answerable: boolean;
}

/** InboxStatusResult tells how it stands with the inbox, in all processes that share the store. */
export interface InboxStatusResult {
  /** shown tells that some process shows it where the user can see it. */
  shown: boolean;
  /** storage is as in Inbox: what is not kept on disk is shown by this process alone. */
  storage?: Storage;
  /** notOpened says why the store cannot be opened; absent while it is open. */
  notOpened?: StoreFailure;
}

/** StoreFailure is why a store cannot be opened. */
export interface StoreFailure {
  reason: StoreReason;
  /** cause is the error in English, as the system or the store words it. */
  cause: string;
}

/** StoreReason is a kind of StoreFailure, by which a client says what the user can do. */
export type StoreReason = "newer" | "notFolder" | "notWritable" | "full" | "inUse" | "other";

/** Inbox is a snapshot. */
export interface Inbox {
  /** items are the open questions, oldest first. */
  items: InboxItem[];
  /** more is how many others are open, where there are too many for one message: InboxDidChange tells them next. */
  more?: number;
  /** storage tells whether all this is kept on disk; absent where no storage folder was given. */
  storage?: Storage;
  /** hub is the team's hub whose questions stand among the others; absent where none was ever set. */
  hub?: HubState;
}

/** Storage tells whether what is asked and answered is kept on disk. */
export interface Storage {
  /** saved is false while it is kept in memory alone. The sidecar goes on trying, and saves then what was not saved. */
  saved: boolean;
  /** problem tells the user what is wrong, or, where Saved is true, what was wrong; absent when there is nothing to tell. */
  problem?: string;
  /** hung says that the keeper does not answer. The user can restart it. */
  hung?: boolean;
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
  /** more is how many questions of the snapshot are still to come; absent when it is complete. */
  more?: number;
  /** storage is there when it has changed, and so is Hub. */
  storage?: Storage;
  hub?: HubState;
}

/** ItemState is where a question stands. */
export type ItemState = "streaming" | "pending" | "queued" | "held" | "closed";

/** Ask names what an item asks. */
export type Ask = "followup" | "questions" | "approval";

/** InboxItem is a question as the interface sees it. */
export interface InboxItem extends Envelope {
  questionId: string;
  session: string;
  agent: string;
  tool: string;
  /** streamId is the stream that the question arrived in, if it did. */
  streamId?: string;
  state: ItemState;
  /** ask names the form of Payload: as the interface of the seeds has it, ask("followup", payload). */
  ask: Ask;
  /** payload is what is known of the question: all of it, unless it is streaming. */
  payload: Payload;
  /** rendered is the payload's Markdown; absent while the question is streaming. */
  rendered?: Rendered;
  /** guidance marks a request for guidance in place of a question. It is answered and dismissed like a question. */
  guidance?: Guidance;
  /** askedAt is when it began to arrive, in milliseconds since 1970. */
  askedAt: number;
  /** order stands the questions of all sessions in the order of their asking. */
  order: number;
  /** readOnly is there if the user may not decide this approval. */
  readOnly?: ReadOnly;
  /** draft is what the user has begun, as it was last saved; only on an open item. */
  draft?: Draft;
  /** workspaces are the folders that the conversation is about; the interface shows its own window's questions first. */
  workspaces?: WorkspaceFolder[];
  /** orphaned reports that no agent waits for the question. An answer is kept until an agent collects it. */
  orphaned?: boolean;
  /** timer is there while a choice will be made for the user; see TimerConfigure. */
  timer?: ItemTimer;
  /** outcome tells how it ended; only on a closed item. */
  outcome?: ItemOutcome;
  /** hub is what the team's hub is called that keeps it; absent from the user's own. */
  hub?: string;
}

/** ReadOnly says who may decide an approval at a hub in place of the user, who has not the right to. */
export interface ReadOnly {
  /** approvers are the people who see the approval and may decide it, by name. */
  approvers: string[];
}

/** ItemTimer is the clock of a timed choice. It is the sidecar's: whoever shows it counts down from when this was told. */
export interface ItemTimer {
  /** left is after how many milliseconds the first suggestion is taken. */
  left: number;
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
  /** parts are what has newly arrived of a questionnaire, in order. */
  parts?: PartGrowth[];
}

/** PartGrowth is what has newly arrived of one question of a questionnaire. */
export interface PartGrowth {
  /** index is the question, from 0; the first growth with an index begins that question. */
  index: number;
  /** text belongs behind the question's text so far. */
  text?: string;
  /** header is the question's header, once it is complete. */
  header?: string;
  /** options belong behind the options so far; each is complete. */
  options?: Option[];
  /** multiSelect is true once it is known that several options may be chosen. */
  multiSelect?: boolean;
}

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
  /**
   * storageFolder is the absolute path of the folder to store everything in. If absent, an editor with an EditorFolder
   * uses the user's own folder, which all processes share, and other clients store nothing.
   */
  storageFolder?: string;
  /**
   * editorFolder is the absolute path of the folder that this editor gives the extension. Other extensions, whose logs can
   * be imported, have their folders beside it. Where the user has no home folder, everything is stored in it.
   */
  editorFolder?: string;
  /**
   * logVariables are the variables of the client's environment that name folders of other tools' logs, which can be imported. If
   * absent, the sidecar uses its own environment.
   */
  logVariables?: Record<string, string>;
  /** workspaceFolders are the folders open in the editor. */
  workspaceFolders?: WorkspaceFolder[];
  /**
   * notShownAfter is how many milliseconds a pending question waits for an interface to subscribe before its outcome is
   * notShown. Absent: 10,000. Negative: it waits for good.
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
  /** hub is there where this is one. */
  hub?: Hub;
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

/** MailDescription is a question to the user. */
export interface MailDescription {
  /** question names who gets the email, Detail all else that the link says, and Button goes on. */
  question: string;
  detail: string;
  button: string;
}

/**
 * MarkdownNode is a piece of an agent's Markdown as it is shown: an element, or, where Kind is absent, text. Nothing in it is
 * HTML; a page makes of each kind the one element that it stands for, and of an unknown kind what it holds.
 */
export interface MarkdownNode {
  kind?: MarkdownKind;
  /** text stands in the node, before its Nodes. Every space and line break in it counts. */
  text?: string;
  /** nodes stand in the node. */
  nodes?: MarkdownNode[];
  /** href is where a link leads: to http, https or mailto, in ASCII. */
  href?: string;
  /** title tells of a link, or of an image in one, where it leads, unless its words do. */
  title?: string;
  /** language is a block of code's, of 1 to 32 letters, digits and the signs _+#.- */
  language?: string;
  /** marked tells of an ordered list that it does not count 1, 2, 3: each item has its number in a marker. */
  marked?: boolean;
  /** align is a table's cell's, where it is not the usual one. */
  align?: MarkdownAlign;
  /** direction is an isolate's; absent: that of its first letter. */
  direction?: MarkdownDirection;
}

/** MarkdownKind is what an element is. The inside of a block of code and of a layout is shown with a fixed width. */
export type MarkdownKind = "paragraph" | "heading" | "rule" | "quote" | "list" | "orderedList" | "item" | "codeBlock" | "info" | "layout" | "table" | "tableHead" | "tableBody" | "row" | "headerCell" | "cell" | "break" | "emphasis" | "strong" | "deleted" | "code" | "link" | "image" | "marker" | "isolate" | "control" | "confusable" | "comment" | "string" | "number" | "keyword" | "inserted" | "removed" | "hunk";

/** MarkdownAlign is how a cell's text is aligned. */
export type MarkdownAlign = "center" | "right";

/** MarkdownDirection is the direction of an isolate. */
export type MarkdownDirection = "ltr" | "rtl";

/** NoticeAttendParams is how it stands with a window. */
export interface NoticeAttendParams {
  /** tells tells whether it can tell the user of a question at the moment. */
  tells: boolean;
  /** focused tells that the window has the focus. */
  focused: boolean;
  /** visible tells that the questions are on its screen. */
  visible: boolean;
  /** questions are the ids of those that are on its screen by themselves, in tabs of their own. */
  questions?: string[];
  /** telling are the ids of questions that it still tells of since a sidecar before this one: this one tells when that ends. */
  telling?: string[];
  /**
   * workspaceFolders are those of an editor's window, in place of those of the handshake. If they are there, the window is sent Waiting,
   * Reveals and Wide.
   */
  workspaceFolders?: WorkspaceFolder[];
}

/** NoticeConfigureParams is how the user wants to be told of a question that they cannot see. */
export interface NoticeConfigureParams {
  /** Editor: by NoticeDidChange. */
  editor: boolean;
  /** Desktop: by the desktop of the machine that the sidecar runs on, where the window does not have the focus. */
  desktop: boolean;
  /** Sound: by a short sound there, likewise. */
  sound: boolean;
}

/** NoticeChange is what a window has to show beside its page. */
export interface NoticeChange {
  /** told are new. */
  told?: Notice[];
  /** ended are the ids of questions of which nothing is to be told any more: they do not wait, or the user sees them. */
  ended?: string[];
  /** waiting is there when it has changed. */
  waiting?: Waiting;
  /** reveals are open questions of this window for which the page appears by itself, once for each: some may come again. */
  reveals?: string[];
  /** wide are new questions of this window with previews, likewise. */
  wide?: InboxEntry[];
}

/** Waiting is what waits for the user. */
export interface Waiting {
  /** count is how many questions of this window wait, those that wait for another one too. */
  count: number;
  /** answerable means that some question can be answered, be it another window's. */
  answerable: boolean;
}

/** Notice is what the user is told of a question. Its texts are plain, short and in one line; what an agent wrote in them is not trusted. */
export interface Notice {
  questionId: string;
  /** title tells who asks, in the user's language. */
  title: string;
  /** text is the question, or the first of a questionnaire. */
  text: string;
  /** ask tells how a choice is given: as the suggestion of QuestionAnswer, or as the only pick. */
  ask: Ask;
  /** choices are the first suggestions, or options, in order; absent where one click cannot answer. */
  choices?: string[];
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

/**
 * Rendered is the Markdown of a payload and of its context, read: as nodes, and as plain text for titles, notices and screen
 * readers, without marks and addresses. If nodes are absent, the text is too long or has no Markdown: show the text itself.
 * If a plain text is absent, it equals the text.
 */
export interface Rendered {
  /** question is the question's text of a Followup. */
  question?: MarkdownNode[];
  plainQuestion?: string;
  /** questions stand in the order of a Questionnaire's. */
  questions?: RenderedQuestion[];
  /**
   * subject is an Approval's: of a plan its Markdown, of anything else the exact characters. Those that hide, turn the text around them
   * or look like others are nodes of the kinds control and confusable. Folder, Path, Name and Rest are likewise.
   */
  subject?: MarkdownNode[];
  /**
   * changes are the nodes of a plan and of the session's plan before it. Blocks that only one of them has are in nodes of the kinds inserted
   * and removed. Absent if both are the same, or there is no other.
   */
  changes?: MarkdownNode[];
  cwd?: MarkdownNode[];
  path?: MarkdownNode[];
  name?: MarkdownNode[];
  rest?: MarkdownNode[];
  /** context is an item's. */
  context?: MarkdownNode[];
  plainContext?: string;
}

/** RenderedQuestion is the Markdown of one question of a questionnaire. */
export interface RenderedQuestion {
  /** question is the question's text. */
  question?: MarkdownNode[];
  plainQuestion?: string;
  /** options stand in the order of the question's. */
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

/** PlaceFindParams are texts, and the absolute paths of folders. */
export interface PlaceFindParams {
  texts: string[];
  folders: string[];
}

/** PlaceFindResult are places, in the order of the texts and in each one's own. */
export interface PlaceFindResult {
  places: Place[];
}

/** Place is a place in a file, as a text names it. */
export interface Place {
  /** text is the text's index. Start and End are where the place is named in it, in UTF-16 code units. */
  text: number;
  start: number;
  end: number;
  /** file is the absolute path. */
  file: string;
  /** Line, Column and EndLine, the last line, are counted from 1; 0 where none was named. */
  line?: number;
  column?: number;
  endLine?: number;
}

/** PushListResult is what a page needs for its settings. */
export interface PushListResult {
  /** key is the server's public key, in base64url, that a browser subscribes with. */
  key: string;
  browsers: PushBrowser[];
}

/** PushBrowser is a browser that is notified. */
export interface PushBrowser extends PushEndpoint {
  /** name is what people call it. */
  name: string;
  /** after is how many milliseconds a question waits for an answer before the browser is notified. */
  after: number;
  /** hidden leaves the question out: the notification names the agent alone. */
  hidden?: boolean;
  /** lastAt is when the last message was delivered or failed, in milliseconds since 1970. Absent if there was none. */
  lastAt?: number;
  /** problem is why the last message failed, in English. Absent if it was delivered. */
  problem?: string;
}

/** PushEndpoint names a browser. */
export interface PushEndpoint {
  /** endpoint is the browser's address at its push service. */
  endpoint: string;
}

/** PushDismissParams name a notification. */
export interface PushDismissParams extends PushEndpoint {
  tag: string;
}

/** PushSubscribeParams are those of PushSubscribe. */
export interface PushSubscribeParams extends PushEndpoint {
  /** p256dh and Auth are the browser's public key and its secret, in base64url. */
  p256dh: string;
  auth: string;
  name: string;
  after: number;
  hidden?: boolean;
  /** silent says that the browser can show a notification without a sound, so that one in the place of a closed question's disturbs nobody. */
  silent?: boolean;
}

/** PushMessage is what a browser's service worker is sent. */
export interface PushMessage {
  /** tag names the notification. One with the same tag takes its place. */
  tag: string;
  title: string;
  text?: string;
  /** questionId is the question to open; absent if there is none or there are several. */
  questionId?: string;
  /** ask and Choices are as in Notice, of at most two choices. */
  ask?: Ask;
  choices?: string[];
  /** over says that nothing waits any more: the notification replaces one that was shown, without a sound. */
  over?: boolean;
}

/** Envelope is what travels with a question, from the ask to the inbox item, the history entry and the store. */
export interface Envelope {
  /** context is the end of what the agent wrote just before the call, in Markdown, at most 16 KiB. Absent if unknown. */
  context?: string;
  /** to is the person, or the group of people, that the question is for; only at a hub. Absent: everybody who sees the inbox. */
  to?: string;
  /**
   * inConversation reports that the agent's client shows the question inside the conversation itself. Interfaces list it as any other,
   * but do not open by themselves for it.
   */
  inConversation?: boolean;
  /** noCancel reports that the agent may stop waiting without saying so, such as after Esc in its own dialog. Interfaces tell the user. */
  noCancel?: boolean;
  /** previousPlan is the text of the session's plan before this one, if the call is a plan. Only the sidecar sets it. */
  previousPlan?: string;
  /** expires is when the question is withdrawn, in milliseconds since 1970. Absent: never. */
  expires?: number;
}

/** AskParams is a whole call. */
export interface AskParams extends Envelope {
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
  /**
   * deadline is after how many milliseconds the caller gets the outcome waiting in place of an answer; the question stays
   * open. Absent or 0: the caller waits for good.
   */
  deadline?: number;
  /**
   * rejoin reports that the agent cannot name its session the same way after a restart. If no agent waits for a question of another session
   * with the same agent, folders, tool and content, and nobody has collected its answer, that one is meant: the answer names it. With an
   * input that awaits a question, its answer counts as collected, whatever session asked it.
   */
  rejoin?: boolean;
  /**
   * callback is where the outcome is sent. It is kept until it was delivered. PrivateCallback permits an address of this machine or a
   * private network; at a hub, its administrator decides.
   */
  callback?: Callback;
  privateCallback?: boolean;
}

/** Callback is an address that is called when a question has its outcome, with the message CallbackEvent. */
export interface Callback {
  /** url is the address: https, unless private addresses are permitted. */
  url: string;
  /** secret signs the message by Standard Webhooks: whsec_ and the base64 of 24 to 64 bytes. Absent: it is not signed. */
  secret?: string;
}

/** QuestionParams names a question. */
export interface QuestionParams {
  questionId: string;
}

/** WithdrawParams names a question that is not needed any more. */
export interface WithdrawParams {
  questionId: string;
  /**
   * elsewhere tells that the user has seen to it in the agent's own dialog. Text, or the Picks of a questionnaire, are what they
   * answered there, where that is known.
   */
  elsewhere?: boolean;
  text?: string;
  picks?: Pick[];
}

/** Outcome is how a question ended. */
export type Outcome = "answered" | "dismissed" | "replied" | "allowed" | "denied" | "withdrawn" | "notShown" | "invalid";

/** AnswerOutcome is what an agent is told: how the question ended, or that it has not yet. */
export type AnswerOutcome = Outcome | "waiting";

/** Provenance is where an answer came from. */
export type Provenance = "clicked" | "chosen" | "edited" | "typed" | "timer";

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

/** Annotation is what belongs to the answer to one question of a questionnaire. */
export interface Annotation {
  /** notes are the user's words beside the choice. */
  notes?: string;
  /** preview is the chosen option's, as the agent wrote it. */
  preview?: string;
  /** skipped reports that the user left the question out. */
  skipped?: boolean;
}

/** Image is an image of the user's. */
export interface Image {
  /** mimeType is image/png, image/jpeg, image/gif or image/webp. */
  mimeType: string;
  /** data is base64 without a data: prefix; at most 2 MiB when decoded. */
  data: string;
}

/** Quote is what the user added to an answer from the editor: a place, what stands there, or a text from elsewhere in it. */
export interface Quote {
  /**
   * label is what it is called, to the user and to the agent: the path in the workspace, with lines where there are some, as
   * src/main.go:3-5, or a terminal's name.
   */
  label: string;
  /** location is where it stands; absent of what stands in no document. A whole file has an empty range. */
  location?: Location;
  /** text is what stands there; absent where the place is all. */
  text?: string;
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

/** AnswerParams is a user's answer. */
export interface AnswerParams {
  questionId: string;
  provenance: Provenance;
  /**
   * suggestion is the index of the suggestion that was clicked, or that the edited text came from. A clicked answer's
   * text and mode are the sidecar's own record of that suggestion.
   */
  suggestion?: number;
  /**
   * text is the user's words exactly as they are; not blank unless there is an image. With a clicked suggestion it is what goes
   * beside it, and the answer becomes a chosen one.
   */
  text?: string;
  /** mode goes with an edited suggestion, unless the user took it off. */
  mode?: string;
  /** images are at most 8. */
  images?: Image[];
  /** quotes are what the user added from the editor; at most 20. */
  quotes?: Quote[];
  /**
   * picks answer a questionnaire, one for each question in order. Provenance, Suggestion, Text and Mode are not read then;
   * the sidecar finds the provenance itself.
   */
  picks?: Pick[];
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

/** DecideParams is a user's decision on an approval. */
export interface DecideParams {
  questionId: string;
  /** option is the id of the option that the user chose. */
  option: string;
  /**
   * digest names what the user was shown: the SHA-256, in hexadecimal digits, of netstrings of the subject's kind, text, cwd, path,
   * before, after, name and rest, and of the option's id, kind and label. To allow anything, it must match the sidecar's own. A denial
   * needs none.
   */
  digest?: string;
  /** text is the user's words exactly as they are. */
  text?: string;
  /** changed is the command as the user changed it. Only a Changeable approval takes it, with an option of the kind once. */
  changed?: string;
}

/** ReplyParams is what the user writes about a questionnaire instead of answering it. */
export interface ReplyParams {
  questionId: string;
  /** text is the user's words exactly as they are; not blank unless there is an image. */
  text: string;
  /** picks are those made so far, one for each question in order; empty when there are none. */
  picks?: Pick[];
  /** images are at most 8. */
  images?: Image[];
  /** quotes are what the user added from the editor; at most 20. */
  quotes?: Quote[];
}

/** CloseResult tells whether an answer, a dismissal or a withdrawal was taken. */
export interface CloseResult {
  /** accepted is false where the question had another outcome already, or another person's; nothing was changed then. */
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
  /** bound tells that a question ends with the process that has asked it: its agent asks in another way then. Absent: false. */
  bound?: boolean;
}

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

/** StreamResumeParams names the stream. */
export interface StreamResumeParams {
  session: string;
  streamId: string;
}

/** StreamAppendParams is a piece of the assistant's text: characters in Text, or bytes in Data. */
export interface StreamAppendParams {
  session: string;
  /** streamId is the caller's: a UUID, new for each message. */
  streamId: string;
  /** offset is how many bytes of UTF-8 the pieces of the text before this one hold. */
  offset: number;
  /** text may end anywhere between two characters. */
  text?: string;
  /** data stands in base64 (RFC 4648, section 4) for bytes of UTF-8, which may end in the middle of a character. */
  data?: string;
}

/** StreamAppendToolInputParams is a fragment of a native call's arguments: characters in Fragment, or bytes in Data. */
export interface StreamAppendToolInputParams {
  session: string;
  streamId: string;
  /** callId tells the calls of one message apart. */
  callId: string;
  tool: string;
  /** offset is how many bytes of UTF-8 the fragments of this call before this one hold. */
  offset: number;
  /** fragment may end anywhere between two characters. */
  fragment?: string;
  /** data is as in StreamAppendParams. */
  data?: string;
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
  /** hidden counts the whole calls that stood where none is run, so that nothing was asked by them. Absent when there were none. */
  hidden?: HiddenCalls;
  /** truncated says that the stream crashed its reader again and again and was not read to its end. */
  truncated?: boolean;
}

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

/** CallStatus tells whether a call could be read. */
export type CallStatus = "valid" | "invalid";

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

/** StreamDidPassTextParams is text that stood outside calls. */
export interface StreamDidPassTextParams {
  session: string;
  streamId: string;
  /**
   * offset is how many bytes of UTF-8 of such text came before. What a client has already, it drops: a stream that is sent again from its
   * start hands back its text again.
   */
  offset: number;
  text: string;
}

/** TimerConfigureParams is what the user has set. */
export interface TimerConfigureParams {
  /** after is how many milliseconds the user has; 0: no choice is ever made for them, and what runs is stopped. */
  after: number;
}

/** What a page asks of its host. */
export interface Host {
  /** open announces that the page has opened, and returns the state of its host. */
  open(params: Record<string, never>): Promise<HostState>;
  /** readFiles reads files of the editor's, in their order. */
  readFiles(params: HostReadFilesParams): Promise<HostReadFilesResult>;
  /** copy puts a text into the clipboard. */
  copy(params: HostText): Promise<void>;
  /** confirmDelete asks the user whether to delete entries. */
  confirmDelete(params: HostConfirmDeleteParams): Promise<HostConfirmDeleteResult>;
  /** export leads the user through an export. */
  export(params: HostExportParams): Promise<void>;
  /** openLink opens a link in what an agent wrote: http, https or mailto. The host asks the user before it opens. */
  openLink(params: HostLink): Promise<void>;
  /** findPlaces finds places in files, as PlaceFind does, in the window's workspace folders. */
  findPlaces(params: HostFindPlacesParams): Promise<HostFindPlacesResult>;
  /** openPlace opens the first place that a text names in the editor. */
  openPlace(params: HostText): Promise<void>;
  /** findFiles finds the workspace's files whose paths hold the text, the best first. The page's search before this one ends. */
  findFiles(params: HostText): Promise<HostFindFilesResult>;
  /** didFocus is sent when a question gets the keyboard focus. */
  didFocus(params: QuestionParams): Promise<void>;
  /** setPhrases sets the user's ready phrases. */
  setPhrases(params: HostSetPhrasesParams): Promise<void>;
  /** openQuestion opens a question wide, in a tab of the editor. */
  openQuestion(params: QuestionParams): Promise<void>;
  /** openDiff shows two texts of a file in a diff view. It is called where HostState.Diffs is set. */
  openDiff(params: HostOpenDiffParams): Promise<void>;
  /** run runs a command. */
  run(params: HostRunParams): Promise<void>;
  /** didShow is sent when the history shows something else, for commands that act on what it shows. */
  didShow(params: HistoryMatching): Promise<void>;
}

/** CallbackClosed is the type of the only event. */
export const CallbackClosed = "question.closed";

/** CodeNotAsked is an error of a page's host: the sidecar could not be asked. */
export const CodeNotAsked = -32001;

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

/** CodeForbidden answers a request that a hub does not take of the token's role, with RoleRefused as its data, or of its account. */
export const CodeForbidden = -32093;

/** CodeBusy answers a question that comes while very many of the same account's are open at a hub, and a request while very many are under way. */
export const CodeBusy = -32094;

/**
 * CodeIncomplete answers the end of a stream of which a piece has not arrived: an offset was larger than what had come before. Send the
 * stream again from its start, and end it again.
 */
export const CodeIncomplete = -32095;

/** CodeConflict answers a question whose id another question has. */
export const CodeConflict = -32096;

/** ErrorUnknownQuestion is the code of an answer to an agent that waits for a question which it has not asked. It is no mistake in a call. */
export const ErrorUnknownQuestion = "unknown_question";

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

export const questionSaveDraft = { method: "question/saveDraft" } as Request<SaveDraftParams, SaveDraftResult>;

/**
 * guideRun runs a guide. Its result has the messages to show at the end; its error says why it failed, in the user's language. It can be
 * cancelled.
 */
export const guideRun = { method: "guide/run" } as Request<GuideRunParams, GuideResult>;

/** guideAgain notifies a running guide that the user has started it once more. */
export const guideAgain = { method: "guide/again" } as Notification<Record<string, never>>;

/** guidePick has the user choose from a list. */
export const guidePick = { method: "guide/pick" } as Request<GuidePickParams, GuidePickResult>;

/** guideDescribe changes the description of an item while the list is shown. */
export const guideDescribe = { method: "guide/describe" } as Notification<GuideDescribeParams>;

/** guideInput has the user type a line. */
export const guideInput = { method: "guide/input" } as Request<GuideInputParams, GuideInputResult>;

/** guideConfirm asks the user for their consent, in a modal dialog. */
export const guideConfirm = { method: "guide/confirm" } as Request<GuideConfirmParams, GuideConfirmResult>;

/** guideOpenFiles has the user choose files or folders. */
export const guideOpenFiles = { method: "guide/openFiles" } as Request<GuideOpenFilesParams, GuideOpenFilesResult>;

/** guideSaveFile has the user choose the file to write. */
export const guideSaveFile = { method: "guide/saveFile" } as Request<GuideSaveFileParams, GuideSaveFileResult>;

/** guideWriteFile has the editor write a file, where only it can. */
export const guideWriteFile = { method: "guide/writeFile" } as Request<GuideWriteFileParams, Record<string, never>>;

/** guideShowMessage shows a message, and does not wait for the user. */
export const guideShowMessage = { method: "guide/showMessage" } as Notification<GuideMessage>;

/** guideCommand has the editor run one of the extension's commands. */
export const guideCommand = { method: "guide/command" } as Notification<GuideCommandParams>;

/** guideProgress shows how far a guide has come. The first one opens the notification; the next request closes it. */
export const guideProgress = { method: "guide/progress" } as Notification<GuideProgressParams>;

/** guideForward makes an address of this machine known where the user's browser is, and gives the one that it has there. */
export const guideForward = { method: "guide/forward" } as Request<GuideAddress, GuideAddress>;

/** guideBrowse opens an address in the user's browser. */
export const guideBrowse = { method: "guide/browse" } as Request<GuideAddress, Record<string, never>>;

/** guideSaveHub has the editor keep the team's hub, and the user's token for it. */
export const guideSaveHub = { method: "guide/saveHub" } as Request<HubConnectParams, Record<string, never>>;

/** historyList gives a page. */
export const historyList = { method: "history/list" } as Request<HistoryListParams, HistoryPage>;

/** historySearch gives a page of what holds all words of a text; the last word may be the beginning of one. */
export const historySearch = { method: "history/search" } as Request<HistorySearchParams, HistoryPage>;

/** historyFacets tells what the filters can name. */
export const historyFacets = { method: "history/facets" } as Request<Record<string, never>, HistoryFacetsResult>;

/** historyGet gives one entry with its images. */
export const historyGet = { method: "history/get" } as Request<QuestionParams, HistoryEntry>;

/** historyFind gives the questions, open and closed, whose ids begin with a text. */
export const historyFind = { method: "history/find" } as Request<HistoryFindParams, HistoryFindResult>;

/** historyDelete hides entries at once and removes them for good when the time to undo it, 10 s, has passed. */
export const historyDelete = { method: "history/delete" } as Request<HistoryDeleteParams, HistoryDeleteResult>;

/** historyRestore undoes a deletion in time. */
export const historyRestore = { method: "history/restore" } as Request<HistoryRestoreParams, HistoryDeleteResult>;

/** historyText gives entries as text, for the clipboard or a file that the caller writes. It can be cancelled. */
export const historyText = { method: "history/text" } as Request<HistoryTextParams, HistoryTextResult>;

/** historyExport writes entries to a file. It can be cancelled. */
export const historyExport = { method: "history/export" } as Request<HistoryExportParams, HistoryExportResult>;

/**
 * historyImport reads other tools' logs. It can be cancelled; what was read until then stays. If it fails, the error's data is a
 * HistoryImportResult: what was read before.
 */
export const historyImport = { method: "history/import" } as Request<HistoryImportParams, HistoryImportResult>;

/** historyFindLogs tells where other tools keep logs on this machine. */
export const historyFindLogs = { method: "history/findLogs" } as Request<Record<string, never>, HistoryFindLogsResult>;

/** historyCountLogs tells what HistoryImport would bring, and writes nothing. */
export const historyCountLogs = { method: "history/countLogs" } as Request<HistoryImportParams, HistoryImportResult>;

/** historyDidImport tells how far an import has come, from the sidecar. */
export const historyDidImport = { method: "history/didImport" } as Notification<HistoryImportProgress>;

/** historyDidChange tells that entries came by themselves, from the sidecar. */
export const historyDidChange = { method: "history/didChange" } as Notification<Record<string, never>>;

/** historyConfigure sets what is kept. */
export const historyConfigure = { method: "history/configure" } as Request<HistoryConfigureParams, Record<string, never>>;

/** hostDidChange has the fields of HostState that have changed. */
export const hostDidChange = { method: "host/didChange" } as Notification<HostChange>;

/** hostDidSaveDraft has a draft that another page of the window has saved. */
export const hostDidSaveDraft = { method: "host/didSaveDraft" } as Notification<SaveDraftParams>;

/** hostDidSubscribe has a new snapshot of the inbox. */
export const hostDidSubscribe = { method: "host/didSubscribe" } as Notification<Inbox>;

/** hostFocus puts the keyboard focus somewhere. */
export const hostFocus = { method: "host/focus" } as Notification<HostFocusParams>;

/** hostAddQuotes adds something from the editor to what the user has begun for a question. */
export const hostAddQuotes = { method: "host/addQuotes" } as Notification<HostAddQuotesParams>;

/** hostClearClosed clears all closed cards that hold no unsent words. */
export const hostClearClosed = { method: "host/clearClosed" } as Notification<Record<string, never>>;

/** hostDeleteAll deletes the whole history, when the user has confirmed it. */
export const hostDeleteAll = { method: "host/deleteAll" } as Notification<Record<string, never>>;

/**
 * hubConnect names the hub, in place of the one before. It is answered when it is known whether there is a link, or after 10 s
 * without one; the keeper keeps trying.
 */
export const hubConnect = { method: "hub/connect" } as Request<HubConnectParams, HubState>;

/** inboxSubscribe gives a snapshot; InboxDidChange tells every change after it. */
export const inboxSubscribe = { method: "inbox/subscribe" } as Request<Record<string, never>, Inbox>;

/** inboxDidChange tells what changed, from the sidecar. Changes that a slow reader has not taken are joined. */
export const inboxDidChange = { method: "inbox/didChange" } as Notification<InboxChange>;

/** inboxDidShow tells whether the user can see the inbox here. Until it comes, whoever has subscribed shows it. */
export const inboxDidShow = { method: "inbox/didShow" } as Notification<InboxDidShowParams>;

/** inboxList lists the open questions in short. */
export const inboxList = { method: "inbox/list" } as Request<Record<string, never>, InboxListResult>;

/** inboxStatus tells whether somebody could see a question, for whoever asks without showing an inbox. */
export const inboxStatus = { method: "inbox/status" } as Request<Record<string, never>, InboxStatusResult>;

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

export const mailDescribe = { method: "mail/describe" } as Request<HostLink, MailDescription>;

/** noticeAttend tells how it stands with the window, at first and whenever that changes. Where it does not come, nothing is told. */
export const noticeAttend = { method: "notice/attend" } as Notification<NoticeAttendParams>;

/** noticeConfigure tells how the user wants to be told. Until it comes, by the window alone. */
export const noticeConfigure = { method: "notice/configure" } as Notification<NoticeConfigureParams>;

/** noticeDidChange tells the window what to show the user beside its page, from the sidecar. Apply Ended, then Told. */
export const noticeDidChange = { method: "notice/didChange" } as Notification<NoticeChange>;

export const placeFind = { method: "place/find" } as Request<PlaceFindParams, PlaceFindResult>;

/** pushList lists the browsers that are notified. */
export const pushList = { method: "push/list" } as Request<Record<string, never>, PushListResult>;

/** pushSubscribe adds a browser, or changes how it is notified. */
export const pushSubscribe = { method: "push/subscribe" } as Request<PushSubscribeParams, PushListResult>;

/** pushUnsubscribe removes a browser. */
export const pushUnsubscribe = { method: "push/unsubscribe" } as Request<PushEndpoint, PushListResult>;

/** pushTest sends a browser a message, and returns when that was delivered or has failed. */
export const pushTest = { method: "push/test" } as Request<PushEndpoint, PushListResult>;

/** pushDismiss reports that a browser has removed a notification itself: nothing has to take its place when its question closes. */
export const pushDismiss = { method: "push/dismiss" } as Notification<PushDismissParams>;

/**
 * questionAsk asks a question by a whole call and is answered when the user has answered. Asking again with a known id
 * waits for that question, in whichever process it was asked. Cancelling it withdraws the question. With the input
 * {"await": id} it waits for the question of that id, which the same agent has asked, and asks none.
 */
export const questionAsk = { method: "question/ask" } as Request<AskParams, Answer>;

/** questionAwait waits for a question that was asked before. Cancelling it ends the waiting only. */
export const questionAwait = { method: "question/await" } as Request<QuestionParams, Answer>;

/** questionWithdraw takes back a question; whoever waits for it gets CodeCancelled. */
export const questionWithdraw = { method: "question/withdraw" } as Request<WithdrawParams, CloseResult>;

/** questionAnswer answers a pending question. It is idempotent: a question that has an outcome keeps it. */
export const questionAnswer = { method: "question/answer" } as Request<AnswerParams, CloseResult>;

/**
 * questionReply tells the agent something about a questionnaire instead of answering it; the picks made so far go along.
 * It is idempotent like QuestionAnswer.
 */
export const questionReply = { method: "question/reply" } as Request<ReplyParams, CloseResult>;

/** questionDecide allows or denies what a pending approval asks for. Nothing else does. It is idempotent like QuestionAnswer. */
export const questionDecide = { method: "question/decide" } as Request<DecideParams, CloseResult>;

/** questionDismiss declines to answer. An approval is left to the agent's own dialog. */
export const questionDismiss = { method: "question/dismiss" } as Request<QuestionParams, CloseResult>;

/** sessionOpen opens a session, or finds the one that is open for the same agent and key. */
export const sessionOpen = { method: "session/open" } as Request<SessionOpenParams, SessionOpenResult>;

/** sessionGet tells a session's state. */
export const sessionGet = { method: "session/get" } as Request<SessionParams, SessionState>;

/** sessionClose withdraws a session's open questions and ends it. */
export const sessionClose = { method: "session/close" } as Request<SessionParams, Record<string, never>>;

/**
 * streamResume announces that a stream which another connection or process has begun to read follows from offset 0. Calls that were kept
 * are found in it with their ids, answers and counts. It comes before the first piece.
 */
export const streamResume = { method: "stream/resume" } as Notification<StreamResumeParams>;

/** streamAppend hands on the assistant's text. Order is kept. */
export const streamAppend = { method: "stream/append" } as Notification<StreamAppendParams>;

/** streamAppendToolInput hands on a fragment of a native tool call's JSON arguments. Order is kept. */
export const streamAppendToolInput = { method: "stream/appendToolInput" } as Notification<StreamAppendToolInputParams>;

/** streamEnd ends a stream and tells the calls that were found in it. It never waits for the user. */
export const streamEnd = { method: "stream/end" } as Request<StreamEndParams, StreamEndResult>;

/** streamDidPassText hands back text that stood outside calls, from the sidecar, in order. */
export const streamDidPassText = { method: "stream/didPassText" } as Notification<StreamDidPassTextParams>;

/**
 * timerConfigure sets after how long the first suggestion of a question is taken in the user's place. Nothing is until this was
 * called: the user has to want it. It never is for guidance, nor for a questionnaire with more than one question.
 */
export const timerConfigure = { method: "timer/configure" } as Request<TimerConfigureParams, Record<string, never>>;

/**
 * questionTouch tells that the user is at a question: no choice is made for them any more, in no window, for good. A draft that is
 * saved tells it too.
 */
export const questionTouch = { method: "question/touch" } as Request<QuestionParams, Record<string, never>>;

/**
 * interfaceMethods are what the page may send: every other request is refused with MethodNotFound, every other
 * notification is dropped, and either is logged.
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

/**
 * interfaceNotifications are what the page is told, besides the answers to its own requests. No other notification of
 * the sidecar's is meant for it.
 */
export const interfaceNotifications: ReadonlySet<string> = new Set([
  inboxDidChange.method,
  noticeDidChange.method,
  historyDidChange.method,
]);

