// Opens the history's interface in Chromium, with a fake extension host that has a history.

import type { Locator, Page } from "playwright-core";
import type { HistoryEntry, HistoryFilter, HistoryPage, HistoryTarget } from "../../src/protocol.gen";
import { answerText, questionText } from "../../webview/history/words";
import { openView, until, type View, type ViewOptions } from "./harness";
import { editedImages } from "./history-entries";
import type { Heard, Posted } from "./script";

type Asked<Type extends Heard["type"]> = Extract<Heard, { type: Type }>;

export interface HistoryOptions
  extends Pick<ViewOptions, "theme" | "width" | "height" | "strings" | "locale" | "platform" | "diffs"> {
  entries?: HistoryEntry[];
  keep?: boolean;
  /** The number of entries per page. */
  pageSize?: number;
  /** The state of saving in every page. */
  saving?: Pick<HistoryPage, "saved" | "problem" | "shared">;
}

/** The page's imports besides the questions' parts, for `vitest --changed`. */
export const shown = () => [
  import("../../webview/history/components/app"),
  import("../../webview/history/controller"),
];

/** The host's history. */
export class HistoryView {
  /** Newest first. */
  entries: HistoryEntry[];
  /** Replaces the host's response; true means that the message was handled. */
  intercept: (message: Heard) => boolean | Promise<boolean> = () => false;
  /** All messages of the interface. */
  readonly received: Heard[] = [];
  /** Settles when the interface's last message has its response. */
  answering: Promise<void> = Promise.resolve();
  private readonly deleted = new Map<string, HistoryEntry[]>();

  constructor(
    readonly view: View,
    private readonly options: HistoryOptions,
  ) {
    this.entries = options.entries ?? [];
  }

  get page(): Page {
    return this.view.page;
  }

  post(...messages: Posted[]): Promise<void> {
    return this.view.post(...messages);
  }

  /** Waits until the interface has sent a number of messages of a type; returns the last of them. */
  sent<Type extends Heard["type"]>(type: Type, times = 1): Promise<Asked<Type>> {
    return until(async () => {
      const all = this.all(type);
      return all.length >= times ? all.at(-1) : undefined;
    });
  }

  /** The messages of a type. */
  all<Type extends Heard["type"]>(type: Type): Asked<Type>[] {
    return this.received.filter((message): message is Asked<Type> => message.type === type);
  }

  /** Requests the deletion of the first row, and refuses it. */
  async refuse(message: string): Promise<void> {
    this.intercept = ({ type }) => type === "delete";
    const times = this.all("delete").length;
    await this.rows.first().press("Delete");
    await this.sent("delete", times + 1);
    await this.post({ type: "notice", message });
  }

  row(id: string): Locator {
    return this.page.locator(`followup-entry[data-id="${id}"]`);
  }

  get rows(): Locator {
    return this.page.locator("followup-entry");
  }

  get search(): Locator {
    return this.page.getByRole("searchbox");
  }

  /** The ids of the rows, in order. */
  ids(): Promise<string[]> {
    return this.rows.evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.id ?? ""));
  }

  /** Waits until the rows have these ids. */
  async shows(ids: readonly string[]): Promise<void> {
    await until(async () => ((await this.ids()).join() === ids.join() ? true : undefined)).catch(async () => {
      throw new Error(`the rows are ${(await this.ids()).join()}, not ${ids.join()}`);
    });
  }

  /** The id of the focused row; otherwise the focused element's name. */
  focus(): Promise<string> {
    return this.page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      return element.dataset.id ?? (element.getAttribute("type") || element.localName);
    });
  }

  /** Waits until the focus is at a place. */
  async focusIs(place: string): Promise<void> {
    await until(async () => ((await this.focus()) === place ? true : undefined)).catch(async () => {
      throw new Error(`the focus is on ${await this.focus()}, not ${place}`);
    });
  }

  /** The highlighted texts. */
  marked(): Promise<string[]> {
    return this.page.evaluate(() =>
      [...(CSS.highlights.get("followup-match") ?? [])]
        .filter((range): range is Range => range instanceof Range && document.contains(range.startContainer))
        .map(String),
    );
  }

  /** The last announcement to a screen reader. */
  async heard(): Promise<string | undefined> {
    return (await this.page.locator('[aria-live="polite"] p').allTextContents()).at(-1);
  }

  /** Handles a message like the host. */
  async take(message: Heard): Promise<void> {
    this.received.push(message);
    if (await this.intercept(message)) {
      return;
    }
    const answer = this.answer(message);
    if (answer !== undefined) {
      await this.post(answer);
    }
  }

  /** The host's response to a message. */
  answer(message: Heard): Posted | undefined {
    const { strings = {}, locale = "en", keep = true, diffs } = this.options;
    switch (message.type) {
      case "ready":
        return { type: "init", strings, locale, keep, diffs };
      case "list":
        return { type: "page", request: message.request, page: this.find(message) };
      case "facets": {
        const of = (pick: (entry: HistoryEntry) => string | undefined) =>
          [...new Set(this.entries.flatMap((entry) => pick(entry) ?? []))].sort();
        return {
          type: "facets",
          facets: { agents: of(({ agent }) => agent), workspaces: of(({ workspace }) => workspace) },
        };
      }
      case "get": {
        const entry = this.entries.find(({ questionId }) => questionId === message.id);
        return { type: "entry", id: message.id, entry: entry && { ...entry, images: editedImages } };
      }
      case "delete":
        return this.remove(message);
      case "restore": {
        const back = this.deleted.get(message.undo) ?? [];
        this.deleted.delete(message.undo);
        this.entries = [...this.entries, ...back].sort((a, b) => (b.outcome.at ?? 0) - (a.outcome.at ?? 0));
        return { type: "restored", undo: message.undo, count: back.length };
      }
      case "count":
        return { type: "counted", count: this.matching(message.target).length };
      case "confirm":
        return { type: "confirmed", confirmed: true };
      case "copyEntries":
        return { type: "text", text: message.ids.join() };
      case "copy":
        return { type: "copied" };
      default:
        return undefined;
    }
  }

  private find({ text, filter, after }: Asked<"list">): HistoryPage {
    const { pageSize = 50, saving = { saved: true } } = this.options;
    const all = this.entries.filter((entry) => matches(entry, text, filter));
    // The cursor is the last entry's time, as in paging by key.
    const start = after === undefined ? 0 : all.findIndex(({ outcome }) => (outcome.at ?? 0) < Number(after));
    const entries = start < 0 ? [] : all.slice(start, start + pageSize).map((entry) => marked(entry, text));
    const isLast = start < 0 || start + pageSize >= all.length;
    return { entries, ...(!isLast && { next: String(entries.at(-1)?.outcome.at) }), ...saving };
  }

  private matching(target: HistoryTarget): HistoryEntry[] {
    return this.entries.filter((entry) =>
      "questionIds" in target
        ? target.questionIds.includes(entry.questionId)
        : matches(entry, target.text, target.filter),
    );
  }

  private remove({ target }: Asked<"delete">): Posted {
    const gone = this.matching(target);
    this.entries = this.entries.filter((entry) => !gone.includes(entry));
    const undo = `undo${this.deleted.size + 1}`;
    this.deleted.set(undo, gone);
    return {
      type: "deleted",
      count: gone.length,
      undo,
      undoFor: 10_000,
      ...("questionIds" in target && { ids: target.questionIds }),
    };
  }
}

/** Opens the interface and waits for the first page, unless the test handles its messages itself. */
export async function openHistory(
  options: HistoryOptions = {},
  intercept?: HistoryView["intercept"],
): Promise<HistoryView> {
  const { theme, width = 360, height, platform } = options;
  const view = await openView({
    app: "history",
    silent: true,
    theme,
    width,
    height,
    platform,
    reducedMotion: "reduce",
  });
  const history = new HistoryView(view, options);
  history.intercept = intercept ?? history.intercept;
  connect(history);
  if (intercept === undefined) {
    await history.page.locator('main[aria-busy="false"]').waitFor();
  }
  return history;
}

/** Passes the interface's messages, including earlier ones, to the host. */
function connect(history: HistoryView): void {
  const tell = (message: Heard) => {
    history.answering = history.take(message).catch((error: unknown) => {
      // A test may end before the last message has a response.
      if (history.view.isOpen) {
        throw error;
      }
    });
  };
  history.view.listen(tell);
}

function matches(entry: HistoryEntry, text: string, filter: HistoryFilter): boolean {
  const { agents, workspaces, kinds, outcomes, from = 0, to = Number.POSITIVE_INFINITY } = filter;
  const { payload, outcome, error } = entry;
  const said = JSON.stringify([payload, outcome.text, outcome.picks, error]).toLowerCase();
  return (
    text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => said.includes(word)) &&
    (agents?.includes(entry.agent) ?? true) &&
    (workspaces?.includes(entry.workspace ?? "") ?? true) &&
    (kinds?.includes(entry.kind) ?? true) &&
    (outcomes?.includes(entry.outcome.outcome) ?? true) &&
    (entry.outcome.at ?? 0) >= from &&
    (entry.outcome.at ?? 0) < to
  );
}

/** An entry with the search's additions. Unlike here, Go folds letters and knows scripts (internal/store/words). */
function marked(entry: HistoryEntry, text: string): HistoryEntry {
  const terms = text.toLowerCase().match(wordsIn) ?? [];
  const texts = stringsIn([entry.payload, entry.outcome, entry.error]);
  const matches = [...new Set(texts.flatMap((each) => each.match(wordsIn) ?? []))].flatMap((word) => {
    const term = terms.find((each) => word.toLowerCase().startsWith(each));
    return term === undefined ? [] : [{ word, start: 0, end: term.length }];
  });
  const holds = (each: string) => terms.some((term) => each.toLowerCase().includes(term));
  const shown = holds(questionText(entry)) || holds(answerText(entry));
  const excerpt = shown ? undefined : texts.find(holds);
  return terms.length === 0 ? entry : { ...entry, matches, ...(excerpt && { excerpt }) };
}

const wordsIn = /[\p{L}\p{N}\p{M}]+/gu;

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") {
    return [value];
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
