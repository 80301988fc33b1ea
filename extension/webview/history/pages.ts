// The stretch of the history that the page holds: entries newest first, read on at the older end. Pure.

import type { HistoryEntry, HistoryPage } from "../../src/protocol.gen";

/** The most entries that are held, so that a long read costs no more and more memory. */
export const heldEntries = 500;

/** What has been read. */
export interface Stretch {
  readonly entries: readonly HistoryEntry[];
  /** Asks for the entries that follow; absent at the history's end. */
  readonly next?: string;
  /** Where earlier pages ended, oldest last: behind the entry `id`, `next` asks for what follows. */
  readonly ends: readonly PageEnd[];
  /** Newer entries were let go; the newest are not among those held. */
  readonly trimmed: boolean;
}

interface PageEnd {
  readonly id: string;
  readonly next: string;
}

export const nothingRead: Stretch = { entries: [], ends: [], trimmed: false };

/** The stretch that a first page makes. */
export function begin(page: HistoryPage): Stretch {
  return { entries: page.entries, next: page.next, ends: endOf(page), trimmed: false };
}

/** The stretch with the page that follows it. Of too many entries the newest are let go. */
export function extend(stretch: Stretch, page: HistoryPage): Stretch {
  const known = idsOf(stretch.entries);
  const all = [...stretch.entries, ...page.entries.filter(({ questionId }) => !known.has(questionId))];
  const entries = all.slice(-heldEntries);
  return {
    entries,
    next: page.next,
    ends: keepEnds([...stretch.ends, ...endOf(page)], entries),
    trimmed: stretch.trimmed || entries.length < all.length,
  };
}

/**
 * The stretch with its newest entries brought up to date by the first page read anew: what is new stands in front, what was
 * deleted meanwhile is gone, and what lies further back stays. A stretch that has let go of the newest stays as it is.
 */
export function refresh(stretch: Stretch, page: HistoryPage): Stretch {
  if (stretch.trimmed) {
    return stretch;
  }
  const last = page.entries.at(-1);
  const seam = stretch.entries.findIndex(({ questionId }) => questionId === last?.questionId);
  if (page.next === undefined || seam < 0) {
    // All there is, or so much is new that the two do not meet.
    return begin(page);
  }
  const fresh = idsOf(page.entries);
  const older = stretch.entries.slice(seam + 1).filter(({ questionId }) => !fresh.has(questionId));
  const entries = [...page.entries, ...older];
  const ends = keepEnds(
    [...endOf(page), ...stretch.ends.filter(({ id }) => id !== last?.questionId)],
    entries,
  );
  const next = older.length === 0 ? page.next : stretch.next;
  return shorten({ entries, next, ends, trimmed: false });
}

/** The stretch without some entries. */
export function without(stretch: Stretch, ids: ReadonlySet<string>): Stretch {
  const entries = stretch.entries.filter(({ questionId }) => !ids.has(questionId));
  return entries.length === stretch.entries.length
    ? stretch
    : { ...stretch, entries, ends: keepEnds(stretch.ends, entries) };
}

/**
 * The stretch with entries put back where they stood.
 *
 * @param order the ids of the stretch that they were taken out of
 */
export function putBack(stretch: Stretch, back: readonly HistoryEntry[], order: readonly string[]): Stretch {
  const entries = [...stretch.entries];
  const places = new Map(order.map((id, index) => [id, index]));
  // From the oldest on, each stands in front of the first one there that it stood in front of.
  for (const entry of [...back].reverse()) {
    const place = places.get(entry.questionId) ?? 0;
    const older = entries.findIndex(({ questionId }) => (places.get(questionId) ?? -1) > place);
    const newer = entries.findLastIndex(({ questionId }) => (places.get(questionId) ?? order.length) < place);
    if (!entries.some(({ questionId }) => questionId === entry.questionId)) {
      entries.splice(older >= 0 ? older : newer + 1, 0, entry);
    }
  }
  return shorten({ ...stretch, entries });
}

/** Lets go of the oldest entries of too many, at the end of a page, from where the reading can go on. */
function shorten(stretch: Stretch): Stretch {
  const { entries, ends } = stretch;
  if (entries.length <= heldEntries) {
    return stretch;
  }
  const places = new Map(entries.map(({ questionId }, index) => [questionId, index]));
  const end = ends.findLast(({ id }) => (places.get(id) ?? heldEntries) < heldEntries);
  if (end === undefined) {
    return stretch;
  }
  const kept = entries.slice(0, (places.get(end.id) ?? 0) + 1);
  return { ...stretch, entries: kept, next: end.next, ends: keepEnds(ends, kept) };
}

function endOf({ entries, next }: HistoryPage): PageEnd[] {
  const last = entries.at(-1);
  return last === undefined || next === undefined ? [] : [{ id: last.questionId, next }];
}

function keepEnds(ends: readonly PageEnd[], entries: readonly HistoryEntry[]): PageEnd[] {
  const held = idsOf(entries);
  return ends.filter(({ id }) => held.has(id));
}

/** The entries' ids. */
export function idsOf(entries: readonly HistoryEntry[]): Set<string> {
  return new Set(entries.map(({ questionId }) => questionId));
}
