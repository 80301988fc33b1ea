// Decides when the view appears by itself: once for a question, so that a view that the user has hidden stays hidden for it.

import type { InboxDifference } from "./inbox";

/** Remembers the questions that the view has appeared for. */
export class Reveal {
  private readonly seen = new Set<string>();

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

  private isNew({ questionId, state }: { questionId: string; state: string }): boolean {
    if (state === "closed" || state === "queued" || this.seen.has(questionId)) {
      return false;
    }
    this.seen.add(questionId);
    return true;
  }
}
