// What the user has begun, by question id: saved by the sidecar, and kept here until that is done.

import { ResponseError } from "vscode-jsonrpc";
import type { Draft, InboxItem, SaveDraftParams } from "./protocol.gen";

/** The drafts of the open questions. */
export class Drafts {
  private readonly drafts = new Map<string, Draft>();
  /** The newest state of what the sidecar has not saved yet. */
  private readonly unsaved = new Map<string, Draft>();
  private saving: Promise<void> | undefined;

  /** `save` settles when the draft is on disk. */
  constructor(private readonly save: (params: SaveDraftParams) => Promise<unknown>) {}

  /** Keeps a draft, or drops it when it is null. */
  set(id: string, draft: Draft | null): void {
    const had = this.drafts.delete(id);
    if (draft) {
      this.drafts.set(id, draft);
    }
    if (draft || had) {
      this.unsaved.set(id, draft ?? { changedAt: Date.now() });
      this.resume();
    }
  }

  /** The question is over: the sidecar drops its draft by itself. */
  forget(id: string): void {
    this.drafts.delete(id);
    this.unsaved.delete(id);
  }

  /** Takes note of a draft that the sidecar has, unless a newer one is known. */
  learn({ questionId, draft }: Pick<InboxItem, "questionId" | "draft">): void {
    const known = this.drafts.get(questionId);
    if (draft && !this.unsaved.has(questionId) && (known?.changedAt ?? 0) <= (draft.changedAt ?? 0)) {
      this.drafts.set(questionId, draft);
    }
  }

  /** The draft of a question. */
  get(id: string): Draft | undefined {
    return this.drafts.get(id);
  }

  /** All drafts by question id. */
  all(): Record<string, Draft> {
    return Object.fromEntries(this.drafts);
  }

  /** Saves what is not saved yet; call it when there is a new sidecar. */
  resume(): void {
    this.saving ??= this.write().finally(() => {
      this.saving = undefined;
    });
  }

  /** Settles when everything is saved, or cannot be at the moment. */
  async saved(): Promise<void> {
    await this.saving;
  }

  /** One request at a time; what changes meanwhile goes into a later one. */
  private async write(): Promise<void> {
    for (let next = this.next(); next; next = this.next()) {
      const [questionId, draft] = next;
      try {
        await this.save({ questionId, draft });
      } catch (error) {
        if (!(error instanceof ResponseError)) {
          return; // There is no sidecar; resume goes on with the next one.
        }
      }
      if (this.unsaved.get(questionId) === draft) {
        this.unsaved.delete(questionId);
      }
    }
  }

  private next(): [string, Draft] | undefined {
    const [first] = this.unsaved;
    return first;
  }
}
