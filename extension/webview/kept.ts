// What the page keeps over a reload, since nobody else has it: drafts that the sidecar has not acknowledged, and closed cards with
// words of the user's that were not sent.

import type { Draft } from "../src/protocol.gen";
import { type Card, closedCard, type Ended } from "./cards";

/** A closed card as JSON: what the history tells of a question, its place, and the words. */
export type KeptCard = Omit<Ended, "questionId"> & { order: number; unsent: string };

/** The card as it is kept; undefined where it holds no words, or is open. */
export function toKept(card: Card): KeptCard | undefined {
  const { agent, askedAt, order, guidance, outcome, parts, question, suggest, unsent } = card;
  if (card.phase !== "closed" || unsent === undefined) {
    return undefined;
  }
  const payload = parts
    ? {
        questions: parts.map(({ text, header, options, multiSelect }) => ({
          question: text,
          header,
          options: [...options],
          multiSelect,
        })),
      }
    : { question, suggest: [...suggest] };
  return { agent, askedAt, order, guidance, outcome, payload, unsent };
}

/**
 * The question's card that was kept. Its Markdown is shown as text: only the sidecar reads it. Perhaps its words arrived after all,
 * so its end is presumed.
 */
export function fromKept(questionId: string, { unsent, order, ...kept }: KeptCard): Card {
  const card: Card = { ...closedCard({ ...kept, questionId }), order, unsent };
  return { ...card, presumed: { ...card, draft: { text: unsent, images: [] } } };
}

/** What is kept of one question. */
interface KeptQuestion {
  draft?: Draft;
  closed?: KeptCard;
}

const prefix = "followup.kept.";

/** The browser's storage of the page, as far as it may be used and has room. */
export class Kept {
  /** `session` is the storage of this page alone; it outlives a reload, and no more. */
  constructor(
    private readonly storage: () => Storage = () => localStorage,
    private readonly session: () => Storage = () => sessionStorage,
  ) {}

  /** Keeps a value over a reload. */
  remember(name: string, value: unknown): void {
    try {
      this.session().setItem(`followup.${name}`, JSON.stringify(value));
    } catch {
      // The page still holds it.
    }
  }

  /** The value that was kept over a reload; undefined where none was. */
  remembered(name: string): unknown {
    try {
      return JSON.parse(this.session().getItem(`followup.${name}`) ?? "null") ?? undefined;
    } catch {
      return undefined;
    }
  }

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
