// The cards of the page: how a question becomes a card, how a card changes and closes, and their order.

import type * as protocol from "../src/protocol.gen";
import { type Draft, emptyDraft, restored, type Sent, wordsOf } from "./answer";
import { type Part, partsOf, recommendation } from "./parts";
import { pickAt, toPick } from "./picks";

/**
 * The state of a card: its question's, or "sending" while the user's choice has not reached the sidecar. A
 * held call is not a question.
 */
export type Phase = Exclude<protocol.ItemState, "held"> | "sending";

/** The fields of an inbox item that the page shows unchanged. */
type Shown = Omit<protocol.InboxItem, "questionId" | "session" | "tool" | "state" | "payload" | "draft">;

/** A question as the interface shows it. */
export interface Card extends Readonly<Shown> {
  readonly id: string;
  readonly phase: Phase;
  /** The questions of a questionnaire, or a followup's only one. */
  readonly parts: readonly Part[];
  /** The request for permission, if it is one. */
  readonly approval?: protocol.Approval;
  /** The user's draft; on a closed card, only if part of it was not sent. */
  readonly draft?: Draft;
  /** The draft that another page saved while the user writes on this one. The user chooses between them. */
  readonly other?: Draft;
  /** The sent answer, until the sidecar has closed or rejected it. Null is a dismissal. */
  readonly sent?: Sent | null;
  readonly refused?: string;
  /** The names of the folders of the window where it was asked, if that is another one. */
  readonly elsewhere?: string;
  /** The answer that closed it was sent from this page. */
  readonly answeredHere?: true;
  /** The last snapshot did not contain it. */
  readonly stale?: true;
}

/** How many closed cards stay on the page. Cards with unsent words do not count, and always stay. */
export const closedKept = 50;

/** Whether the card is closed. */
export function isOver({ phase }: Pick<Card, "phase">): boolean {
  return phase === "closed";
}

/** Whether another decision took effect in the agent. */
export function isOverridden({ outcome, effective = outcome }: protocol.ItemOutcome): boolean {
  return effective !== outcome;
}

/** Whether it is a followup rather than a questionnaire. */
export function isFollowup({ ask }: Pick<Card, "ask">): boolean {
  return ask === "followup";
}

/** Whether the card is closed and all of the user's words were sent. */
export function isDone(card: Card): boolean {
  return isOver(card) && card.draft === undefined;
}

/** The cards that *Clear All* removes. */
export function clearable(cards: readonly Card[]): string[] {
  return cards.filter(isDone).map(({ id }) => id);
}

/** Whether the card can be folded: queued ones are short already. */
export function isFoldable({ phase }: Pick<Card, "phase">): boolean {
  return phase !== "queued";
}

/** Whether the process that keeps the question cannot be reached at the moment. */
export function isAway(hub: protocol.HubState | null, card: Pick<Card, "hub">): boolean {
  return card.hub !== undefined && hub?.state !== "connected";
}

/** The names of a question's folders, if none of them is open in this window. A hub's questions belong to no window. */
export function elsewhere(
  { workspaces = [], hub }: Pick<Card, "workspaces" | "hub">,
  folders: readonly string[],
): string | undefined {
  const here =
    hub !== undefined || workspaces.length === 0 || workspaces.some(({ uri }) => folders.includes(uri));
  return here ? undefined : workspaces.map(({ name }) => name).join(", ");
}

/** An inbox item as a card, merged with the page's card and stored draft. */
export function cardOf(
  item: protocol.InboxItem,
  folders: readonly string[],
  known: Card | undefined,
  kept: protocol.Draft | undefined,
  writes: boolean,
): Card {
  const { questionId: id, session: _s, tool: _t, state, payload, draft, ...shown } = item;
  const phase = state as Phase;
  return {
    ...shown,
    id,
    // If the sidecar only updates the question, a sent answer stays "sending".
    phase: known?.phase === "sending" && phase !== "closed" ? "sending" : phase,
    parts: partsOf(payload, item.rendered),
    approval: "subject" in payload ? payload : undefined,
    ...drafts(known ?? {}, writes, kept, draft),
    sent: known?.sent,
    refused: known?.refused,
    elsewhere: elsewhere(item, folders),
    answeredHere: phase === "closed" ? known?.answeredHere : undefined,
  };
}

/** The newest of the draft on the page, the stored one and the saved one. */
function draftOf(shown: Draft | undefined, ...others: (protocol.Draft | undefined)[]): Draft | undefined {
  let newest = shown;
  const images = [shown, ...others].flatMap((draft) => draft?.images ?? []);
  for (const other of others) {
    if (other && (newest === undefined || (other.changedAt ?? 0) > (newest.changedAt ?? 0))) {
      newest = restored(other, images);
    }
  }
  // Another page does not change the step of a questionnaire that the user sees.
  return (newest && shown && { ...newest, step: shown.step }) || newest;
}

/**
 * The draft, and the draft of another page if the user `writes` on this one: nothing replaces words that the
 * user is typing.
 */
export function drafts(
  { draft: shown, other }: Pick<Card, "draft" | "other">,
  writes: boolean,
  ...others: (protocol.Draft | undefined)[]
): Pick<Card, "draft" | "other"> {
  const newest = draftOf(shown, other, ...others);
  const mine = wordsOf(shown ?? {});
  const theirs = wordsOf(newest ?? {});
  if (!(writes || other) || mine === "" || mine === theirs) {
    return { draft: newest, other: undefined };
  }
  return theirs === "" ? { draft: shown } : { draft: shown, other: newest };
}

/** A closed question as an inbox item. */
export function closedItem(entry: Partial<protocol.HistoryEntry>): protocol.InboxItem {
  const { payload = { question: "", suggest: [] }, askedAt = 0 } = entry;
  const { questionId = "", agent = "", rendered, context, guidance, outcome, beside } = entry;
  const ask = "questions" in payload ? "questions" : "subject" in payload ? "approval" : "followup";
  const fields = { questionId, session: "", agent, tool: "", ask, payload, rendered, context } as const;
  return { ...fields, state: "closed", askedAt, order: askedAt, guidance, outcome, beside };
}

/** An entry of the history, as a card that is closed. */
export function closedCard(entry: protocol.HistoryEntry): Card {
  return cardOf(closedItem(entry), [], undefined, undefined, false);
}

/** The question without Markdown; each question of a questionnaire. */
export function plainQuestions({ parts }: Pick<Card, "parts">): string[] {
  return parts.map(({ question, rendered }) => rendered?.plainQuestion ?? question);
}

/** The user's answer as text: words, the chosen suggestion, or the picks of each question. */
export function answerTexts({ outcome, parts }: Pick<Card, "outcome" | "parts">): string[] {
  const { text, suggestion = -1, picks = [], note } = outcome ?? {};
  const suggested = parts[0]?.options[suggestion]?.label;
  if (suggested && note) {
    return [suggested, note];
  }
  const picked = parts.map(({ options }, index) => {
    const { options: chosen = [], other = "" } = picks[index] ?? {};
    const labels = chosen.map((option) => recommendation(options[option]?.label ?? "").text);
    return [...labels, other].filter(Boolean).join(", ");
  });
  const given = text || suggested;
  return given ? [given] : picked.filter(Boolean);
}

/** The closed card. If its question is asked again, the user can continue with the unsent words. */
export function close(card: Card, outcome: protocol.ItemOutcome): Card {
  const { sent, draft, refused: _r, other: _o, stale: _s, ...over } = card;
  const answeredHere = sent === undefined ? card.answeredHere : true;
  const closed: Card = { ...over, phase: "closed", outcome, draft, answeredHere };
  return unsentText({ ...closed, sent }) === undefined ? { ...closed, draft: undefined } : closed;
}

/**
 * The user's words and choices that the card's outcome does not contain, as one text; undefined if there are
 * none.
 */
export function unsentText(card: Card): string | undefined {
  const picks = isFollowup(card) ? [] : card.parts.map((part, index) => unsentPick(card, part, index));
  const own = card.approval ? unsentWith(card) : [unsentWords(card), ...picks];
  const texts = own.filter((text) => text.trim() !== "");
  return texts.length > 0 ? texts.join("\n\n") : undefined;
}

/** The words and comments that were not sent with a decision. */
function unsentWith({ draft = emptyDraft, outcome }: Card): string[] {
  const texts = [...(draft.comments ?? []).map(({ text }) => text), draft.text];
  return texts.filter((text) => !outcome?.text?.includes(text.trim()));
}

/** The text in the text box that is neither the answer nor the reply. */
function unsentWords({ draft = emptyDraft, sent, outcome, parts }: Card): string {
  const delivered = outcome?.outcome === "answered" || outcome?.outcome === "replied";
  const chosen = parts[0]?.options[outcome?.suggestion ?? -1]?.label;
  // If the outcome has other words than this page sent, it came from another window.
  const given = outcome?.text ?? chosen ?? sent?.text;
  return delivered && [given, chosen, outcome?.note].includes(draft.text) ? "" : draft.text;
}

/** The unsent part of a questionnaire's pick, below its question. */
function unsentPick({ draft, outcome }: Card, part: Part, index: number): string {
  const begun = pickAt(draft, index);
  const sent = outcome?.picks?.[index];
  const words = [begun.other ?? "", begun.notes ?? ""].filter(
    (each) => each.trim() !== "" && each !== sent?.other && each !== sent?.notes,
  );
  const chosen = sent === undefined ? (toPick(begun, part).options ?? []) : [];
  const lines = [...chosen.map((option) => part.options[option]?.label ?? ""), ...words];
  return lines.length > 0 ? [part.header || part.question, ...lines].join("\n") : "";
}

/**
 * Answerable questions first, then growing, then queued ones; then those of other windows in the same order;
 * then closed ones.
 */
const rank: Record<Phase, number> = { pending: 0, sending: 0, streaming: 1, queued: 2, closed: 3 };

/** The cards in the order in which a page first shows them. */
export function arrange(cards: readonly Card[]): readonly Card[] {
  const isHubs = ({ hub }: Card) => Number(hub !== undefined);
  return [...cards].sort((a, b) => groupOf(a) - groupOf(b) || isHubs(a) - isHubs(b) || a.order - b.order);
}

/** The cards without those that closed too long ago. */
export function trim(cards: readonly Card[]): readonly Card[] {
  const endOf = ({ outcome }: Card) => outcome?.at ?? 0;
  const closed = cards.filter(isDone).sort((a, b) => endOf(a) - endOf(b));
  const spare = new Set(closed.slice(0, -closedKept));
  return spare.size > 0 ? cards.filter((card) => !spare.has(card)) : cards;
}

function groupOf(card: Card): number {
  return isOver(card) ? 2 * rank.closed : rank[card.phase] + (card.elsewhere === undefined ? 0 : rank.closed);
}
