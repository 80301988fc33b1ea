// Which questions wait for the user, and what appears by itself when one comes. Pure.

import type { Inbox, InboxChange, InboxItem } from "../protocol.gen";

type Open = Pick<InboxItem, "state" | "agent" | "order"> & { title: string; workspaces: string[] };

/** A question that can be answered. */
export interface Answerable {
  questionId: string;
  agent: string;
  title: string;
}

/** What follows from a change of the inbox. */
export interface Arrival {
  /** The view appears: once for a question of this window's, so that a view that the user has hidden stays hidden for it. */
  reveals: boolean;
  /** Questions with previews, each once. What was open before this window knew of it is opened by the user alone. */
  wide: Answerable[];
  over: string[];
}

const titleLength = 200;

/** The open questions of a window with workspace folders, which are URIs. */
export class Waiting {
  private readonly open = new Map<string, Open>();
  private readonly revealed = new Set<string>();
  private readonly widened = new Set<string>();
  /** The questions that had the keyboard focus, the last one last. */
  private focused: string[] = [];
  /** What was open before the snapshot and has not come again yet, while more of the snapshot is to come. */
  private missing = new Set<string>();
  private begins = true;

  constructor(private readonly folders: () => readonly string[]) {}

  /** Takes a snapshot in the place of everything open. */
  reset({ items, more }: Inbox): Arrival {
    this.missing = new Set(this.open.keys());
    return this.apply({ items, more });
  }

  apply({ removed = [], items = [], more }: InboxChange): Arrival {
    const arrival: Arrival = { reveals: false, wide: [], over: [...removed] };
    for (const item of items) {
      const { questionId, state, agent, order } = item;
      this.missing.delete(questionId);
      if (state === "closed") {
        arrival.over.push(questionId);
        continue;
      }
      // What a hub asks is no window's.
      const workspaces = item.hub === undefined ? (item.workspaces ?? []).map(({ uri }) => uri) : [];
      const open = { state, agent, order, title: titleOf(item), workspaces };
      this.open.set(questionId, open);
      const isHere = this.isHere(open);
      if (isFirst(this.revealed, questionId, state !== "queued") && isHere) {
        // A question inside the conversation needs no view; where it cannot be seen there, a notice says so.
        arrival.reveals ||= item.inConversation !== true;
      }
      if (isFirst(this.widened, questionId, state === "pending" && hasPreview(item)) && isHere) {
        arrival.wide.push({ questionId, ...open });
      }
    }
    if (this.begins) {
      arrival.wide = [];
    }
    if (!more) {
      this.begins = false;
      arrival.over.push(...this.missing);
      this.missing.clear();
    }
    for (const id of arrival.over) {
      for (const known of [this.open, this.revealed, this.widened]) {
        known.delete(id);
      }
    }
    return arrival;
  }

  title(id: string): string | undefined {
    return this.open.get(id)?.title;
  }

  focus(id: string): void {
    this.focused = [...this.focused.filter((each) => each !== id && this.open.has(each)), id];
  }

  /** The questions that can be answered, the last focused first, then the oldest; those of other windows only if there are no others. */
  answerable(): Answerable[] {
    const pending = [...this.open].filter(([, { state }]) => state === "pending");
    const here = pending.filter(([, open]) => this.isHere(open));
    const last = (id: string) => this.focused.indexOf(id);
    return (here.length > 0 ? here : pending)
      .sort(([a, one], [b, other]) => last(b) - last(a) || one.order - other.order)
      .map(([questionId, { agent, title }]) => ({ questionId, agent, title }));
  }

  count(): number {
    return [...this.open.values()].filter((open) => open.state !== "streaming" && this.isHere(open)).length;
  }

  /** Whether a question is no other window's: of its workspace folders one is open here, or it has none. */
  private isHere({ workspaces }: Open): boolean {
    const folders = this.folders();
    return workspaces.length === 0 || workspaces.some((uri) => folders.includes(uri));
  }
}

/** Whether something is to be done for a question, and was not yet; then it is now. */
function isFirst(done: Set<string>, id: string, wanted: boolean): boolean {
  const is = wanted && !done.has(id);
  if (is) {
    done.add(id);
  }
  return is;
}

function hasPreview({ payload }: InboxItem): boolean {
  return (
    "questions" in payload && payload.questions.some(({ options }) => options.some(({ preview }) => preview))
  );
}

function titleOf({ payload, rendered }: InboxItem): string {
  const asked =
    "questions" in payload
      ? payload.questions
          .map(({ question }, index) => rendered?.questions?.[index]?.plainQuestion ?? question)
          .join(" · ")
      : "subject" in payload
        ? payload.title
        : (rendered?.plainQuestion ?? payload.question);
  return asked.slice(0, titleLength).replace(/\s+/g, " ").trim();
}
