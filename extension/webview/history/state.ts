// What the page knows of the history, and how that changes. Pure.

import type { HistoryEntry, HistoryFacetsResult, HistoryPage, Image } from "../../src/protocol.gen";
import { emptyQuery, type Query } from "./filter";

/** What the user has selected: entries by their ids, or everything that matches. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Everything that matches is selected, on the page or not. */
  readonly everything: boolean;
  /** Where a range that is selected with Shift begins. */
  readonly anchor: string | null;
}

export const noSelection: Selection = { ids: new Set(), everything: false, anchor: null };

/** Whether an entry is selected. */
export function isSelected({ everything, ids }: Selection, id: string): boolean {
  return everything || ids.has(id);
}

/** The selection with one entry put in or taken out. Of everything, what stands on the page stays selected. */
export function toggle(selection: Selection, id: string, onPage: readonly string[]): Selection {
  const ids = new Set(selection.everything ? onPage : selection.ids);
  if (!ids.delete(id)) {
    ids.add(id);
  }
  return { ids, everything: false, anchor: id };
}

/** The selection from its anchor to an entry, in the order of the page. */
export function extendTo({ anchor: begun }: Selection, id: string, onPage: readonly string[]): Selection {
  const anchor = begun !== null && onPage.includes(begun) ? begun : id;
  const [from, to] = [onPage.indexOf(anchor), onPage.indexOf(id)].sort((a, b) => a - b);
  return { ids: new Set(onPage.slice(from, (to ?? 0) + 1)), everything: false, anchor };
}

/** What a page is asked for: the list anew, its newest entries brought up to date, or the entries that follow. */
export type Purpose = "first" | "refresh" | "more";

/** An answer's images and the whole entry, once they have come; or why they have not. */
export type Images =
  | { kind: "loading" }
  | { kind: "here"; images: readonly Image[]; entry: HistoryEntry }
  | { kind: "failed"; message: string };

/** A deletion that can be undone. */
export interface Undo {
  readonly undo: string;
  readonly count: number;
  /** The entries that were named; undefined where it was everything that matches. */
  readonly ids?: ReadonlySet<string>;
  /** What the list showed then. */
  readonly query: Query;
}

/** What the page knows of the history. */
export interface HistoryState {
  readonly query: Query;
  /** What the entries that are shown were found by; null before the first page. */
  readonly shown: Query | null;
  /** What has been read, newest first, with what is deleted for as long as that can be undone. */
  readonly read: readonly HistoryEntry[];
  /** Asks for the entries that follow; absent at the history's end. */
  readonly next?: string;
  /** A page is on its way that the user waits for. */
  readonly loading: boolean;
  /** Why the last page could not be had. */
  readonly failure: string | null;
  /** Why the history is not kept on disk. */
  readonly problem: string | null;
  /** Whether it is a hub's, of which nothing is deleted here. */
  readonly shared: boolean;
  /** Why something the user asked for did not succeed. */
  readonly notice: string | null;
  readonly facets: HistoryFacetsResult;
  readonly expanded: ReadonlySet<string>;
  readonly selection: Selection;
  /** The entry that the keyboard stands on. */
  readonly active: string | null;
  readonly images: Readonly<Record<string, Images>>;
  readonly undos: readonly Undo[];
}

export const noHistory: HistoryState = {
  query: emptyQuery,
  shown: null,
  read: [],
  loading: true,
  failure: null,
  problem: null,
  shared: false,
  notice: null,
  facets: { agents: [], workspaces: [] },
  expanded: new Set(),
  selection: noSelection,
  active: null,
  images: {},
  undos: [],
};

/** The entries on the page: what has been read and not been deleted. */
export function entriesOf({ read, undos }: HistoryState): readonly HistoryEntry[] {
  return undos.length === 0 ? read : read.filter((entry) => !undos.some(({ ids }) => ids?.has(idOf(entry))));
}

/** An entry as far as it is known: one that the page has shortened is whole once it was fetched. */
export function wholeOf({ images }: HistoryState, entry: HistoryEntry): HistoryEntry {
  const fetched = images[entry.questionId];
  const { collected, matches } = entry;
  return entry.shortened && fetched?.kind === "here" ? { ...fetched.entry, collected, matches } : entry;
}

const idOf = ({ questionId }: HistoryEntry) => questionId;

/** A page has come for the query of the moment. */
export function arrive(state: HistoryState, purpose: Purpose, query: Query, page: HistoryPage): HistoryState {
  const next = { ...state, ...joined(state, purpose, page) };
  const here = new Set(next.read.map(idOf));
  return {
    ...next,
    shown: query,
    loading: false,
    failure: null,
    problem: page.saved ? null : (page.problem ?? null),
    shared: page.shared ?? false,
    active: state.active !== null && here.has(state.active) ? state.active : null,
    expanded: new Set([...state.expanded].filter((id) => here.has(id))),
    images: Object.fromEntries(Object.entries(state.images).filter(([id]) => here.has(id))),
  };
}

/** Joins a page to what was read. A refreshed first page replaces the newest entries up to its last one; if they do not meet, it replaces all. */
function joined(
  { read, next }: HistoryState,
  purpose: Purpose,
  page: HistoryPage,
): Pick<HistoryState, "read" | "next"> {
  if (purpose === "more") {
    const known = new Set(read.map(idOf));
    return { read: [...read, ...page.entries.filter((entry) => !known.has(idOf(entry)))], next: page.next };
  }
  const last = page.entries.at(-1)?.questionId;
  const seam = read.findIndex((entry) => idOf(entry) === last);
  if (purpose === "first" || page.next === undefined || seam < 0) {
    return { read: page.entries, next: page.next };
  }
  const fresh = new Set(page.entries.map(idOf));
  const older = read.slice(seam + 1).filter((entry) => !fresh.has(idOf(entry)));
  return { read: [...page.entries, ...older], next: older.length === 0 ? page.next : next };
}

/** Removes the named entries, or all; those that `undo` can restore stay hidden until then. */
export function remove(
  state: HistoryState,
  { ids, undo, count }: { ids?: readonly string[]; undo?: string; count: number },
): HistoryState {
  const entries = entriesOf(state);
  const gone = new Set(ids ?? entries.map(idOf));
  const named = ids && gone;
  const undos =
    undo === undefined ? state.undos : [...state.undos, { undo, count, ids: named, query: state.query }];
  const selected = [...state.selection.ids].filter((id) => !gone.has(id));
  const stays = undo === undefined ? state.read.filter((entry) => !gone.has(idOf(entry))) : state.read;
  return {
    ...state,
    read: named ? stays : [],
    next: named && state.next,
    undos,
    selection: selected.length > 0 ? { ...state.selection, ids: new Set(selected) } : noSelection,
    expanded: new Set([...state.expanded].filter((id) => !gone.has(id))),
    active: neighbour(entries, state.active, gone),
  };
}

/** The entry itself while it is there, else the one that has come to its place, else the last one. */
function neighbour(
  entries: readonly HistoryEntry[],
  active: string | null,
  gone: ReadonlySet<string>,
): string | null {
  const at = entries.findIndex((entry) => idOf(entry) === active);
  const stays = (entry: HistoryEntry) => !gone.has(idOf(entry));
  const next = at < 0 ? undefined : (entries.slice(at).find(stays) ?? entries.slice(0, at).findLast(stays));
  return next?.questionId ?? null;
}

/** A deletion was undone; the keyboard goes to the first entry that is back. */
export function restore(state: HistoryState, undone: Undo): HistoryState {
  const undos = state.undos.filter((each) => each !== undone);
  const back = entriesOf({ ...state, undos }).find(({ questionId }) => undone.ids?.has(questionId));
  return { ...state, undos, active: back?.questionId ?? state.active };
}

/** What can be restored no longer is gone. */
export function forget(state: HistoryState, over: Undo): HistoryState {
  if (!state.undos.includes(over)) {
    return state; // it was undone
  }
  const read = state.read.filter((entry) => !over.ids?.has(idOf(entry)));
  return { ...state, undos: state.undos.filter((each) => each !== over), read };
}
