// Which questions wait for the user, as the sidecar's stream of changes tells; nothing else of them is kept here. Pure.

import type { Inbox, InboxChange, InboxItem } from "../protocol.gen";

/** Whether a question is another window's: of its workspace folders none is open in this one. What a hub asks is no window's. */
export function isElsewhere(
  { workspaces = [], hub }: Pick<InboxItem, "workspaces" | "hub">,
  folders: readonly string[],
): boolean {
  return hub === undefined && workspaces.length > 0 && !workspaces.some(({ uri }) => folders.includes(uri));
}

/** The open questions. */
export class Waiting {
  private readonly open = new Map<string, Pick<InboxItem, "state" | "workspaces" | "hub">>();
  /** What was open before the snapshot and has not come again yet, while more of the snapshot is to come. */
  private missing = new Set<string>();

  /** Takes a snapshot in the place of everything open, but for questions that are being asked again. */
  reset({ items, more }: Inbox, awaited: readonly string[]): void {
    this.missing = new Set([...this.open.keys()].filter((id) => !awaited.includes(id)));
    this.apply({ items, more });
  }

  /** Applies a change. */
  apply({ removed = [], items = [], more }: InboxChange): void {
    for (const id of removed) {
      this.open.delete(id);
    }
    for (const { questionId: id, state, workspaces, hub } of items) {
      this.missing.delete(id);
      state === "closed" ? this.open.delete(id) : this.open.set(id, { state, workspaces, hub });
    }
    if (!more) {
      for (const id of this.missing) {
        this.open.delete(id);
      }
      this.missing.clear();
    }
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
