// The methods between a page and its host that are none of the sidecar's. Both sides import these and, of each other, nothing else.
// The sidecar's methods that pass between them are interfaceMethods and interfaceNotifications of the protocol.

import type {
  HistoryDeleteResult,
  HistoryFilter,
  Inbox,
  Notification,
  Quote,
  SaveDraftParams,
} from "../src/protocol.gen";

/** What an action on the history is about: entries by their ids, or everything that a text and a filter let through. */
export type HistoryTarget = { questionIds: string[] } | { text: string; filter: HistoryFilter };

/** Trouble with the sidecar. */
export interface Trouble {
  readonly message: string;
  readonly restarting: boolean;
}

/** How many ready phrases are kept, and how long one is, in UTF-16 code units. */
const phraseLimits = { count: 50, length: 500 } as const;

/** The user's ready phrases in a setting, or in what was kept: each once, without those that are blank or too long. */
export function readPhrases(from: unknown): string[] {
  const texts = (Array.isArray(from) ? from : []).filter((each) => typeof each === "string");
  const words = texts.map((text) => text.trim());
  const phrases = words.filter((text) => text !== "" && text.length <= phraseLimits.length);
  return [...new Set(phrases)].slice(0, phraseLimits.count);
}

/**
 * The setting with the phrases that are wanted now in the place of those that were read, a new one behind the one that it stands
 * behind; what was not read stays as it is.
 */
export function writePhrases(setting: unknown, wanted: unknown): unknown[] {
  const all: unknown[] = Array.isArray(setting) ? setting : [];
  const shown = readPhrases(all);
  const next = readPhrases(wanted);
  const isOf = (each: unknown, phrases: string[]) =>
    typeof each === "string" && phrases.includes(each.trim());
  const written = all.filter((each) => !isOf(each, shown) || isOf(each, next));
  for (const [index, phrase] of next.entries()) {
    if (!shown.includes(phrase)) {
      const before = next.slice(Math.max(0, index - 1), index);
      written.splice(written.findLastIndex((each) => isOf(each, before)) + 1, 0, phrase);
    }
  }
  return written;
}

/** What a page knows of its host. */
export interface HostState {
  /** The strings of the interface in the user's language, by key (see strings.ts); English where one is missing. */
  readonly strings: Readonly<Record<string, string>>;
  /** The user's language, a BCP 47 tag. */
  readonly locale: string;
  /** The workspace folders of the host's window, as URIs. */
  readonly folders: readonly string[];
  /** Whether a history is kept at all: the setting followup.history.keep. */
  readonly keep: boolean;
  readonly phrases: readonly string[];
  /** The one question that this page shows; absent where it shows all. */
  readonly only?: string;
  /** What of a page's commands it can do; the others are not offered. */
  readonly commands: readonly HostCommand[];
  /** Null when all is well. While there is trouble cards stay, and nothing can be sent. */
  readonly trouble: Trouble | null;
}

/** A place in a file, as it was written. */
export interface Place {
  path: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column?: number;
  /** The last line, from 1, where several were named. */
  endLine?: number;
}

/** The schemes of the links in what an agent wrote that may be opened: the page makes links of no others, and the host opens none. */
export const linkSchemes: readonly string[] = ["http:", "https:", "mailto:"];

/** How many places of a file are asked for, and how long a path is, at most. */
export const placeLimits = { count: 200, path: 300 } as const;

/** A file of the editor's that was dropped on a card: an image in base64, the path of anything else, or why it could not be read. */
export type EditorFile = { name: string } & (
  | { image: string }
  | { path: string }
  | { refused: "notRead" | "fileTooLarge" | "tooMany" }
);

/** What a page can have the editor do. `escape`: the keyboard focus goes back to the editor, and nothing is dismissed. */
export type HostCommand =
  | "connectAgents"
  | "escape"
  | "openQuestion"
  | "openLog"
  | "restart"
  | "askSample"
  | "import"
  | "openSettings"
  | "connectHub";

/** Where the keyboard focus is to go: to a question (the named one, else the first that can be answered), or in the history. */
export type FocusParams = { on: "question"; id?: string } | { on: "list" | "search" };

/** The code of an error that is none of the sidecar's: it could not be asked. */
export const codeNotAsked = -32_001;

/** What a page asks of its host, as the method `host/…`. Outside the editor a host lacks some of it, and gives an empty object. */
export interface Host {
  /** The page has opened: tells how things stand. */
  open(params: Record<string, never>): Promise<HostState>;
  /** Reads files of the editor's, in their order: at most `room` images of at most so many bytes. */
  readFiles(params: { uris: string[]; room: number; bytes: number }): Promise<{ files: EditorFile[] }>;
  /** Puts a text into the clipboard. */
  copy(params: { text: string }): Promise<void>;
  /** Asks the user whether so many entries are to be deleted. */
  confirmDelete(params: { count: number }): Promise<{ confirmed: boolean }>;
  /** Leads the user through an export. */
  export(params: { target: HistoryTarget }): Promise<void>;
  /** Opens a link in what an agent wrote: http, https or mailto. The host asks the user before it opens. */
  openLink(params: { href: string }): Promise<void>;
  /** Tells which of the places in files that an agent named are in the window's workspace folders, in their order. */
  findPlaces(params: { places: Place[] }): Promise<{ known?: boolean[] }>;
  /** Opens such a place in the editor. */
  openPlace(params: { place: Place }): Promise<void>;
  /** Finds the workspace's files whose paths hold the text, the best first; the page's search before this one is given up. */
  findFiles(params: { text: string }): Promise<{ files?: string[] }>;
  /** A question has got the keyboard focus. */
  didFocus(params: { questionId: string }): Promise<void>;
  /** Sets the user's ready phrases. */
  setPhrases(params: { phrases: string[] }): Promise<void>;
  /** Opens a question wide, in a tab of the editor. */
  openQuestion(params: { questionId: string }): Promise<void>;
  run(params: { command: HostCommand }): Promise<void>;
  /** Tells what the history shows now, for commands that may be about that. */
  didShow(params: { text: string; filter: HistoryFilter }): Promise<void>;
}

// What a host tells its pages.

export const hostDidChange = { method: "host/didChange" } as Notification<Partial<HostState>>;
/** Another page of the window's has saved what the user has begun for a question. */
export const hostDidSaveDraft = { method: "host/didSaveDraft" } as Notification<SaveDraftParams>;
export const hostDidSubscribe = { method: "host/didSubscribe" } as Notification<Inbox>;
export const hostFocus = { method: "host/focus" } as Notification<FocusParams>;
/** Adds something from the editor to what the user has begun for a question. */
export const hostAddQuotes = { method: "host/addQuotes" } as Notification<{
  questionId: string;
  quotes: Quote[];
}>;
/** Clears all closed cards away that hold no words which were not sent. */
export const hostClearClosed = { method: "host/clearClosed" } as Notification<Record<string, never>>;
/** Entries were deleted, which this page has not asked for. */
export const hostDidDelete = { method: "host/didDelete" } as Notification<HistoryDeleteResult>;
