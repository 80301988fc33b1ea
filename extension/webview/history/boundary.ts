// The messages between the extension host and the history's interface. Both sides import these types and nothing else of
// each other. Everything in a message survives JSON.

import type { HistoryEntry, HistoryFacetsResult, HistoryFilter, HistoryPage } from "../../src/protocol.gen";

/** What an action is about: entries by their ids, or everything that a text and a filter let through. */
export type HistoryTarget = { ids: string[] } | { text: string; filter: HistoryFilter };

/** From the extension host to the interface. */
export type HistoryHostMessage =
  | {
      /** The first message after `ready`. */
      type: "init";
      /** The interface's strings in the user's language, by key (see strings.ts here and the one above). */
      strings: Record<string, string>;
      /** The editor's display language, a BCP 47 tag. */
      locale: string;
      /** Whether a history is kept at all: the setting followup.history.keep. */
      keep: boolean;
    }
  /** The setting has changed. */
  | { type: "keep"; keep: boolean }
  /** The page that `list` asked for. */
  | { type: "page"; request: number; page: HistoryPage }
  /** The page could not be had; in the user's words. */
  | { type: "failed"; request: number; message: string }
  | { type: "facets"; facets: HistoryFacetsResult }
  /** The entry that `get` asked for, with its images; without `entry` the message tells why there is none. */
  | { type: "entry"; id: string; entry?: HistoryEntry; message?: string }
  /** The history is not what it was: a question was closed, a log was imported, the sidecar is back. */
  | { type: "changed" }
  | {
      /** Entries were deleted. Without `ids`, others than those of the page may be among them. */
      type: "deleted";
      ids?: string[];
      count: number;
      /** What `restore` names; absent when nothing was deleted. */
      undo?: string;
      /** For how many milliseconds from now the deletion can be undone. */
      undoFor?: number;
    }
  /** A deletion was undone; where it was not, the count is 0 and the message tells why. */
  | { type: "restored"; undo: string; count: number; message?: string }
  /** What the user asked for did not succeed; in the user's words. */
  | { type: "notice"; message: string }
  /** What `copy` or `copyEntries` named is in the clipboard. */
  | { type: "copied" }
  /** The keyboard focus goes to the list, or to the search box. */
  | { type: "focus"; on: "list" | "search" };

/** From the interface to the extension host. */
export type HistoryViewMessage =
  | { type: "ready" }
  /** Asks for a page; answered by `page` or `failed` with the same number. */
  | { type: "list"; request: number; text: string; filter: HistoryFilter; after?: string }
  /** Asks what the filters can name. */
  | { type: "facets" }
  /** Asks for one entry with its images. */
  | { type: "get"; id: string }
  | { type: "delete"; target: HistoryTarget }
  | { type: "restore"; undo: string }
  | { type: "export"; target: HistoryTarget }
  /** Puts a text into the clipboard. */
  | { type: "copy"; text: string }
  /** Puts entries into the clipboard, as Markdown. */
  | { type: "copyEntries"; ids: string[] }
  /** Opens the address of a link in what an agent wrote. */
  | { type: "openLink"; href: string }
  | { type: "import" }
  | { type: "openSettings" }
  | { type: "openLog" }
  /** Esc: the keyboard focus goes back to the editor. */
  | { type: "escape" };
