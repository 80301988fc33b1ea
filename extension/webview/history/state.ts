// What the page knows of the history: one pure function from that and an event to the next.

import type {
  HistoryDeleteResult,
  HistoryEntry,
  HistoryFacetsResult,
  HistoryPage,
  Image,
} from "../../src/protocol.gen";
import { emptyQuery, type Query } from "./filter";
import type { Purpose } from "./loader";
import { begin, extend, idsOf, nothingRead, putBack, refresh, type Stretch, without } from "./pages";
import { noSelection, type Selection, unselect } from "./selection";

/** An answer's images and the whole entry, once they have come; or why they have not. */
export type Images =
  | { kind: "loading" }
  | { kind: "here"; images: readonly Image[]; entry: HistoryEntry }
  | { kind: "failed"; message: string };

/** A deletion that can be undone. */
export interface Undo {
  readonly undo: string;
  readonly count: number;
  /** When that ends, in milliseconds since 1970 by the page's own clock. */
  readonly until: number;
  /** The entries that stood on the page. */
  readonly entries: readonly HistoryEntry[];
  /** The ids of all that stood on the page then, in their order. */
  readonly order: readonly string[];
  /** Others may have been deleted with them. */
  readonly all: boolean;
  /** What the list showed then. */
  readonly query: Query;
}

/** What the page knows of the history. */
export interface HistoryState {
  /** What the user asks for. */
  readonly query: Query;
  /** What the entries that are shown were found by; null before the first page. */
  readonly shown: Query | null;
  readonly stretch: Stretch;
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

/** What the state changes by. */
export type HistoryEvent =
  | { type: "facets"; facets: HistoryFacetsResult }
  /** The user asks for something else. */
  | { type: "narrowed"; query: Query }
  /** A page was asked for. */
  | { type: "asked"; purpose: Purpose }
  /** A page has come that belongs to the query of the moment. */
  | { type: "arrived"; purpose: Purpose; query: Query; page: HistoryPage }
  | { type: "not-arrived"; message: string }
  | { type: "opened"; id: string; open: boolean }
  /** The images of an entry were asked for. */
  | { type: "fetching"; id: string }
  | { type: "active"; id: string | null }
  | { type: "selected"; selection: Selection }
  /** An entry with its images; without one the message tells why. */
  | { type: "entry"; id: string; entry?: HistoryEntry; message?: string }
  /** Entries were deleted, and can be restored for so many milliseconds. Without `ids`, others than the page's may be among them. */
  | { type: "removed"; ids?: string[]; deletion: HistoryDeleteResult; undoFor: number; now: number }
  /** A deletion was undone; where it was not, the count is 0. */
  | { type: "undone"; undo: string; count: number }
  /** The time to undo is over. */
  | { type: "lapsed"; now: number }
  | { type: "copied" }
  /** What the user asked for did not succeed; null: they have read it. */
  | { type: "notice"; message: string | null };

export const noHistory: HistoryState = {
  query: emptyQuery,
  shown: null,
  stretch: nothingRead,
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

/** What is known after an event. */
export function browse(state: HistoryState, event: HistoryEvent): HistoryState {
  switch (event.type) {
    case "facets":
      return { ...state, facets: event.facets };
    case "narrowed":
      // What was selected may not match any more, and is not acted upon unseen.
      return { ...state, query: event.query, selection: noSelection };
    case "asked":
      return event.purpose === "refresh" && state.failure === null ? state : { ...state, loading: true };
    case "arrived":
      return arrive(state, event);
    case "not-arrived":
      return { ...state, loading: false, failure: event.message };
    case "opened":
      return { ...state, expanded: withMember(state.expanded, event.id, event.open) };
    case "fetching":
      return { ...state, images: { ...state.images, [event.id]: { kind: "loading" } } };
    case "entry":
      return { ...state, images: { ...state.images, [event.id]: imagesOf(event) } };
    case "active":
      return state.active === event.id ? state : { ...state, active: event.id };
    case "selected":
      return { ...state, selection: event.selection };
    case "removed":
      return remove(state, event);
    case "undone":
      return restore(state, event.undo, event.count);
    case "lapsed":
      return { ...state, undos: state.undos.filter(({ until }) => until > event.now) };
    case "notice":
      return { ...state, notice: event.message };
    default:
      return state;
  }
}

/** The entries on the page. */
export function entriesOf(state: HistoryState): readonly HistoryEntry[] {
  return state.stretch.entries;
}

/** An entry as far as it is known: one that the page has shortened is whole once it was fetched. */
export function wholeOf(state: HistoryState, entry: HistoryEntry): HistoryEntry {
  const fetched = state.images[entry.questionId];
  return entry.shortened && fetched?.kind === "here"
    ? { ...fetched.entry, collected: entry.collected }
    : entry;
}

/** Whether all entries that match are on the page. */
export function isWhole({ stretch }: HistoryState): boolean {
  return stretch.next === undefined && !stretch.trimmed;
}

function arrive(
  state: HistoryState,
  { purpose, query, page }: Extract<HistoryEvent, { type: "arrived" }>,
): HistoryState {
  const seen = withoutDeleted(page, state.undos);
  const stretch = {
    first: begin(seen),
    more: extend(state.stretch, seen),
    refresh: refresh(state.stretch, seen),
  };
  const next = stretch[purpose];
  const here = idsOf(next.entries);
  return {
    ...state,
    stretch: next,
    shown: query,
    loading: false,
    failure: null,
    problem: page.saved ? null : (page.problem ?? null),
    shared: page.shared ?? false,
    active: state.active !== null && here.has(state.active) ? state.active : null,
    expanded: purpose === "refresh" ? state.expanded : kept(state.expanded, here),
    images: Object.fromEntries(Object.entries(state.images).filter(([id]) => here.has(id))),
  };
}

/** A page that was read before a deletion may still hold what was deleted. */
function withoutDeleted(page: HistoryPage, undos: readonly Undo[]): HistoryPage {
  const gone = idsOf(undos.flatMap(({ entries }) => entries));
  return gone.size === 0
    ? page
    : { ...page, entries: page.entries.filter(({ questionId }) => !gone.has(questionId)) };
}

function remove(
  state: HistoryState,
  { ids, deletion: { count, undo }, undoFor, now }: Extract<HistoryEvent, { type: "removed" }>,
): HistoryState {
  const { entries } = state.stretch;
  const gone = ids ? new Set(ids) : idsOf(entries);
  const removed = entries.filter(({ questionId }) => gone.has(questionId));
  const stretch = ids === undefined ? nothingRead : without(state.stretch, gone);
  const undos =
    undo === undefined
      ? state.undos
      : [
          ...state.undos,
          {
            undo,
            count,
            until: now + undoFor,
            entries: removed,
            order: entries.map(({ questionId }) => questionId),
            all: ids === undefined,
            query: state.query,
          },
        ];
  return {
    ...state,
    stretch,
    undos,
    selection: unselect(state.selection, gone),
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
  const at = entries.findIndex(({ questionId }) => questionId === active);
  const stays = ({ questionId }: HistoryEntry) => !gone.has(questionId);
  const next =
    entries.slice(Math.max(0, at)).find(stays) ?? entries.slice(0, Math.max(0, at)).findLast(stays);
  return at < 0 ? null : (next?.questionId ?? null);
}

/** Whether what comes back with an undo is known only when the list is read anew. */
export function needsReading(state: HistoryState, { all, query }: Undo): boolean {
  return all || query !== state.query;
}

function restore(state: HistoryState, undo: string, count: number): HistoryState {
  const undone = state.undos.find((each) => each.undo === undo);
  const undos = state.undos.filter((each) => each.undo !== undo);
  if (undone === undefined || count === 0) {
    return { ...state, undos };
  }
  return {
    ...state,
    undos,
    stretch: needsReading(state, undone)
      ? state.stretch
      : putBack(state.stretch, undone.entries, undone.order),
    active: undone.entries[0]?.questionId ?? state.active,
  };
}

function imagesOf({ entry, message = "" }: Extract<HistoryEvent, { type: "entry" }>): Images {
  return entry ? { kind: "here", images: entry.images ?? [], entry } : { kind: "failed", message };
}

function withMember(set: ReadonlySet<string>, id: string, member: boolean): ReadonlySet<string> {
  const next = new Set(set);
  member ? next.add(id) : next.delete(id);
  return next;
}

function kept(set: ReadonlySet<string>, here: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...set].filter((id) => here.has(id)));
}
