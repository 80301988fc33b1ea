// Where the keyboard focus is, as far as it decides what a key does and what becomes of a card that closes.

import type { Card } from "./cards";
import { isTextBox } from "./keys";

/** Where the keyboard focus is. */
export type Attention =
  | { readonly at: "nowhere" }
  /** On something that belongs to no card. */
  | { readonly at: "elsewhere" }
  /** In a card; `writing` tells that it is in a text box. */
  | { readonly at: "card"; readonly id: string; readonly writing: boolean };

export const nowhere: Attention = { at: "nowhere" };

/** Reads it off the element that has the focus. */
export function attentionOf(focused: Element | null): Attention {
  if (focused === null || focused === document.body || focused === document.documentElement) {
    return nowhere;
  }
  const id = focused.closest<HTMLElement>("followup-card")?.dataset.id;
  return id === undefined ? { at: "elsewhere" } : { at: "card", id, writing: isTextBox(focused) };
}

export function sameAttention(one: Attention, other: Attention): boolean {
  return one.at === "card" && other.at === "card"
    ? one.id === other.id && one.writing === other.writing
    : one.at === other.at;
}

/** Whether the focus is in that card. */
export function isIn(attention: Attention, id: string): boolean {
  return attention.at === "card" && attention.id === id;
}

/** Whether the focus is in a text box of that card. */
export function writesIn(attention: Attention, id: string): boolean {
  return attention.at === "card" && attention.id === id && attention.writing;
}

/**
 * The card that digits choose from: the one with the focus or, where nothing has it, the only one that can be
 * answered. With several of them a key cannot tell which one is meant. Nor does it choose what is folded away.
 */
export function digitTarget(
  cards: readonly Card[],
  attention: Attention,
  folded: ReadonlySet<string> = new Set(),
): string | undefined {
  const pending = cards.filter(({ id, phase }) => phase === "pending" && !folded.has(id));
  if (attention.at === "nowhere") {
    return pending.length === 1 ? pending[0]?.id : undefined;
  }
  return pending.find(({ id }) => isIn(attention, id))?.id;
}
