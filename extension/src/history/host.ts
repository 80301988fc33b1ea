// The host's side of the boundary to the history's interface: answers what it asks with what the sidecar keeps.

import type { HistoryHostMessage, HistoryTarget, HistoryViewMessage } from "../../webview/history/boundary";
import { mayOpen } from "../cards";
import type { InboxDifference } from "../inbox";
import type { HistoryDeleteResult, HistoryEntry } from "../protocol.gen";
import type { History } from "./history";

/** What the interface asks of the editor. */
export type HistoryAction = "escape" | "openSettings" | "openLog" | "import";

/** What the history's interface needs of its surroundings. */
export interface HistoryHostOptions {
  history: Pick<History, "page" | "facets" | "entry" | "count" | "delete" | "restore" | "export">;
  /** The interface's texts by key, in the user's language. */
  strings: Record<string, string>;
  /** The editor's display language. */
  locale: string;
  /** Whether a history is kept at all. */
  keep(): boolean;
  /** An error in words for the user. */
  describe(error: unknown): string;
  /** Asks the user whether everything that matches, so many entries, is to be deleted. */
  confirmDelete(count: number): Promise<boolean>;
  /** Leads the user through an export. */
  export(target: HistoryTarget): void;
  /** Puts a text into the clipboard. */
  copy(text: string): Thenable<void>;
  /** Opens the address of a link in what an agent wrote, if the user agrees. */
  openLink(href: string): void;
  act(action: HistoryAction): void;
  /** The time in milliseconds since 1970. */
  now?(): number;
}

/** How long an agent that still waits may take to be given its answer, in milliseconds. */
const collectTime = 3_000;

/** Talks to one interface at a time. */
export class HistoryHost {
  private post: ((message: HistoryHostMessage) => void) | undefined;
  private ready = false;
  private focusOn: "list" | "search" | undefined;
  private collecting: ReturnType<typeof setTimeout> | undefined;
  private shown: Extract<HistoryTarget, { text: string }> = { text: "", filter: {} };

  constructor(private readonly options: HistoryHostOptions) {}

  /** An interface was opened; it says ready when it listens. */
  attach(post: (message: HistoryHostMessage) => void): void {
    this.post = post;
    this.ready = false;
  }

  /** The interface is gone. */
  detach(): void {
    this.post = undefined;
    this.ready = false;
    this.shown = { text: "", filter: {} };
    clearTimeout(this.collecting);
  }

  /** What the interface shows at the moment: a text and a filter, which may narrow nothing. */
  get query(): Extract<HistoryTarget, { text: string }> {
    return this.shown;
  }

  /** Brings the interface up to date. */
  changed(): void {
    this.send({ type: "changed" });
  }

  /** Brings the interface up to date where a question was closed. */
  follow(differences: readonly InboxDifference[]): void {
    if (differences.some((each) => each.kind === "put" && each.question.item.state === "closed")) {
      this.changed();
      // By then an agent that still waits has its answer, which nobody tells of.
      clearTimeout(this.collecting);
      this.collecting = setTimeout(() => this.changed(), collectTime);
    }
  }

  /** The settings have changed. */
  keepChanged(): void {
    this.send({ type: "keep", keep: this.options.keep() });
  }

  /** Puts the keyboard focus on the list or the search box, now or as soon as an interface is ready. */
  focus(on: "list" | "search"): void {
    if (this.ready) {
      this.send({ type: "focus", on });
    } else {
      this.focusOn = on;
    }
  }

  /** Tells the interface of a deletion. */
  deleted({ count, undo, undoUntil }: HistoryDeleteResult, target: HistoryTarget): void {
    const { now = Date.now } = this.options;
    this.send({
      type: "deleted",
      count,
      ...("ids" in target && { ids: target.ids }),
      ...(undo !== undefined && undoUntil !== undefined && { undo, undoFor: Math.max(0, undoUntil - now()) }),
    });
  }

  /** Takes a message of the interface's. */
  async receive(message: HistoryViewMessage): Promise<void> {
    const { history, describe } = this.options;
    switch (message.type) {
      case "ready":
        this.begin();
        break;
      case "list":
        await this.list(message);
        break;
      case "facets":
        await this.try(
          async () => this.send({ type: "facets", facets: await history.facets() }),
          () => {
            // The page that is asked for beside them tells what is wrong.
          },
        );
        break;
      case "get":
        await this.try(
          async () => this.send({ type: "entry", id: message.id, entry: await history.entry(message.id) }),
          (error) => this.send({ type: "entry", id: message.id, message: describe(error) }),
        );
        break;
      case "delete":
        await this.try(() => this.delete(message.target));
        break;
      case "restore":
        await this.try(
          async () => {
            const { count } = await history.restore(message.undo);
            this.send({ type: "restored", undo: message.undo, count });
          },
          (error) => this.send({ type: "restored", undo: message.undo, count: 0, message: describe(error) }),
        );
        break;
      case "copy":
        await this.try(() => this.copy(message.text));
        break;
      case "copyEntries":
        await this.try(async () => {
          const { text = "" } = await history.export({ ids: message.ids }, "markdown");
          await this.copy(text);
        });
        break;
      case "export":
        this.options.export(message.target);
        break;
      case "openLink":
        if (mayOpen(message.href)) {
          this.options.openLink(message.href);
        }
        break;
      default:
        this.options.act(message.type);
    }
  }

  private begin(): void {
    const { strings, locale, keep } = this.options;
    this.ready = true;
    this.send({ type: "init", strings, locale, keep: keep() });
    if (this.focusOn) {
      this.send({ type: "focus", on: this.focusOn });
      this.focusOn = undefined;
    }
  }

  private async list(asked: Extract<HistoryViewMessage, { type: "list" }>): Promise<void> {
    const { request, text, filter, after } = asked;
    this.shown = { text, filter };
    await this.try(
      async () => {
        const page = await this.options.history.page({ text, filter, after });
        this.send({
          type: "page",
          request,
          page: { ...page, entries: page.entries.map((entry) => this.settled(entry)) },
        });
      },
      (error) => this.send({ type: "failed", request, message: this.options.describe(error) }),
    );
  }

  /** An entry that was closed a moment ago; that its agent has not been given the answer yet means nothing. */
  private settled(entry: HistoryEntry): HistoryEntry {
    const { now = Date.now } = this.options;
    return now() - (entry.outcome.at ?? 0) < collectTime ? { ...entry, collected: true } : entry;
  }

  private async delete(target: HistoryTarget): Promise<void> {
    const { history, confirmDelete } = this.options;
    if ("ids" in target || (await confirmDelete(await history.count(target)))) {
      this.deleted(await history.delete(target), target);
    }
  }

  private async copy(text: string): Promise<void> {
    await this.options.copy(text);
    this.send({ type: "copied" });
  }

  /** Does something that may not succeed; what went wrong is told as a notice, unless `failed` does otherwise. */
  private async try(
    act: () => Promise<void>,
    failed = (error: unknown) => this.send({ type: "notice", message: this.options.describe(error) }),
  ): Promise<void> {
    try {
      await act();
    } catch (error) {
      failed(error);
    }
  }

  private send(message: HistoryHostMessage): void {
    if (this.ready) {
      this.post?.(message);
    }
  }
}
