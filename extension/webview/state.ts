// The state of the interface: one pure function from a state and an event to the next state.

import type {
  Guidance,
  ItemOutcome,
  MarkdownNode,
  Draft as SavedDraft,
  Suggestion,
} from "../src/protocol.gen";
import { restored } from "./answer";
import { type Attention, isIn, nowhere, writesIn } from "./attention";
import type { CardAnswer, CardState, Draft, HostMessage, PicksAnswer, Reply } from "./boundary";
import { type Growing, grow, growTo } from "./growing";
import { fromKept, type KeptCard } from "./kept";
import { growParts, type Part, partsOf } from "./parts";
import { unsentText } from "./unsent";

/** What a card shows: its question's state, or that the user's choice is on its way to the host. */
export type Phase = CardState | "sending";

/** A question as the interface shows it. */
export interface Card {
  readonly id: string;
  readonly agent: string;
  readonly phase: Phase;
  /** In milliseconds since 1970. */
  readonly askedAt: number;
  readonly order: number;
  /** The question's text; of a questionnaire it is empty, see `parts`. */
  readonly question: Growing;
  /** The question's Markdown; absent while it streams. */
  readonly rendered?: readonly MarkdownNode[];
  readonly suggest: readonly Suggestion[];
  /** The questions of a questionnaire; absent on any other card. */
  readonly parts?: readonly Part[];
  /** Why the user is asked for guidance; absent on a question. */
  readonly guidance?: Guidance;
  /** What the user has begun. */
  readonly draft?: Draft;
  /** What was sent; kept until the host has closed or refused it. Null stands for a dismissal. */
  readonly sent?: Sent | null;
  /** Why the host did not take what was sent. */
  readonly refused?: string;
  /** How it ended; only on a closed card. */
  readonly outcome?: ItemOutcome;
  /** Where it was asked, if that is another window. */
  readonly elsewhere?: string;
  /** The agent that asked is gone. */
  readonly orphaned?: boolean;
  /** What the user had begun and the answer did not use; only on a closed card. */
  readonly unsent?: string;
  /** It closed while the user was writing on it: it stands as it was, with their words, until they leave it. */
  readonly held?: true;
  /** Only the keyboard focus keeps it on the page: it was withdrawn, and holds no words. */
  readonly gone?: true;
}

/** What the user sends to an agent. */
export type Sent = CardAnswer | PicksAnswer | Reply;

/** Trouble with the sidecar. */
export interface Trouble {
  readonly message: string;
  readonly restarting: boolean;
}

/** All that the interface shows. */
export interface ViewState {
  /** Whether the host's first message has come. */
  readonly ready: boolean;
  readonly locale: string;
  readonly strings: Readonly<Record<string, string>>;
  /** In the order they stand on the page. */
  readonly cards: readonly Card[];
  /** Drafts whose question has not been asked again yet, by question id. */
  readonly drafts: Readonly<Record<string, SavedDraft>>;
  readonly trouble: Trouble | null;
  /** Why nothing can be saved at the moment. */
  readonly storage: string | null;
  /** Where the keyboard focus is. */
  readonly attention: Attention;
}

/** What happens in the page itself. */
export type LocalEvent =
  /** Drafts that this page had kept before it was loaded again. */
  | { type: "restored"; drafts: Record<string, SavedDraft>; closed: readonly KeptCard[] }
  /** The user changed what they had begun; null when it is empty again. */
  | { type: "drafted"; id: string; draft: Draft | null }
  /** The user's choice was posted; null is a dismissal. */
  | { type: "sent"; id: string; answer: Sent | null }
  /** The keyboard focus has moved. */
  | { type: "attended"; attention: Attention }
  /** The user has cleared closed cards away. */
  | { type: "cleared"; ids: readonly string[] };

export type ViewEvent = HostMessage | LocalEvent;

/** How many closed cards stay on the page; those with words that were not sent stay beyond that. */
export const closedKept = 50;

export const initialState: ViewState = {
  ready: false,
  locale: "en",
  strings: {},
  cards: [],
  drafts: {},
  trouble: null,
  storage: null,
  attention: nowhere,
};

/** The next state. An event that concerns no card of the page leaves the state as it is. */
export function reduce(state: ViewState, event: ViewEvent): ViewState {
  switch (event.type) {
    case "init":
      return {
        ...state,
        ready: true,
        locale: event.locale,
        strings: event.strings,
        drafts: newest(event.drafts, state.drafts),
      };
    case "restored":
      return {
        ...state,
        drafts: newest(state.drafts, event.drafts),
        cards: arrange([...event.closed.map(fromKept), ...state.cards]),
      };
    case "ask":
      return ask(state, event);
    case "append":
      return change(state, event.id, (card) => append(card, event));
    case "remove":
      return remove(state, event.id);
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
    case "trouble":
      return trouble(state, event.message, event.restarting);
    case "storage":
      return { ...state, storage: event.problem };
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
    case "attended":
      return attended(state, event.attention);
    case "cleared":
      return {
        ...state,
        cards: state.cards.filter((card) => !(isOver(card) && event.ids.includes(card.id))),
      };
    default:
      return state;
  }
}

/** Whether the card is closed, and nobody is on it any more. */
export function isOver({ phase, held }: Card): boolean {
  return phase === "closed" && !held;
}

/** The first card that can be answered. */
export function firstPending(state: ViewState): Card | undefined {
  return state.cards.find((card) => card.phase === "pending");
}

/**
 * Of two sets of drafts, for each question the one changed last; where that is not known, the second set's.
 */
function newest(
  first: Readonly<Record<string, SavedDraft>>,
  second: Readonly<Record<string, SavedDraft>>,
): Record<string, SavedDraft> {
  const drafts = { ...first };
  for (const [id, draft] of Object.entries(second)) {
    const other = drafts[id];
    if (
      other?.changedAt === undefined ||
      draft.changedAt === undefined ||
      draft.changedAt >= other.changedAt
    ) {
      drafts[id] = draft;
    }
  }
  return drafts;
}

type Message<Type extends HostMessage["type"]> = Extract<HostMessage, { type: Type }>;

function ask(state: ViewState, message: Message<"ask">): ViewState {
  const { meta } = message;
  const known = state.cards.find((card) => card.id === meta.id);
  const { [meta.id]: kept, ...drafts } = state.drafts;
  const card: Card = {
    ...known,
    id: meta.id,
    agent: meta.agent,
    askedAt: meta.askedAt,
    order: meta.order,
    // What was sent is still under way when the host only brings the question up to date.
    phase: known?.phase === "sending" && meta.state !== "closed" ? "sending" : meta.state,
    ...content(message, known),
    guidance: meta.guidance,
    draft: draftOf(known?.draft, kept, meta.draft),
    outcome: meta.outcome,
    elsewhere: meta.elsewhere,
    orphaned: meta.orphaned,
    held: undefined,
    gone: undefined,
  };
  const others = state.cards.filter((other) => other.id !== meta.id);
  return {
    ...state,
    drafts,
    cards: arrange([...others, card.phase === "closed" ? close(card, state.attention) : card]),
  };
}

/** Of what stands on the page, what the page had kept and what was saved, the one changed last. */
function draftOf(shown: Draft | undefined, ...others: (SavedDraft | undefined)[]): Draft | undefined {
  let newest = shown;
  for (const other of others) {
    if (other && (newest === undefined || (other.changedAt ?? 0) > (newest.changedAt ?? 0))) {
      newest = restored(other);
    }
  }
  return newest;
}

/** What is asked. */
function content(message: Message<"ask">, known: Card | undefined) {
  if (message.ask === "questions") {
    return { question: null, suggest: [], parts: partsOf(message.payload, message.rendered, known?.parts) };
  }
  const { question, suggest } = message.payload;
  return {
    question: growTo(known?.question ?? null, question),
    rendered: message.rendered?.question,
    suggest,
  };
}

function append(card: Card, { text = "", suggest = [], parts = [] }: Message<"append">): Card {
  if (card.phase !== "streaming") {
    return card;
  }
  return {
    ...card,
    question: grow(card.question, text),
    suggest: suggest.length > 0 ? [...card.suggest, ...suggest] : card.suggest,
    parts: card.parts && growParts(card.parts, parts),
  };
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

/** The card closed; what the user had begun and that is not the answer is kept. */
function close(card: Card, attention: Attention): Card {
  const unsent = unsentText(card);
  const { sent, refused: _refused, held: _held, ...closed } = card;
  // Whoever has just sent the words has done with them; any other end comes upon the user amid a word.
  if (writesIn(attention, card.id) && (sent === undefined || unsent !== undefined)) {
    return { ...closed, held: true };
  }
  const { draft: _draft, ...over } = closed;
  return unsent === undefined ? over : { ...over, unsent };
}

function hasWords(card: Card): boolean {
  return (card.held ? unsentText(card) : card.unsent) !== undefined;
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

function trouble(state: ViewState, message: string | null, restarting: boolean): ViewState {
  if (message === null) {
    return { ...state, trouble: null };
  }
  // Whether what was under way has arrived is not known; the card can be answered again, which changes
  // nothing if it has.
  const cards = state.cards.map(
    (card): Card => (card.phase === "sending" ? { ...taken(card), phase: "pending" } : card),
  );
  return { ...state, trouble: { message, restarting }, cards: arrange(cards) };
}

function taken(card: Card): Card {
  const { sent: _sent, ...rest } = card;
  return rest;
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

/**
 * What can be answered first; what grows stands below, so that it moves no button; then what waits; then the same of other
 * windows; then what is over.
 */
const rank: Record<Phase, number> = { pending: 0, sending: 0, streaming: 1, queued: 2, closed: 3 };

function arrange(cards: readonly Card[]): readonly Card[] {
  const sorted = [...cards].sort((a, b) => place(a) - place(b) || compare(a, b));
  const open = sorted.findIndex(isOver);
  const last = open < 0 ? sorted.length : open + closedKept;
  return sorted.filter((card, index) => index < last || card.unsent !== undefined);
}

function place(card: Card): number {
  if (isOver(card)) {
    return 2 * rank.closed;
  }
  return rank[card.held ? "pending" : card.phase] + (card.elsewhere === undefined ? 0 : rank.closed);
}

/** Open cards: the oldest first. Closed cards: what ended last first. */
function compare(a: Card, b: Card): number {
  if (isOver(a) && isOver(b)) {
    return (b.outcome?.at ?? 0) - (a.outcome?.at ?? 0) || b.order - a.order;
  }
  return a.order - b.order;
}
