// Which card the digits answer.

import type { Card } from "./cards";

/** The id of the card that holds an element; undefined where no card does. */
export function cardIdOf(element: Element | null): string | undefined {
  return element?.closest<HTMLElement>("followup-card")?.dataset.id;
}

/** Where the keyboard focus is: in a card, by its id, nowhere, or on something that belongs to no card. */
export type Attention = { readonly card: string } | "nowhere" | "elsewhere";

export function attentionOf(focused: Element | null): Attention {
  if (focused === null || focused === document.body || focused === document.documentElement) {
    return "nowhere";
  }
  const card = cardIdOf(focused);
  return card === undefined ? "elsewhere" : { card };
}

/**
 * The card that digits choose from: the one with the focus or, where nothing has it, the only one that can be answered. A card
 * that this page has answered leaves the digits to the next one. With several of them a key cannot tell which one is meant.
 * Nor does it choose what is folded away.
 */
export function digitTarget(
  cards: readonly Card[],
  attention: Attention,
  folded: ReadonlySet<string> = new Set(),
): string | undefined {
  const pending = cards.filter(({ id, phase }) => phase === "pending" && !folded.has(id));
  const only = pending.length === 1 ? pending[0]?.id : undefined;
  if (typeof attention === "string") {
    return attention === "nowhere" ? only : undefined;
  }
  const focused = cards.find(({ id }) => id === attention.card);
  return focused?.answeredHere ? only : pending.find(({ id }) => id === attention.card)?.id;
}

/** The card that can be answered after the one with that id: the next on the page, else the first. */
export function nextPending(cards: readonly Card[], id: string): Card | undefined {
  const at = cards.findIndex((card) => card.id === id);
  return [...cards.slice(at + 1), ...cards.slice(0, at + 1)].find(({ phase }) => phase === "pending");
}
