// The browser's storage: unacknowledged drafts, and closed cards with unsent words.

import type { Draft } from "../src/protocol.gen";
import type { Card } from "./cards";

interface KeptQuestion {
  draft?: Draft;
  closed?: Card;
}

const prefix = "followup.kept.";

/**
 * The page's storage in the browser, if it is available. What does not fit there is only in the page's
 * memory.
 */
export class Kept {
  /** `session` is the storage of this page alone, which only survives a reload. */
  constructor(
    private readonly storage: () => Storage = () => localStorage,
    private readonly session: () => Storage = () => sessionStorage,
  ) {}

  remember(name: string, value: unknown): void {
    attempt(() => this.session().setItem(`followup.${name}`, JSON.stringify(value)));
  }

  /** The value stored before a reload, if any. */
  remembered(name: string): unknown {
    return readStored(this.session, `followup.${name}`);
  }

  /** All stored questions, by id. */
  all(): [id: string, kept: KeptQuestion][] {
    const keys = attempt(() => Object.keys(this.storage())) ?? [];
    return keys.flatMap((key) => {
      const kept = key.startsWith(prefix) && readStored(this.storage, key);
      return kept ? [[key.slice(prefix.length), kept]] : [];
    });
  }

  /** Stores a question's draft or card, or removes it if null. Images that do not fit are stored by name only. */
  put(id: string, kept: KeptQuestion | null): void {
    const put = (value: KeptQuestion) => this.storage().setItem(prefix + id, JSON.stringify(value));
    if (kept === null) {
      attempt(() => this.storage().removeItem(prefix + id));
    } else if (attempt(() => put(kept) ?? true) === undefined && kept.draft) {
      const images = kept.draft.images?.map(({ data: _, ...image }) => image);
      attempt(() => put({ ...kept, draft: { ...kept.draft, images } }));
    }
  }
}

/** The result of a function; undefined if it throws. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** A value stored as JSON; undefined if it is missing or invalid. */
export function readStored(storage: () => Storage, key: string) {
  return attempt(() => JSON.parse(storage().getItem(key) ?? "null")) ?? undefined;
}
