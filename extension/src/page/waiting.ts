// Which questions wait for the user, as the sidecar's stream of changes tells; nothing else of them is kept here. Pure.

import type { Inbox, InboxChange, InboxItem } from "../protocol.gen";

/** Whether a question is another window's: of its workspace folders none is open in this one. What a hub asks is no window's. */
export function isElsewhere(
  { workspaces = [], hub }: Pick<InboxItem, "workspaces" | "hub">,
  folders: readonly string[],
): boolean {
  return hub === undefined && workspaces.length > 0 && !workspaces.some(({ uri }) => folders.includes(uri));
}

type Open = Pick<InboxItem, "state" | "workspaces" | "hub" | "agent" | "order"> & { title: string };

/** A question that can be answered. */
export interface Answerable {
  questionId: string;
  agent: string;
  /** What is asked, in a line. */
  title: string;
}

/** How much of what is asked is told, in UTF-16 code units. */
const titleLength = 200;

/** The open questions. */
export class Waiting {
  private readonly open = new Map<string, Open>();
  /** The questions that had the keyboard focus, the last one last. */
  private focused: string[] = [];
  /** What was open before the snapshot and has not come again yet, while more of the snapshot is to come. */
  private missing = new Set<string>();

  /** Takes a snapshot in the place of everything open. */
  reset({ items, more }: Inbox): void {
    this.missing = new Set(this.open.keys());
    this.apply({ items, more });
  }

  apply({ removed = [], items = [], more }: InboxChange): void {
    for (const id of removed) {
      this.open.delete(id);
    }
    for (const item of items) {
      const { questionId: id, state, workspaces, hub, agent, order } = item;
      this.missing.delete(id);
      state === "closed"
        ? this.open.delete(id)
        : this.open.set(id, { state, workspaces, hub, agent, order, title: titleOf(item) });
    }
    if (!more) {
      for (const id of this.missing) {
        this.open.delete(id);
      }
      this.missing.clear();
    }
  }

  /** What a question asks, in a line; empty of one that is not open. */
  title(id: string): string {
    return this.open.get(id)?.title ?? "";
  }

  has(id: string): boolean {
    return this.open.has(id);
  }

  focus(id: string): void {
    this.focused = [...this.focused.filter((each) => each !== id && this.open.has(each)), id];
  }

  /**
   * The questions that can be answered, the last one that had the focus first, then the oldest; those of other windows only where
   * there are no others.
   */
  answerable(folders: readonly string[]): Answerable[] {
    const pending = [...this.open].filter(([, { state }]) => state === "pending");
    const here = pending.filter(([, item]) => !isElsewhere(item, folders));
    const last = (id: string) => this.focused.indexOf(id);
    return (here.length > 0 ? here : pending)
      .sort(([a, one], [b, other]) => last(b) - last(a) || one.order - other.order)
      .map(([questionId, { agent, title }]) => ({ questionId, agent, title }));
  }

  /** How many questions of a window with these workspace folders wait for the user. */
  count(folders: readonly string[]): number {
    let count = 0;
    for (const item of this.open.values()) {
      count += item.state === "streaming" || isElsewhere(item, folders) ? 0 : 1;
    }
    return count;
  }
}

/** What is asked, in a line. */
export function titleOf({ payload, rendered }: Pick<InboxItem, "payload" | "rendered">): string {
  const asked =
    "questions" in payload
      ? payload.questions
          .map(({ question }, index) => rendered?.questions?.[index]?.plainQuestion ?? question)
          .join(" · ")
      : (rendered?.plainQuestion ?? payload.question);
  return asked.slice(0, titleLength).replace(/\s+/g, " ").trim();
}
