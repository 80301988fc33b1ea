// What the user has begun to write, kept by question id while no interface is open and over a reload of the window.

import type { Draft } from "./protocol.gen";

/** A store that outlives the window; vscode.Memento is one. */
export interface Store {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): Thenable<void>;
}

const storeKey = "followup.drafts";

/** The most drafts that are kept over a reload. */
const keptDrafts = 20;

/** The most characters of base64 that a draft's images may have to be kept over a reload. */
const keptImages = 512 * 1024;

/** The drafts of this window. */
export class Drafts {
  private readonly drafts: Map<string, Draft>;
  private saving: Promise<void> | undefined;
  private dirty = false;

  constructor(private readonly store: Store) {
    this.drafts = new Map(Object.entries(store.get<Record<string, Draft>>(storeKey) ?? {}));
  }

  /** Keeps a draft, or drops it when it is null. */
  set(id: string, draft: Draft | null): void {
    const had = this.drafts.delete(id);
    if (draft) {
      this.drafts.set(id, draft);
    }
    if (draft || had) {
      this.save();
    }
  }

  /** All drafts by question id. */
  all(): Record<string, Draft> {
    return Object.fromEntries(this.drafts);
  }

  /** Settles when everything is stored. */
  async saved(): Promise<void> {
    await this.saving;
  }

  private save(): void {
    this.dirty = true;
    this.saving ??= this.write().finally(() => {
      this.saving = undefined;
    });
  }

  /** One write at a time; what changes meanwhile goes into the next one. */
  private async write(): Promise<void> {
    while (this.dirty) {
      this.dirty = false;
      const newest = [...this.drafts].slice(-keptDrafts);
      await this.store.update(
        storeKey,
        Object.fromEntries(newest.map(([id, draft]) => [id, storable(draft)])),
      );
    }
  }
}

/** The editor's store is made for small values: large images live as long as the window. */
function storable(draft: Draft): Draft {
  const size = (draft.images ?? []).reduce((sum, image) => sum + image.data.length, 0);
  return size > keptImages ? { ...draft, images: [] } : draft;
}
