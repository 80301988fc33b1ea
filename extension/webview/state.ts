// The state of the page: one pure function from a state and an event to the next state. What it knows of the cards stands in cards.ts,
// what of the history in history/state.ts.

import type {
  HistoryEntry,
  HubState,
  Inbox,
  InboxChange,
  InboxItem,
  ItemOutcome,
  Draft as SavedDraft,
} from "../src/protocol.gen";
import type { Draft } from "./answer";
import { type Attention, isIn, nowhere, writesIn } from "./attention";
import type { HostState } from "./boundary";
import {
  append,
  arrange,
  type Card,
  cardOf,
  close,
  closedCard,
  draftOf,
  elsewhere,
  hasWords,
  isOver,
  type Sent,
  taken,
} from "./cards";
import { browse, type HistoryEvent, type HistoryState, noHistory } from "./history/state";

/** All that the page shows. */
export interface ViewState extends HostState {
  /** Whether the host has told of itself. */
  readonly opened: boolean;
  /** Whether the sidecar has told what is open. */
  readonly ready: boolean;
  /** In the order they stand on the page. */
  readonly cards: readonly Card[];
  /** Drafts that this page could not give to the sidecar before it was loaded again, by question id, until the question comes. */
  readonly drafts: Readonly<Record<string, SavedDraft>>;
  /** What was open before the last snapshot and has not come again yet, while more of the snapshot is to come. */
  readonly missing: ReadonlySet<string>;
  /**
   * What a snapshot did not have any more, as it stood while it was open. It is shown as withdrawn, or not at all, until it is known
   * how it ended.
   */
  readonly presumed: readonly Card[];
  /** Why nothing can be saved at the moment. */
  readonly storage: string | null;
  /** The team's hub whose questions stand among the user's own; null where there is none. */
  readonly hub: HubState | null;
  /** Where the keyboard focus is. */
  readonly attention: Attention;
  /** The ids of the questions that the user has folded to their titles. */
  readonly folded: ReadonlySet<string>;
  readonly history: HistoryState;
}

/** What the state changes by. */
export type ViewEvent =
  | HistoryEvent
  /** The host tells of itself. */
  | { type: "host"; host: Partial<HostState> }
  /** What is open, in the place of everything open; `awaited` may come later. */
  | { type: "snapshot"; inbox: Inbox; awaited: readonly string[] }
  /** What has changed since. */
  | { type: "change"; change: InboxChange }
  /** A question's outcome became known otherwise; absent where nobody knows how what is presumed to have ended did. */
  | { type: "ended"; id: string; outcome?: ItemOutcome }
  /** The answer or dismissal was not taken: the draft stays and the message is shown on the card. */
  | { type: "refused"; id: string; message: string }
  /** Another page has saved what the user has begun. */
  | { type: "draftSaved"; id: string; draft: SavedDraft }
  /** What this page had kept before it was loaded again. */
  | {
      type: "restored";
      drafts: Record<string, SavedDraft>;
      closed: readonly Card[];
      folded?: readonly string[];
    }
  /** What was over on this page before it was loaded again, as the history has it. */
  | { type: "recalled"; entries: readonly HistoryEntry[] }
  /** The user changed what they had begun; null when it is empty again. */
  | { type: "drafted"; id: string; draft: Draft | null }
  /** The user's choice was sent; null is a dismissal. */
  | { type: "sent"; id: string; answer: Sent | null }
  /** The user has folded a question to its title, or unfolded it. */
  | { type: "folded"; id: string; folded: boolean }
  /** The keyboard focus has moved. */
  | { type: "attended"; attention: Attention }
  /** The user has cleared closed cards away. */
  | { type: "cleared"; ids: readonly string[] };

export const initialState: ViewState = {
  opened: false,
  ready: false,
  locale: "en",
  strings: {},
  folders: [],
  keep: true,
  phrases: [],
  commands: [],
  trouble: null,
  cards: [],
  drafts: {},
  missing: new Set(),
  presumed: [],
  storage: null,
  hub: null,
  attention: nowhere,
  folded: new Set(),
  history: noHistory,
};

/** The next state. An event that concerns no card of the page leaves the state as it is. */
export function reduce(state: ViewState, event: ViewEvent): ViewState {
  const next = step(state, event);
  const { only, cards } = next;
  return only === undefined || cards.every(({ id }) => id === only)
    ? next
    : { ...next, cards: cards.filter(({ id }) => id === only) };
}

function step(state: ViewState, event: ViewEvent): ViewState {
  switch (event.type) {
    case "host":
      return host(state, event.host);
    case "snapshot":
      return snapshot(state, event.inbox, event.awaited);
    case "change":
      return apply(state, event.change);
    case "ended":
      return ended(state, event.id, event.outcome);
    case "restored":
      return {
        ...state,
        drafts: event.drafts,
        folded: new Set(event.folded),
        cards: arrange([...event.closed, ...state.cards]),
      };
    case "recalled":
      return { ...state, cards: arrange(event.entries.reduce(recall, state.cards)) };
    case "refused":
      return change(state, event.id, (card) =>
        card.phase === "closed"
          ? card
          : {
              ...taken(card),
              phase: card.phase === "sending" ? "pending" : card.phase,
              refused: event.message,
            },
      );
    case "draftSaved":
      return change(state, event.id, (card) =>
        card.phase === "closed" ? card : { ...card, draft: draftOf(card.draft, event.draft) },
      );
    case "drafted":
      return change(state, event.id, (card) =>
        card.phase === "closed" ? card : { ...card, draft: event.draft ?? undefined, refused: undefined },
      );
    case "sent":
      return change(state, event.id, (card) =>
        card.phase === "pending"
          ? { ...card, phase: "sending", sent: event.answer, refused: undefined }
          : card,
      );
    case "folded":
      return fold(state, event.id, event.folded);
    case "attended":
      return attended(state, event.attention);
    case "cleared":
      return {
        ...state,
        cards: state.cards.filter((card) => !(isOver(card) && event.ids.includes(card.id))),
      };
    default: {
      const history = browse(state.history, event);
      return history === state.history ? state : { ...state, history };
    }
  }
}

/** The cards with one that was over before; of one that is kept for its words, how it ended. */
function recall(cards: readonly Card[], entry: HistoryEntry): readonly Card[] {
  const known = cards.find(({ id }) => id === entry.questionId);
  const { outcome, payload } = entry;
  if (known === undefined) {
    return payload ? [...cards, closedCard(entry)] : cards;
  }
  const unsent = known.unsent === outcome.text ? undefined : known.unsent;
  return isOver(known) ? cards.map((card) => (card === known ? { ...card, outcome, unsent } : card)) : cards;
}

/** The first card that can be answered. */
export function firstPending(state: ViewState): Card | undefined {
  return state.cards.find((card) => card.phase === "pending");
}

function host(state: ViewState, told: Partial<HostState>): ViewState {
  const next = { ...state, ...told, opened: true };
  const moved =
    told.folders && state.cards.map((card) => ({ ...card, elsewhere: elsewhere(card, next.folders) }));
  // Whether what was under way has arrived is not known; the card can be answered again, which changes nothing if it has.
  const cards = (moved ?? state.cards).map(
    (card): Card => (told.trouble && card.phase === "sending" ? { ...taken(card), phase: "pending" } : card),
  );
  return told.trouble || moved ? { ...next, cards: arrange(cards) } : next;
}

function fold(state: ViewState, id: string, folded: boolean): ViewState {
  if (state.folded.has(id) === folded) {
    return state;
  }
  const others = [...state.folded].filter((each) => each !== id);
  return { ...state, folded: new Set(folded ? [...others, id] : others) };
}

function snapshot(
  state: ViewState,
  { items, more, storage, hub }: Inbox,
  awaited: readonly string[],
): ViewState {
  const open = state.cards.filter(({ phase, id }) => phase !== "closed" && !awaited.includes(id));
  const begun = {
    ...state,
    ready: true,
    storage: null,
    hub: null,
    missing: new Set(open.map(({ id }) => id)),
  };
  return apply(begun, { items, more, storage, hub });
}

function apply(
  state: ViewState,
  { removed = [], items = [], grown = [], more, storage, hub }: InboxChange,
): ViewState {
  let next = storage ? { ...state, storage: storage.saved ? null : (storage.problem ?? "") } : state;
  next = hub ? { ...next, hub: hub.state === "off" ? null : hub } : next;
  next = removed.reduce(remove, next);
  next = put(next, items);
  next = grown.reduce(
    (grows, growth) => change(grows, growth.questionId, (card) => append(card, growth)),
    next,
  );
  if (more || next.missing.size === 0) {
    return next;
  }
  const { missing } = next;
  const presumed = [...next.presumed, ...next.cards.filter(({ id }) => missing.has(id))];
  return { ...[...missing].reduce(remove, next), missing: new Set(), presumed };
}

/** It is known how a question ended. */
function ended(state: ViewState, id: string, outcome: ItemOutcome | undefined): ViewState {
  const presumed = state.presumed.find((card) => card.id === id);
  const card = presumed ?? state.cards.find((each) => each.id === id && each.phase !== "closed");
  const left = { ...state, presumed: state.presumed.filter((each) => each !== presumed) };
  if (card === undefined || outcome === undefined) {
    return left;
  }
  const closed = close({ ...card, phase: "closed", outcome }, state.attention);
  return { ...left, cards: arrange([...state.cards.filter((each) => each.id !== id), closed]) };
}

/** Shows questions, or brings those that are shown up to date. */
function put(state: ViewState, items: readonly InboxItem[]): ViewState {
  // A call that is held for guidance is never in the inbox.
  const told = items.filter((item) => item.state !== "held");
  if (told.length === 0) {
    return state;
  }
  const known = new Map(state.cards.map((card) => [card.id, card]));
  const drafts = { ...state.drafts };
  const missing = new Set(state.missing);
  for (const item of told) {
    const { questionId: id } = item;
    const card = cardOf(item, state.folders, known.get(id), drafts[id]);
    known.set(id, card.phase === "closed" ? close(card, state.attention) : card);
    delete drafts[id];
    missing.delete(id);
  }
  const presumed = state.presumed.filter(({ id }) => told.every(({ questionId }) => questionId !== id));
  return { ...state, drafts, missing, presumed, cards: arrange([...known.values()]) };
}

function remove(state: ViewState, id: string): ViewState {
  const card = state.cards.find((each) => each.id === id);
  if (card === undefined) {
    return state;
  }
  const outcome: ItemOutcome = card.outcome ?? { outcome: "withdrawn", at: card.askedAt };
  const closed = close({ ...card, phase: "closed", outcome }, state.attention);
  const others = state.cards.filter((other) => other.id !== id);
  if (hasWords(closed)) {
    // What the user had typed for it stays where they can copy it.
    return { ...state, cards: arrange([...others, closed]) };
  }
  // Were it taken from under the focus, the next key would go to another card.
  return isIn(state.attention, id)
    ? { ...state, cards: arrange([...others, { ...closed, gone: true }]) }
    : { ...state, cards: others };
}

/** The focus has moved: what only it kept goes its way. */
function attended(state: ViewState, attention: Attention): ViewState {
  const left = state.cards.flatMap((card) => {
    const released = card.held && !writesIn(attention, card.id) ? close(card, attention) : card;
    return released.gone && !isIn(attention, card.id) ? [] : [released];
  });
  const changed = left.length < state.cards.length || left.some((card, index) => card !== state.cards[index]);
  return { ...state, attention, cards: changed ? arrange(left) : state.cards };
}

function change(state: ViewState, id: string, next: (card: Card) => Card): ViewState {
  let changed = false;
  const cards = state.cards.map((card) => {
    const result = card.id === id ? next(card) : card;
    changed ||= result !== card;
    return result;
  });
  return changed ? { ...state, cards: arrange(cards) } : state;
}
