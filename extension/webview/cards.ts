// The cards of the page: what a question is as one, how it changes and ends, and in which order they stand.

import type {
  HistoryEntry,
  HubState,
  InboxGrowth,
  InboxItem,
  ItemState,
  MarkdownNode,
  Draft as SavedDraft,
  Suggestion,
} from "../src/protocol.gen";
import { type CardAnswer, type Draft, type PicksAnswer, type Reply, restored, wordsOf } from "./answer";
import { growParts, type Part, partsOf } from "./parts";
import { unsentText } from "./unsent";

/** What a card shows: its question's state, or that the user's choice is on its way to the sidecar. A held call is no question. */
export type Phase = Exclude<ItemState, "held"> | "sending";

/** What the inbox tells of a question, and the page shows as it is. */
type Told = Omit<
  InboxItem,
  "questionId" | "session" | "tool" | "state" | "ask" | "payload" | "rendered" | "draft"
>;

/** A question as the interface shows it. */
export interface Card extends Readonly<Told> {
  readonly id: string;
  readonly phase: Phase;
  /** The question's text; of a questionnaire it is empty, see `parts`. */
  readonly question: string;
  /** The question's Markdown; absent while it streams. */
  readonly rendered?: readonly MarkdownNode[];
  /** The question without Markdown's marks; absent where it equals the question. */
  readonly plain?: string;
  readonly renderedContext?: readonly MarkdownNode[];
  readonly suggest: readonly Suggestion[];
  /** The questions of a questionnaire; absent on any other card. */
  readonly parts?: readonly Part[];
  readonly draft?: Draft;
  /** What another page has saved meanwhile, while the user writes on this one. They choose. */
  readonly other?: Draft;
  /** What was sent; kept until the sidecar has closed or refused it. Null stands for a dismissal. */
  readonly sent?: Sent | null;
  /** Why the sidecar did not take what was sent. */
  readonly refused?: string;
  /** Where it was asked, if that is another window: the names of those folders. */
  readonly elsewhere?: string;
  /** What the user had begun and the answer did not use; only on a closed card. */
  readonly unsent?: string;
  /** The answer that closed it was sent from this page. */
  readonly answeredHere?: true;
  /** The card as it stood while it was open, until it is known how it ended. */
  readonly presumed?: Card;
}

/** What the user sends to an agent. */
export type Sent = CardAnswer | PicksAnswer | Reply;

/** How many closed cards stay on the page; those with words that were not sent stay beyond that. */
export const closedKept = 50;

/** Whether the card is closed. */
export function isOver({ phase }: Pick<Card, "phase">): boolean {
  return phase === "closed";
}

/** Which cards go when all are cleared: closed ones, but none with words that were not sent. */
export function clearable(cards: readonly Card[]): string[] {
  return cards.flatMap((card) => (isOver(card) && card.unsent === undefined ? [card.id] : []));
}

/** Whether the card can be folded: what waits is short as it stands. */
export function isFoldable({ phase }: Pick<Card, "phase">): boolean {
  return phase !== "queued";
}

/** Whether whoever keeps the question can be told nothing at the moment. */
export function isAway({ hub }: { readonly hub: HubState | null }, card: Pick<Card, "hub">): boolean {
  return card.hub !== undefined && hub?.state !== "connected";
}

/** The names of the folders that a question is about, where none of them is open in this window. What a hub asks is no window's. */
export function elsewhere(
  { workspaces = [], hub }: Pick<Card, "workspaces" | "hub">,
  folders: readonly string[],
): string | undefined {
  const here =
    hub !== undefined || workspaces.length === 0 || workspaces.some(({ uri }) => folders.includes(uri));
  return here ? undefined : workspaces.map(({ name }) => name).join(", ");
}

/** A question as it stands in the inbox, with what the page knew of it and had kept. */
export function cardOf(
  item: InboxItem,
  folders: readonly string[],
  known: Card | undefined,
  kept: SavedDraft | undefined,
  writes: boolean,
): Card {
  const { questionId: id, session: _s, tool: _t, ask: _a, state, payload, rendered, draft, ...told } = item;
  const phase = state as Phase;
  return {
    ...told,
    id,
    // What was sent is still under way when the sidecar only brings the question up to date.
    phase: known?.phase === "sending" && phase !== "closed" ? "sending" : phase,
    ...content({ payload, rendered }),
    renderedContext: rendered?.context,
    ...drafts(known ?? {}, writes, kept, draft),
    sent: known?.sent,
    refused: known?.refused,
    elsewhere: elsewhere(item, folders),
    unsent: phase === "closed" ? known?.unsent : undefined,
    answeredHere: phase === "closed" ? known?.answeredHere : undefined,
  };
}

/** Of what stands on the page, what the page had kept and what was saved, the one changed last. */
function draftOf(shown: Draft | undefined, ...others: (SavedDraft | undefined)[]): Draft | undefined {
  let newest = shown;
  const images = [shown, ...others].flatMap((draft) => draft?.images ?? []);
  for (const other of others) {
    if (other && (newest === undefined || (other.changedAt ?? 0) > (newest.changedAt ?? 0))) {
      newest = restored(other, images);
    }
  }
  // Nobody else turns the pages of a questionnaire under the user's hands.
  return (newest && shown && { ...newest, step: shown.step }) || newest;
}

/** The draft and what another page has written, where the user `writes` on this one: nothing replaces words under their hands. */
export function drafts(
  { draft: shown, other }: Pick<Card, "draft" | "other">,
  writes: boolean,
  ...others: (SavedDraft | undefined)[]
): Pick<Card, "draft" | "other"> {
  const newest = draftOf(shown, other, ...others);
  const mine = wordsOf(shown ?? {});
  const theirs = wordsOf(newest ?? {});
  if (!(writes || other) || mine === "" || mine === theirs) {
    return { draft: newest, other: undefined };
  }
  return theirs === "" ? { draft: shown } : { draft: shown, other: newest };
}

/** An entry of the history, as a card that is closed. */
export function closedCard(entry: HistoryEntry): Card {
  const { questionId: id, agent, payload, rendered, guidance, askedAt = 0, outcome } = entry;
  const asked = payload ?? { question: "", suggest: [] };
  return {
    id,
    agent,
    phase: "closed",
    askedAt,
    order: askedAt,
    ...content({ payload: asked, rendered }),
    guidance,
    outcome,
  };
}

/** What is asked, without Markdown's marks: each question of a questionnaire, or the only one. */
export function plainQuestions({
  question,
  plain,
  parts,
}: Pick<Card, "question" | "plain" | "parts">): string[] {
  return parts ? parts.map((part) => part.rendered?.plainQuestion ?? part.question) : [plain ?? question];
}

function content({ payload, rendered }: Pick<InboxItem, "payload" | "rendered">) {
  return "questions" in payload
    ? { question: "", suggest: [], parts: partsOf(payload, rendered) }
    : {
        question: payload.question,
        rendered: rendered?.question,
        plain: rendered?.plainQuestion,
        suggest: payload.suggest,
      };
}

/** The card of a question that has grown. */
export function append(card: Card, { text = "", suggest = [], parts = [] }: InboxGrowth): Card {
  if (card.phase !== "streaming") {
    return card;
  }
  return {
    ...card,
    question: card.question + text,
    suggest: suggest.length > 0 ? [...card.suggest, ...suggest] : card.suggest,
    parts: card.parts && growParts(card.parts, parts),
  };
}

/** The card closed; what the user had begun and that is not the answer is kept. */
export function close(card: Card): Card {
  const unsent = card.draft === undefined ? card.unsent : unsentText(card);
  const { sent, draft, refused: _refused, presumed: _presumed, other: _other, ...over } = card;
  const answeredHere = sent === undefined ? card.answeredHere : true;
  // Should it be asked again, the user goes on with what they had begun.
  return { ...over, unsent, answeredHere, draft: unsent === undefined ? undefined : draft };
}

/** The card without what was sent, which is not known to have arrived. */
export function taken(card: Card): Card {
  const { sent: _sent, ...rest } = card;
  return rest;
}

/** What can be answered first; then what grows; then what waits; then the same of other windows; then what is over. */
const rank: Record<Phase, number> = { pending: 0, sending: 0, streaming: 1, queued: 2, closed: 3 };

/** The cards in the order in which a page first shows them. */
export function arrange(cards: readonly Card[]): readonly Card[] {
  return [...cards].sort((a, b) => place(a) - place(b) || compare(a, b));
}

/** The cards without those that closed too long ago. */
export function trim(cards: readonly Card[]): readonly Card[] {
  const closed = cards.filter((card) => isOver(card) && card.unsent === undefined);
  const spare = new Set(closed.length > closedKept ? closed.sort(byEnd).slice(0, -closedKept) : []);
  return spare.size > 0 ? cards.filter((card) => !spare.has(card)) : cards;
}

function place(card: Card): number {
  return isOver(card) ? 2 * rank.closed : rank[card.phase] + (card.elsewhere === undefined ? 0 : rank.closed);
}

/** The oldest first, the user's own before a hub's. */
function compare(a: Card, b: Card): number {
  return Number(a.hub !== undefined) - Number(b.hub !== undefined) || a.order - b.order;
}

function byEnd(a: Card, b: Card): number {
  return (a.outcome?.at ?? 0) - (b.outcome?.at ?? 0);
}
