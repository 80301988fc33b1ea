// The state of the page, as a pure function of a state and an event (see cards.ts and history/state.ts).

import type * as protocol from "../src/protocol.gen";
import type { Draft, Sent } from "./answer";
import {
  arrange,
  type Card,
  cardOf,
  close,
  drafts,
  elsewhere,
  isDone,
  isOver,
  isOverridden,
  trim,
} from "./cards";
import { type HistoryState, noHistory } from "./history/state";
import { growParts } from "./parts";

const noHost: protocol.HostState = {
  locale: "en",
  strings: {},
  folders: [],
  keep: true,
  phrases: [],
  commands: [],
  trouble: null,
  diffs: false,
};

/** The state of the page before its first message. */
export const initialState = {
  ...noHost,
  /** Whether the host has sent its state. */
  opened: false,
  /** Whether the sidecar has sent the open questions. */
  ready: false,
  /** In the order on the page. */
  cards: [] as readonly Card[],
  /**
   * Drafts from before a reload that the sidecar has not acknowledged, by question id, until their questions
   * arrive.
   */
  drafts: {} as Readonly<Record<string, protocol.Draft>>,
  /** Why nothing can be saved at the moment. */
  storage: null as string | null,
  /** Whether the reason is that the keeper does not respond. */
  hung: false,
  /** The team's hub whose questions are included; null if there is none. */
  hub: null as protocol.HubState | null,
  /** The question that the user writes on. */
  writing: undefined as string | undefined,
  /** The ids of the questions that are folded to their titles, by the user or because they closed. */
  folded: new Set() as ReadonlySet<string>,
  history: noHistory as HistoryState,
};

/** The state of the page. */
export type ViewState = Readonly<typeof initialState>;

/** The reducers by event type. */
const reducers = {
  history: (state, { history }: { history: HistoryState }) => ({ ...state, history }),
  host,
  /** Replaces all open questions. */
  snapshot(state, { inbox }: { inbox: protocol.Inbox }) {
    const cards = state.cards.map((card): Card => (isOver(card) ? card : { ...card, stale: true }));
    const begun = { ...state, cards, ready: true, storage: null, hung: false, hub: null };
    const { items, more, storage, hub } = inbox;
    return apply(begun, { items, more, storage, hub });
  },
  change: (state, event: { change: protocol.InboxChange }) => apply(state, event.change),
  /**
   * A question's outcome became known in another way. Without an outcome, a stale question counts as
   * withdrawn.
   */
  ended(state, { id, outcome }: { id: string; outcome?: protocol.ItemOutcome }) {
    if (outcome === undefined) {
      return state.cards.some((card) => card.id === id && card.stale) ? withdraw(state, id) : state;
    }
    return changeOpen(state, id, (card) => close(card, outcome));
  },
  /** The page was reloaded, with its stored drafts and cards. */
  restored: (
    state,
    event: { drafts: Record<string, protocol.Draft>; closed: readonly Card[]; folded?: readonly string[] },
  ) => ({
    ...state,
    drafts: event.drafts,
    folded: new Set(event.folded),
    cards: [...event.closed, ...state.cards],
  }),
  /** The answer or dismissal was rejected: the draft stays, and the card shows the message. */
  refused: (state, { id, message }: { id: string; message: string }) =>
    changeOpen(state, id, (card) => {
      const phase = card.phase === "sending" ? "pending" : card.phase;
      return { ...card, phase, sent: undefined, refused: message };
    }),
  /** Another page has saved the draft. */
  draftSaved: (state, { id, draft }: { id: string; draft: protocol.Draft }) =>
    changeOpen(state, id, (card) => ({ ...card, ...drafts(card, state.writing === id, draft) })),
  /** The user changed the draft; null if it is empty again. */
  drafted: (state, { id, draft }: { id: string; draft: Draft | null }) =>
    changeOpen(state, id, (card) => ({ ...card, draft: draft ?? undefined, refused: undefined })),
  /** The user's choice was sent; null is a dismissal. */
  sent: (state, { id, answer }: { id: string; answer: Sent | null }) =>
    change(state, id, (card) =>
      card.phase === "pending" ? { ...card, phase: "sending", sent: answer, refused: undefined } : card,
    ),
  folded: (state, { id, folded }: { id: string; folded: boolean }) => {
    const others = [...state.folded].filter((each) => each !== id);
    return { ...state, folded: new Set(folded ? [...others, id] : others) };
  },
  /** The user has chosen between this page's draft and another page's. */
  settled: (state, { id }: { id: string }) => change(state, id, (card) => ({ ...card, other: undefined })),
  /** The question whose text box has the keyboard focus. */
  writing: (state, { id }: { id: string | undefined }) => ({ ...state, writing: id }),
  /** The user has left the view. */
  left: (state, _: object) => keep(state, arrange(state.cards.filter((card) => !isDone(card)))),
  cleared: (state, { ids }: { ids: readonly string[] }) =>
    keep(
      state,
      state.cards.filter((card) => !(isOver(card) && ids.includes(card.id))),
    ),
} satisfies Record<string, (state: ViewState, event: never) => ViewState>;

type Reducers = typeof reducers;

/** An event that changes the state. */
export type ViewEvent = {
  [Type in keyof Reducers]: { type: Type } & Parameters<Reducers[Type]>[1];
}[keyof Reducers];

/** The next state. An event that concerns no card of the page does not change the state. */
export function reduce(state: ViewState, event: ViewEvent): ViewState {
  return Object.hasOwn(reducers, event.type) ? reducers[event.type](state, event as never) : state;
}

/** The state with these cards, and without data of other ones. */
function keep(state: ViewState, cards: readonly Card[]): ViewState {
  const ids = new Set(cards.map(({ id }) => id));
  return { ...state, cards, folded: new Set([...state.folded].filter((id) => ids.has(id))) };
}

function host(state: ViewState, { host: changes }: { host: Partial<protocol.HostState> }): ViewState {
  const next = { ...state, ...changes, opened: true };
  const cards = state.cards.filter((card) => isShown(next, card.id));
  const moved =
    changes.folders && cards.map((card) => ({ ...card, elsewhere: elsewhere(card, next.folders) }));
  return { ...next, cards: moved ?? cards };
}

/** Whether the page shows that question. */
function isShown({ only }: ViewState, id: string): boolean {
  return only === undefined || id === only;
}

function apply(
  state: ViewState,
  { removed = [], items = [], grown = [], more, storage, hub }: protocol.InboxChange,
): ViewState {
  let next = storage
    ? { ...state, storage: storage.saved ? null : (storage.problem ?? ""), hung: storage.hung === true }
    : state;
  next = hub ? { ...next, hub: hub.state === "off" ? null : hub } : next;
  next = removed.reduce(withdraw, next);
  next = put(next, items);
  for (const growth of grown) {
    const grow = (card: Card) => ({ ...card, parts: growParts(card.parts, growth) });
    next = change(next, growth.questionId, (card) => (card.phase === "streaming" ? grow(card) : card));
  }
  // A question that was still arriving when the connection was lost starts again from the beginning.
  const lost = ({ stale, phase }: Card) => stale && phase === "streaming";
  return !more && next.cards.some(lost) ? { ...next, cards: next.cards.filter((card) => !lost(card)) } : next;
}

/** Adds questions, or updates existing ones. Each keeps its place; new ones are added at the end. */
function put(state: ViewState, items: readonly protocol.InboxItem[]): ViewState {
  const known = new Map(state.cards.map((card) => [card.id, card]));
  // A call that is held for guidance is never in the inbox. The agent's confirmation of a decision brings no cleared card back.
  const visible = items.filter(
    ({ state: phase, questionId: id, outcome }) =>
      phase !== "held" &&
      isShown(state, id) &&
      (known.has(id) || !outcome?.effective || isOverridden(outcome)),
  );
  if (visible.length === 0) {
    return state;
  }
  const news = new Map<string, Card>();
  const kept = { ...state.drafts };
  for (const item of visible) {
    const { questionId: id } = item;
    const card = cardOf(item, state.folders, known.get(id) ?? news.get(id), kept[id], state.writing === id);
    (known.has(id) ? known : news).set(id, card.outcome && isOver(card) ? close(card, card.outcome) : card);
    delete kept[id];
  }
  const cards = [...known.values(), ...arrange([...news.values()])];
  return shown({ ...state, drafts: kept }, cards);
}

/** The question was withdrawn. Its card stays, like any closed card. */
function withdraw(state: ViewState, id: string): ViewState {
  return changeOpen(state, id, (card) => close(card, { outcome: "withdrawn", at: card.askedAt }));
}

function changeOpen(state: ViewState, id: string, next: (card: Card) => Card): ViewState {
  return change(state, id, (card) => (isOver(card) ? card : next(card)));
}

function change(state: ViewState, id: string, next: (card: Card) => Card): ViewState {
  const cards = state.cards.map((card) => (card.id === id ? next(card) : card));
  return cards.some((card, index) => card !== state.cards[index]) ? shown(state, cards) : state;
}

/** The state with these cards. Closed ones are folded to a line, except those with unsent words. */
function shown(state: ViewState, cards: readonly Card[]): ViewState {
  const before = new Map(state.cards.map((card) => [card.id, card]));
  const folded = new Set(state.folded);
  for (const card of cards) {
    const wasOver = before.get(card.id)?.phase === "closed";
    if (isDone(card) && !wasOver) {
      folded.add(card.id);
    } else if (!isDone(card) && (wasOver || isOver(card))) {
      folded.delete(card.id);
    }
  }
  return { ...state, folded, cards: trim(cards) };
}
