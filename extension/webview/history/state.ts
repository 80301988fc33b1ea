// The state of the history, and its changes. Pure.

import type { HistoryEntry, HistoryFacetsResult, HistoryPage } from "../../src/protocol.gen";
import { emptyQuery, type Query } from "./filter";

/** The user's selection: entries by their ids, or everything that matches. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Everything that matches is selected, including entries that were not read yet. */
  readonly everything: boolean;
  /** The start of a range that Shift selects. */
  readonly anchor: string | null;
}

export const noSelection: Selection = { ids: new Set(), everything: false, anchor: null };

/** Whether an entry is selected. */
export function isSelected({ everything, ids }: Selection, id: string): boolean {
  return everything || ids.has(id);
}

/** The selection with one entry added or removed. If everything was selected, the other entries on the page stay selected. */
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

/** The whole entry with its images, or why it could not be loaded; undefined while it loads. */
export type Detail = HistoryEntry | string | undefined;

/** A deletion that can be undone. */
export interface Undo {
  readonly undo: string;
  readonly count: number;
}

/** The history before anything was read. */
export const noHistory = {
  query: emptyQuery as Query,
  /** The query that found the visible entries; null before the first page. */
  shown: null as Query | null,
  /** The entries read so far, newest first. */
  read: [] as readonly HistoryEntry[],
  /** The cursor for the next page; absent at the end of the history. */
  next: undefined as string | undefined,
  /** The user waits for a page. */
  loading: true,
  /** Why the last page could not be loaded. */
  failure: null as string | null,
  /** Why the history is not kept on disk. */
  problem: null as string | null,
  /** Whether it is a hub's history, which cannot be deleted here. */
  shared: false,
  /** Why the user's last action failed. */
  notice: null as string | null,
  facets: { agents: [], workspaces: [] } as HistoryFacetsResult,
  expanded: new Set() as ReadonlySet<string>,
  selection: noSelection,
  /** The entry with the keyboard focus. */
  active: null as string | null,
  details: {} as Readonly<Record<string, Detail>>,
  undos: [] as readonly Undo[],
};

/** The page's state of the history. */
export type HistoryState = Readonly<typeof noHistory>;

/** The most complete known form of an entry: the page shortens entries until their details are fetched. */
export function wholeOf({ details }: HistoryState, entry: HistoryEntry): HistoryEntry {
  const detail = details[entry.questionId];
  const { collected, matches } = entry;
  return entry.shortened && typeof detail === "object" ? { ...detail, collected, matches } : entry;
}

const idOf = ({ questionId }: HistoryEntry) => questionId;

/** Adds entries read for the current query: the next page or, without `more`, a replacement. */
export function arrive(state: HistoryState, more: boolean, query: Query, page: HistoryPage): HistoryState {
  const { read: before, active, selection } = state;
  const known = new Set(before.map(idOf));
  const read = more ? [...before, ...page.entries.filter((entry) => !known.has(idOf(entry)))] : page.entries;
  const here = new Set(read.map(idOf));
  const isHere = (id: string) => here.has(id);
  const at = before.findIndex((entry) => idOf(entry) === active);
  // If the focused entry is gone, the next remaining one gets the focus, otherwise the last one.
  const nearest = at < 0 ? [] : [...before.slice(at), ...before.slice(0, at).reverse()].map(idOf);
  return {
    ...state,
    read,
    next: page.next,
    shown: query,
    loading: false,
    failure: null,
    problem: page.saved ? null : (page.problem ?? null),
    shared: page.shared ?? false,
    active: nearest.find(isHere) ?? null,
    expanded: new Set([...state.expanded].filter(isHere)),
    selection: { ...selection, ids: new Set([...selection.ids].filter(isHere)) },
    details: Object.fromEntries(Object.entries(state.details).filter(([id]) => isHere(id))),
  };
}
