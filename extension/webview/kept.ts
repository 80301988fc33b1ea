// What the page keeps over a reload, since nobody else has it: drafts that the sidecar has not acknowledged, and closed cards with
// words of the user's that were not sent.

import type { Draft, Followup, Guidance, ItemOutcome, Questionnaire } from "../src/protocol.gen";
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

/** What is kept of one question. */
interface KeptQuestion {
  draft?: Draft;
  closed?: KeptCard;
}

const prefix = "followup.kept.";

/** The browser's storage of the page, as far as it may be used and has room. */
export class Kept {
  constructor(private readonly storage: () => Storage = () => localStorage) {}

  /** All that is kept, by question id. */
  all(): [id: string, kept: KeptQuestion][] {
    try {
      const storage = this.storage();
      const keys = Object.keys(storage).filter((key) => key.startsWith(prefix));
      return keys.flatMap((key) => {
        const kept = parsed(storage.getItem(key));
        return kept ? [[key.slice(prefix.length), kept]] : [];
      });
    } catch {
      return [];
    }
  }

  /** Keeps something of a question; null: nothing any more. */
  put(id: string, kept: KeptQuestion | null): void {
    try {
      const storage = this.storage();
      kept ? storage.setItem(prefix + id, JSON.stringify(kept)) : storage.removeItem(prefix + id);
    } catch {
      // The page still holds it. Where only the images have no room, the words are kept.
      const { draft } = kept ?? {};
      if (draft?.images?.some(({ data }) => data !== undefined)) {
        const images = draft.images.filter(({ data }) => data === undefined);
        this.put(id, { ...kept, draft: { ...draft, images } });
      }
    }
  }
}

function parsed(text: string | null): KeptQuestion | undefined {
  try {
    return JSON.parse(text ?? "") ?? undefined;
  } catch {
    return undefined; // what others wrote there
  }
}
