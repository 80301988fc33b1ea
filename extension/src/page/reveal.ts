// Decides when the view appears by itself: once for a question of this window's, so that a view that the user has hidden stays
// hidden for it.

import { elsewhere, type InboxDifference } from "../inbox";
import type { InboxItem } from "../protocol.gen";

/** Remembers the questions that the view has appeared for. */
export class Reveal {
  private readonly seen = new Set<string>();

  /** `folders` are the window's workspace folders, as URIs. */
  constructor(private readonly folders: () => readonly string[]) {}

  /** Whether the view has to appear for what has changed. */
  wanted(differences: readonly InboxDifference[]): boolean {
    let wanted = false;
    for (const difference of differences) {
      if (difference.kind === "remove") {
        this.seen.delete(difference.id);
      } else if (difference.kind === "put") {
        wanted = this.isNew(difference.question.item) || wanted;
      }
    }
    return wanted;
  }

  private isNew(item: InboxItem): boolean {
    const { questionId, state } = item;
    if (state === "closed" || state === "queued" || this.seen.has(questionId)) {
      return false;
    }
    this.seen.add(questionId);
    return elsewhere(item, this.folders()) === undefined;
  }
}
