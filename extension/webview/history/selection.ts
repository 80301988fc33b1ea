// What the user has selected: entries by their ids, or everything that matches. Pure.

import type { HistoryFilter, HistoryTarget } from "../../src/protocol.gen";

/** A selection. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Everything that matches is selected, on the page or not. */
  readonly everything: boolean;
  /** Where a range that is selected with Shift begins. */
  readonly anchor: string | null;
}

export const noSelection: Selection = { ids: new Set(), everything: false, anchor: null };

/** Whether nothing is selected. */
export function isEmpty(selection: Selection): boolean {
  return !selection.everything && selection.ids.size === 0;
}

/** Whether an entry is selected. */
export function isSelected(selection: Selection, id: string): boolean {
  return selection.everything || selection.ids.has(id);
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
export function extendTo(selection: Selection, id: string, onPage: readonly string[]): Selection {
  const anchor = selection.anchor !== null && onPage.includes(selection.anchor) ? selection.anchor : id;
  const [from, to] = [onPage.indexOf(anchor), onPage.indexOf(id)].sort((a, b) => a - b);
  return { ids: new Set(onPage.slice(from, (to ?? 0) + 1)), everything: false, anchor };
}

/** All entries of the page. */
export function all(onPage: readonly string[]): Selection {
  return { ids: new Set(onPage), everything: false, anchor: onPage[0] ?? null };
}

/** The selection without entries that are gone. */
export function unselect(selection: Selection, gone: ReadonlySet<string>): Selection {
  const ids = new Set([...selection.ids].filter((id) => !gone.has(id)));
  return ids.size === 0 ? noSelection : { ...selection, ids };
}

/** What an action on the selection is about. */
export function targetOf(selection: Selection, text: string, filter: HistoryFilter): HistoryTarget {
  return selection.everything ? { text, filter } : { questionIds: [...selection.ids] };
}
