// What appears by itself when a question comes: the view, and a tab.

import type { Inbox, InboxChange, InboxItem } from "../protocol.gen";
import type { QuestionTabs } from "./tabs";
import { isElsewhere, titleOf } from "./waiting";

/** Decides which questions are opened wide by themselves: those with previews, once each, where the user wants that. */
export class Wide {
  /** The questions that were opened by themselves: a tab that the user has closed stays closed. */
  private readonly seen = new Set<string>();
  /** More of what was open at first is to come. */
  private beginning = false;

  /** `folders` are the window's workspace folders, as URIs. */
  constructor(
    private readonly tabs: Pick<QuestionTabs, "openBeside" | "over">,
    private readonly folders: () => readonly string[],
  ) {}

  /** What was open before this window knew of it is opened by the user alone. */
  began({ items = [], more }: Inbox | InboxChange): void {
    for (const item of items) {
      if (item.state === "pending") {
        this.seen.add(item.questionId);
      }
    }
    this.beginning = (more ?? 0) > 0;
  }

  /** Follows a change of the inbox; `wanted`: what has previews is opened by itself. */
  changed(change: InboxChange, wanted: boolean): void {
    if (this.beginning) {
      this.began(change);
    }
    const { items = [], removed = [] } = change;
    for (const item of items) {
      if (item.state === "closed") {
        this.over(item.questionId);
      } else if (wanted && this.isNew(item)) {
        this.tabs.openBeside(item.questionId, titleOf(item));
      }
    }
    for (const id of removed) {
      this.over(id);
    }
  }

  private over(id: string): void {
    this.seen.delete(id);
    this.tabs.over(id);
  }

  private isNew(item: InboxItem): boolean {
    const { questionId, state, payload } = item;
    const previews =
      "questions" in payload &&
      payload.questions.some(({ options }) => options.some(({ preview }) => preview));
    if (state !== "pending" || !previews || this.seen.has(questionId)) {
      return false;
    }
    this.seen.add(questionId);
    return !isElsewhere(item, this.folders());
  }
}

/**
 * Decides when the view appears by itself: once for a question of this window's, so that a view that the user has hidden stays hidden
 * for it. A question that stands inside the conversation needs no view; where it cannot be seen there, a notice says so.
 */
export class Reveal {
  private readonly seen = new Set<string>();

  constructor(private readonly folders: () => readonly string[]) {}

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
