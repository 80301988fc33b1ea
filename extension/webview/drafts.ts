// Saves drafts with the sidecar while the user types, and at once when the page closes. The page stores
// drafts that are not acknowledged yet. An image is sent once, and then by its hash; the sidecar reports
// missing ones.

import type { DraftImage, SaveDraftParams, SaveDraftResult, Draft as SavedDraft } from "../src/protocol.gen";
import { emptyDraft, isEmpty } from "./answer";
import { type Card, isOver } from "./cards";
import type { Kept } from "./kept";
import { RequestError } from "./link";
import type { ViewState } from "./state";

/** How long changes are collected, in milliseconds. Further typing does not restart the interval. */
const gatherTime = 300;

/** How long the page stores a draft, in milliseconds. */
const keptTime = 30 * 24 * 60 * 60 * 1000;

export class DraftKeeper {
  private readonly changed = new Set<string>();
  /** The drafts that the sidecar has not acknowledged, by question id. */
  private readonly unsaved = new Map<string, SavedDraft>();
  private readonly sent = new Set<string>();
  /** The questions whose drafts this page stores. Another page with the same storage stores its own. */
  private readonly own = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `save` settles when the draft is on disk. */
  constructor(
    private readonly save: (params: SaveDraftParams) => Promise<SaveDraftResult>,
    private readonly kept: Kept,
    private readonly state: () => ViewState,
  ) {}

  /** What the page stored before it was loaded, without very old drafts. */
  restore(now = Date.now()): { drafts: Record<string, SavedDraft>; closed: readonly Card[] } {
    const closed: Card[] = [];
    for (const [id, { draft, closed: card }] of this.kept.all()) {
      this.own.add(id);
      if (draft && now - (draft.changedAt ?? now) >= keptTime) {
        this.kept.put(id, null);
      } else if (draft) {
        this.unsaved.set(id, draft);
      }
      if (card) {
        closed.push({ ...card, id });
      }
    }
    return { drafts: Object.fromEntries(this.unsaved), closed };
  }

  touch(id: string): void {
    this.changed.add(id);
    this.timer ??= setTimeout(() => this.flush(), gatherTime);
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const id of this.changed) {
      const draft = this.card(id)?.draft ?? emptyDraft;
      this.unsaved.set(id, isEmpty(draft) ? { changedAt: draft.changedAt ?? Date.now() } : draft);
      this.keep(id);
      void this.send(id);
    }
    this.changed.clear();
  }

  /** Resends unacknowledged drafts after the stream of changes restarted. */
  resume(): void {
    for (const id of this.unsaved.keys()) {
      void this.send(id);
    }
  }

  /** The question is closed, so only unsent words are kept. */
  forget(id: string): void {
    this.changed.delete(id);
    this.unsaved.delete(id);
    this.keep(id);
  }

  /** Stores what exists only on the page: an unsaved draft, or a closed card with unsent text. */
  keep(id: string): void {
    const draft = this.unsaved.get(id);
    const card = this.card(id);
    const unsent = card && isOver(card) ? card.draft : undefined;
    const closed = card && unsent && { ...card, draft: { ...unsent, images: [] } };
    if (draft || closed) {
      this.own.add(id);
      this.kept.put(id, { draft, closed });
    } else if (this.own.delete(id)) {
      this.kept.put(id, null);
    }
  }

  private async send(id: string): Promise<void> {
    const draft = this.unsaved.get(id);
    if (draft === undefined) {
      return;
    }
    const { images = [], ...words } = draft;
    const send = (pick: (image: DraftImage) => DraftImage[]) => {
      const picked = draft.images && { images: images.flatMap(pick) };
      return this.save({ questionId: id, draft: { ...words, ...picked } });
    };
    try {
      let result = await send(({ data, ...image }) =>
        this.sent.has(image.hash ?? "") ? [image] : [{ ...image, data }],
      );
      if (result.missing?.length) {
        result = await send((image) => (image.data ? [image] : []));
      }
      if (result.unkept) {
        // Another person's draft is saved. This one stays on the page, and is sent again, completely, with
        // each change and connection.
        this.sent.clear();
        return;
      }
    } catch (error) {
      if (!(error instanceof RequestError && error.code !== undefined)) {
        return; // There is no connection; resume continues with the next one.
      }
    }
    for (const { hash = "" } of images) {
      this.sent.add(hash);
    }
    if (this.unsaved.get(id) === draft) {
      this.unsaved.delete(id);
      this.keep(id);
    }
  }

  private card(id: string): Card | undefined {
    return this.state().cards.find((card) => card.id === id);
  }
}
