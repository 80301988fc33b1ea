// What the user can do in the history, for the components: told to the state, and asked of the sidecar.

import {
  type HistoryDeleteResult,
  type HistoryEntry,
  type HistoryPage,
  historyDelete,
  historyDidChange,
  historyFacets,
  historyGet,
  historyList,
  historyRestore,
  historySearch,
  historyText,
} from "../../src/protocol.gen";
import {
  type HistoryTarget,
  hostConfirmDelete,
  hostCopy,
  hostDidDelete,
  hostDidShow,
  hostExport,
} from "../boundary";
import { Kept } from "../kept";
import type { Link } from "../link";
import { Peer } from "../peer";
import type { ViewEvent } from "../state";
import { type StringKey, translator } from "../strings";
import { emptyQuery, type FilterChoice, type Query, restoredQuery, toFilter } from "./filter";
import { type Flight, Loader } from "./loader";
import * as selection from "./selection";
import { entriesOf, type HistoryEvent, type HistoryState, needsReading } from "./state";

/** How long a deletion can be undone, in milliseconds, where the clocks of the page and the sidecar do not agree. */
const undoTime = 10_000;

/** How long an agent that still waits may take to be given its answer, in milliseconds. */
const collectTime = 3_000;

/** Under which name the page keeps over a reload what is searched for. */
const queryName = "query";

export class HistoryController extends Peer {
  private readonly kept = new Kept();
  private collecting: ReturnType<typeof setTimeout> | undefined;
  private readonly loader = new Loader<Query>(
    () => this.history.query,
    (flight) => void this.read(flight),
  );

  constructor(
    link: Link,
    private readonly now: () => number = Date.now,
  ) {
    super(link);
  }

  /** Restores what was searched for and begins to read. */
  override async start(): Promise<void> {
    this.store.dispatch({ type: "narrowed", query: restoredQuery(this.kept.remembered(queryName)) });
    this.link.on(historyDidChange, () => this.refresh());
    this.link.on(hostDidDelete, (deletion) => this.deleted(deletion));
    await super.start();
  }

  private get history(): HistoryState {
    return this.state.history;
  }

  protected override told(event: ViewEvent): void {
    const { opened } = this.state;
    super.told(event);
    const closed = event.type === "change" && event.change.items?.some(({ state }) => state === "closed");
    if (closed) {
      this.follow();
    } else if (event.type === "host" ? !opened || event.host.keep !== undefined : this.isNews(event)) {
      this.refresh();
    }
  }

  /** Whether what is told concerns the history; what is open does, since others may be closed, but not before the list was read. */
  private isNews(event: ViewEvent): boolean {
    return event.type === "snapshot"
      ? this.history.shown !== null || !this.loader.busy
      : event.type === "change" && event.change.storage !== undefined;
  }

  /** Searches for a text as it is being typed. */
  type(text: string): void {
    if (text !== this.history.query.text) {
      this.narrow({ ...this.history.query, text });
    }
  }

  /** Chooses filters. */
  filter(filter: FilterChoice): void {
    this.narrow({ ...this.history.query, filter });
  }

  /** Takes away the search and all filters. */
  clear(): void {
    this.narrow(emptyQuery);
  }

  /** Reads on at the older end. */
  more(): void {
    const { stretch, failure } = this.history;
    if (stretch.next !== undefined && failure === null && !this.loader.busy) {
      this.loader.ask("more");
    }
  }

  /** Reads the list anew from its newest entry. */
  newest(): void {
    this.loader.ask("first");
  }

  /** Asks again for what could not be had. */
  retry(): void {
    this.loader.ask(this.history.shown === this.history.query ? "refresh" : "first");
  }

  /** Brings the newest entries up to date. */
  refresh(): void {
    if (this.state.opened) {
      this.loader.ask(this.history.shown === null ? "first" : "refresh");
      void this.readFacets();
    }
  }

  /** Reads what the filters can name. */
  async readFacets(): Promise<void> {
    try {
      this.store.dispatch({ type: "facets", facets: await this.link.request(historyFacets, {}) });
    } catch {
      // The page that is asked for beside them tells what is wrong.
    }
  }

  /** Shows an entry's details, or hides them. */
  open(id: string, open: boolean): void {
    this.store.dispatch({ type: "opened", id, open });
    const entry = entriesOf(this.history).find(({ questionId }) => questionId === id);
    const images = this.history.images[id];
    const incomplete = images === undefined || images.kind === "failed";
    if (open && incomplete && (entry?.outcome.images || entry?.shortened)) {
      void this.fetch(id);
    }
  }

  /** Puts an entry into the selection, or takes it out. */
  toggle(id: string): void {
    this.select(selection.toggle(this.history.selection, id, this.ids()));
  }

  /** Selects from where the selection was begun to an entry. */
  extendTo(id: string): void {
    this.select(selection.extendTo(this.history.selection, id, this.ids()));
  }

  /** Selects all entries on the page. */
  selectAll(): void {
    this.select(selection.all(this.ids()));
  }

  select(next: selection.Selection): void {
    this.store.dispatch({ type: "selected", selection: next });
  }

  /** What an action on the selection is about. */
  selected(): HistoryTarget {
    const { selection: selected, query } = this.history;
    return selection.targetOf(selected, query.text, toFilter(query.filter, this.now()));
  }

  /** What an action at an entry is about: the selection if it is part of it, else the entry itself. */
  targetAt(id: string): HistoryTarget {
    return selection.isSelected(this.history.selection, id) ? this.selected() : { questionIds: [id] };
  }

  /** Whether entries can be deleted here. */
  get deletes(): boolean {
    return !this.history.shared;
  }

  /** Deletes entries, where that can be; of everything that matches the user is asked first. */
  delete(target: HistoryTarget): Promise<void> {
    return this.try(async () => {
      if (!this.deletes) {
        return;
      }
      if ("questionIds" in target) {
        this.deleted(await this.link.request(historyDelete, target), target.questionIds);
        return;
      }
      const all = { all: true, ...target };
      const { count } = await this.link.request(historyDelete, { ...all, countOnly: true });
      if ((await this.link.request(hostConfirmDelete, { count })).confirmed) {
        this.deleted(await this.link.request(historyDelete, all));
      }
    });
  }

  /** Undoes a deletion; without one, the last. */
  async undo(undo = this.history.undos.at(-1)?.undo): Promise<void> {
    if (undo === undefined) {
      return;
    }
    const undone = this.history.undos.find((each) => each.undo === undo);
    try {
      const { count } = await this.link.request(historyRestore, { undo });
      this.store.dispatch({ type: "undone", undo, count });
      if (count === 0) {
        throw new Error();
      }
    } catch (error) {
      this.store.dispatch({ type: "undone", undo, count: 0 });
      this.store.dispatch({ type: "notice", message: this.words(error, "undo.tooLate") });
    }
    if (undone === undefined || needsReading(this.history, undone)) {
      this.loader.ask("first");
    }
  }

  /** Puts a text into the clipboard. */
  copy(text: string): Promise<void> {
    return this.try(async () => {
      await this.link.request(hostCopy, { text });
      this.store.dispatch({ type: "copied" });
    });
  }

  /** Puts entries into the clipboard, as Markdown. */
  copyEntries(questionIds: string[]): Promise<void> {
    return this.try(async () => {
      const { text } = await this.link.request(historyText, { format: "markdown", questionIds });
      await this.copy(text);
    });
  }

  /** Has the host lead the user through an export. */
  export(target: HistoryTarget): void {
    this.link.notify(hostExport, { target });
  }

  private ids(): string[] {
    return entriesOf(this.history).map(({ questionId }) => questionId);
  }

  private narrow(query: Query): void {
    this.store.dispatch({ type: "narrowed", query });
    this.kept.remember(queryName, query);
    this.loader.ask("first");
  }

  private async read(flight: Flight<Query>): Promise<void> {
    const { purpose, query } = flight;
    this.store.dispatch({ type: "asked", purpose });
    const { text } = query;
    const filter = toFilter(query.filter, this.now());
    const page = { filter, ...(purpose === "more" && { after: this.history.stretch.next }) };
    this.link.notify(hostDidShow, { text, filter });
    try {
      const arrived =
        text.trim() === ""
          ? await this.link.request(historyList, page)
          : await this.link.request(historySearch, { text, ...page });
      this.arrived(flight, { type: "arrived", purpose, query, page: this.settled(arrived) });
    } catch (error) {
      this.arrived(flight, { type: "not-arrived", message: this.words(error) });
    }
  }

  private arrived({ request }: Flight<Query>, event: HistoryEvent): void {
    if (this.loader.answered(request)) {
      this.store.dispatch(event);
    }
    this.loader.goOn();
  }

  /** Entries that were closed a moment ago: that their agents have not been given the answers yet means nothing. */
  private settled(page: HistoryPage): HistoryPage {
    const settle = (entry: HistoryEntry) =>
      this.now() - (entry.outcome.at ?? 0) < collectTime ? { ...entry, collected: true } : entry;
    return { ...page, entries: page.entries.map(settle) };
  }

  /** A question was closed. */
  private follow(): void {
    this.refresh();
    // By then an agent that still waits has its answer, which nobody tells of.
    clearTimeout(this.collecting);
    this.collecting = setTimeout(() => this.refresh(), collectTime);
  }

  private async fetch(id: string): Promise<void> {
    this.store.dispatch({ type: "fetching", id });
    try {
      const entry = await this.link.request(historyGet, { questionId: id });
      this.store.dispatch({ type: "entry", id, entry });
    } catch (error) {
      this.store.dispatch({ type: "entry", id, message: this.words(error) });
    }
  }

  private deleted(deletion: HistoryDeleteResult, ids?: string[]): void {
    const left = (deletion.undoUntil ?? 0) - this.now();
    const undoFor = deletion.undo === undefined ? 0 : left > 0 && left <= undoTime ? left : undoTime;
    this.store.dispatch({ type: "removed", deletion, ids, undoFor, now: this.now() });
    if (undoFor > 0) {
      setTimeout(() => this.store.dispatch({ type: "lapsed", now: this.now() }), undoFor + 1);
    }
    // Where everything was deleted, or so much that the page stands empty, there may be more.
    if (ids === undefined || entriesOf(this.history).length === 0) {
      this.loader.ask("first");
    }
  }

  /** Does something that may not succeed; what went wrong is told as a notice. */
  private async try(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.store.dispatch({ type: "notice", message: this.words(error) });
    }
  }

  /** What went wrong, in the user's words. */
  private words(error: unknown, otherwise: StringKey = "problem.notAsked"): string {
    const { strings, locale } = this.state;
    return (error instanceof Error && error.message) || translator(strings, locale)(otherwise);
  }
}
