// Decides when the view appears by itself: once for a question of this window's, so that a view that the user has hidden stays
// hidden for it. A question that stands inside the conversation needs no view; where it cannot be seen there, a notice says so.

import type { InboxChange, InboxItem } from "../protocol.gen";
import { isElsewhere } from "./waiting";

/** Remembers the questions that the view has appeared for. */
export class Reveal {
  private readonly seen = new Set<string>();

  /** `folders` are the window's workspace folders, as URIs. */
  constructor(private readonly folders: () => readonly string[]) {}

  /** Whether the view has to appear for what has changed. */
  wanted({ items = [], removed = [] }: InboxChange): boolean {
    for (const id of removed) {
      this.seen.delete(id);
    }
    return items.filter((item) => this.isNew(item)).length > 0;
  }

  private isNew(item: InboxItem): boolean {
    const { questionId, state } = item;
    if (state === "closed" || state === "queued" || this.seen.has(questionId)) {
      return false;
    }
    this.seen.add(questionId);
    return item.inConversation !== true && !isElsewhere(item, this.folders());
  }
}
