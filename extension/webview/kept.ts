// The closed cards that the page keeps over a reload: those with words of the user's that were not sent. The host may
// know nothing of their questions any more.

import type { Followup, Guidance, ItemOutcome, Questionnaire } from "../src/protocol.gen";
import { grow, whole } from "./growing";
import { partsOf } from "./parts";
import type { Card } from "./state";
import { unsentText } from "./unsent";

/** A closed card as JSON. */
export interface KeptCard {
  id: string;
  agent: string;
  askedAt: number;
  order: number;
  payload: Followup | Questionnaire;
  guidance?: Guidance;
  outcome?: ItemOutcome;
  unsent: string;
}

/** The card as it is kept; undefined where it holds no words, or is open. */
export function toKept(card: Card): KeptCard | undefined {
  const unsent = card.held ? unsentText(card) : card.unsent;
  if (card.phase !== "closed" || unsent === undefined) {
    return undefined;
  }
  const { id, agent, askedAt, order, guidance, outcome, parts, question, suggest } = card;
  const payload = parts
    ? {
        questions: parts.map(({ text, header, options, multiSelect }) => ({
          question: whole(text),
          header,
          options: [...options],
          multiSelect,
        })),
      }
    : { question: whole(question), suggest: [...suggest] };
  return { id, agent, askedAt, order, guidance, outcome, payload, unsent };
}

/** The card that was kept. Its Markdown is shown as text: only the sidecar makes HTML. */
export function fromKept({ payload, ...kept }: KeptCard): Card {
  const content =
    "questions" in payload
      ? { question: null, suggest: [], parts: partsOf(payload, undefined) }
      : { question: grow(null, payload.question), suggest: payload.suggest };
  return { ...kept, ...content, phase: "closed" };
}
