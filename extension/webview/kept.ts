// The browser's storage: unacknowledged drafts, and closed cards with unsent words.

import type { Draft } from "../src/protocol.gen";
import type { Card } from "./cards";

interface KeptQuestion {
  draft?: Draft;
  closed?: Card;
}

const prefix = "followup.kept.";

/** The browser's storage of the page, as far as it may be used and has room. */
export class Kept {
  /** `session` is the storage of this page alone; it outlives a reload, and no more. */
  constructor(
    private readonly storage: () => Storage = () => localStorage,
    private readonly session: () => Storage = () => sessionStorage,
  ) {}

  remember(name: string, value: unknown): void {
    try {
      this.session().setItem(`followup.${name}`, JSON.stringify(value));
    } catch {
      // The page still holds it.
    }
  }

  /** The value that was kept over a reload; undefined where none was. */
  remembered(name: string): unknown {
    return readStored(this.session, `followup.${name}`);
  }

  /** All that is kept, by question id. */
  all(): [id: string, kept: KeptQuestion][] {
    try {
      const keys = Object.keys(this.storage()).filter((key) => key.startsWith(prefix));
      return keys.flatMap((key) => {
        const kept = readStored(this.storage, key);
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
      // The page still holds it. Where only the images have no room, the words are kept, and the images' names.
      const { draft } = kept ?? {};
      if (draft?.images?.some(({ data }) => data !== undefined)) {
        const images = draft.images.map(({ data: _, ...image }) => image);
        this.put(id, { ...kept, draft: { ...draft, images } });
      }
    }
  }
}

/** A value that was kept as JSON; undefined where there is none, or something else stands there. */
export function readStored(storage: () => Storage, key: string) {
  try {
    return JSON.parse(storage().getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}
