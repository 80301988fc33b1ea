// The user's actions in the history, for the components: they change the state, and send requests to the sidecar.

import * as protocol from "../../src/protocol.gen";
import { Gesture } from "../gesture";
import { randomId } from "../ids";
import { Kept } from "../kept";
import type { Peer } from "../peer";
import type { ViewEvent } from "../state";
import { type StringKey, t } from "../strings";
import { isFiltered, type Query, restoredQuery, toFilter } from "./filter";
import * as list from "./state";
import { collectTime } from "./words";

/** How long a deletion can be undone, in milliseconds, if the clocks of the page and the sidecar differ. */
const undoTime = 10_000;

/** The maximum number of entries that the sidecar returns at once. */
const largestPage = 200;

const queryName = "query";

export class HistoryController {
  readonly gesture = new Gesture();
  private readonly kept = new Kept();
  private collecting: ReturnType<typeof setTimeout> | undefined;
  private reading = false;
  /** What to read next: the list again, or its next page. */
  private wanted: "list" | "more" | undefined;
  say: (text: string) => void = () => {};

  constructor(
    readonly peer: Peer,
    private readonly now: () => number = Date.now,
  ) {}

  /** Restores the search, and reads as soon as the host has sent its state. */
  start(): void {
    const { peer } = this;
    this.set({ query: restoredQuery(this.kept.remembered(queryName)) });
    peer.subscribe((event) => this.heard(event));
    peer.link.on(protocol.historyDidChange, () => this.refresh());
    peer.link.on(protocol.hostDeleteAll, () => void this.delete({ text: "", filter: {} }));
    this.refresh();
  }

  private get history(): list.HistoryState {
    return this.peer.state.history;
  }

  set(changed: Partial<list.HistoryState>): void {
    this.peer.dispatch({ type: "history", history: { ...this.history, ...changed } });
  }

  /**
   * Refreshes after events of the history. A snapshot is one, because it can mean that other questions have
   * closed, but only after the list was read.
   */
  private heard(event: ViewEvent): void {
    const { shown } = this.history;
    const unread = shown === null && !this.reading;
    const { items = [], storage } = event.type === "change" ? event.change : {};
    const closed = items.some(({ state }) => state === "closed");
    if (closed) {
      // By then, a waiting agent has collected its answer, which no event reports.
      clearTimeout(this.collecting);
      this.collecting = setTimeout(() => this.refresh(), collectTime);
    }
    if (
      closed ||
      storage !== undefined ||
      (event.type === "host" && (unread || event.host.keep !== undefined)) ||
      (event.type === "snapshot" && (unread || shown !== null))
    ) {
      this.refresh();
    }
  }

  /** Searches for a text, or filters. */
  narrow(narrowed: Partial<Query>): void {
    const { query: before } = this.history;
    const query = { ...before, ...narrowed };
    if (JSON.stringify(query) === JSON.stringify(before)) {
      return;
    }
    // Selected entries may not match any more, and unseen entries must not be acted upon.
    this.set({ query, selection: list.noSelection });
    this.kept.remember(queryName, query);
    void this.ask("list");
  }

  /** Reads the next page, at the older end. */
  more(): void {
    const { next, failure } = this.history;
    if (next !== undefined && failure === null && !this.reading) {
      void this.ask("more");
    }
  }

  retry(): void {
    void this.ask("list");
  }

  /** Refreshes the list. */
  refresh(): void {
    if (this.peer.state.opened) {
      void this.ask("list");
      void this.readFacets();
    }
  }

  async readFacets(): Promise<void> {
    try {
      this.set({ facets: await this.peer.link.request(protocol.historyFacets, {}) });
    } catch {
      // The request for the page reports the problem.
    }
  }

  /** Shows an entry's details, or hides them. */
  open(id: string, open: boolean): void {
    const others = [...this.history.expanded].filter((each) => each !== id);
    this.set({ expanded: new Set(open ? [...others, id] : others) });
    const entry = this.history.read.find(({ questionId }) => questionId === id);
    const isHere = typeof this.history.details[id] === "object";
    if (open && !isHere && (entry?.outcome.images || entry?.shortened)) {
      void this.fetch(id);
    }
  }

  toggle(id: string): void {
    this.set({ selection: list.toggle(this.history.selection, id, this.ids()) });
  }

  /** Selects the entries from the anchor to an entry. */
  extendTo(id: string): void {
    this.set({ selection: list.extendTo(this.history.selection, id, this.ids()) });
  }

  selectAll(): void {
    const ids = this.ids();
    this.set({ selection: { ids: new Set(ids), everything: false, anchor: ids[0] ?? null } });
  }

  /** The target of an action on the selection. */
  selected(): protocol.HistoryTarget {
    const { selection, query } = this.history;
    const filter = toFilter(query, this.now());
    return selection.everything ? { text: query.text, filter } : { questionIds: [...selection.ids] };
  }

  /** The target of an action on an entry: the selection if it contains the entry, else the entry itself. */
  targetAt(id: string): protocol.HistoryTarget {
    return list.isSelected(this.history.selection, id) ? this.selected() : { questionIds: [id] };
  }

  get deletes(): boolean {
    return !this.history.shared;
  }

  /** Deletes entries, if that is permitted. The user must confirm the deletion of everything that matches. */
  delete(target: protocol.HistoryTarget): Promise<void> {
    return this.try(async () => {
      if (!this.deletes) {
        return;
      }
      if ("questionIds" in target) {
        this.deleted(
          await this.peer.link.request(protocol.historyDelete, { deletionId: randomId(), ...target }),
        );
        return;
      }
      const all = { all: true, ...target };
      const { count } = await this.peer.link.request(protocol.historyDelete, { ...all, countOnly: true });
      if ((await this.peer.link.host.confirmDelete({ count })).confirmed) {
        this.deleted(
          await this.peer.link.request(protocol.historyDelete, { deletionId: randomId(), ...all }),
        );
        this.set({ selection: list.noSelection });
      }
    });
  }

  /** Undoes a deletion; by default the last one. */
  async undo(undone = this.history.undos.at(-1)): Promise<void> {
    if (undone === undefined) {
      return;
    }
    const before = this.ids();
    try {
      const { count } = await this.peer.link.request(protocol.historyRestore, { undo: undone.undo });
      if (count === 0) {
        throw new Error();
      }
      this.say(t("undo.restored", { count }));
    } catch (error) {
      this.set({ notice: this.words(error, "undo.tooLate") });
    }
    await this.ask("list");
    const back = this.ids().find((id) => !before.includes(id));
    this.forget(undone, { active: back ?? this.history.active });
  }

  private forget(over: list.Undo, changed: Partial<list.HistoryState> = {}): void {
    this.set({ ...changed, undos: this.history.undos.filter((each) => each !== over) });
  }

  copy(text: string): Promise<void> {
    return this.try(async () => {
      await this.peer.link.host.copy({ text });
      this.say(t("action.copied"));
    });
  }

  /** Copies entries to the clipboard, as Markdown. */
  copyEntries(questionIds: string[]): Promise<void> {
    return this.try(async () => {
      const { text } = await this.peer.link.request(protocol.historyText, {
        format: "markdown",
        questionIds,
      });
      await this.copy(text);
    });
  }

  export(target: protocol.HistoryTarget): void {
    this.peer.link.host.export({ target });
  }

  private ids(): string[] {
    return this.history.read.map(({ questionId }) => questionId);
  }

  /** Reads a page, one at a time. Input meanwhile is combined into the next request. */
  private async ask(what: "list" | "more"): Promise<void> {
    this.wanted = this.wanted === "list" ? "list" : what;
    if (this.reading) {
      return;
    }
    this.reading = true;
    while (this.wanted !== undefined) {
      const more = this.wanted === "more";
      this.wanted = undefined;
      await this.read(more);
    }
    this.reading = false;
  }

  /**
   * Reads the next page. Otherwise, it reads as many entries as are visible if the query has not changed, and
   * the first page of a new query.
   */
  private async read(more: boolean): Promise<void> {
    const { link } = this.peer;
    const { query, shown, next, failure } = this.history;
    const { text } = query;
    const filter = toFilter(query, this.now());
    const isNew = query !== shown;
    if (more || isNew || failure !== null) {
      this.set({ loading: true });
    }
    link.host.didShow({ text, filter });
    const ask = (after?: string, limit?: number) =>
      text.trim() === ""
        ? link.request(protocol.historyList, { filter, after, limit })
        : link.request(protocol.historySearch, { text, filter, after, limit });
    try {
      let arrived = await ask(more ? next : undefined);
      while (!more && !isNew && arrived.next && arrived.entries.length < this.history.read.length) {
        const { entries } = arrived;
        arrived = await ask(arrived.next, largestPage);
        arrived.entries.unshift(...entries);
      }
      if (query === this.history.query) {
        this.set(list.arrive(this.history, more, query, arrived));
        if (isNew) {
          this.sayFound();
        }
      }
    } catch (error) {
      if (query === this.history.query) {
        this.set({ loading: false, failure: this.words(error) });
      }
    }
  }

  /** Announces the number of matches of a search or filter. */
  private sayFound(): void {
    const { query, next } = this.history;
    if (query.text.trim() !== "" || isFiltered(query)) {
      const { length: count } = this.history.read;
      const key = next === undefined ? "search.found" : "search.foundMany";
      this.say(count === 0 ? t("noMatch.title") : t(key, { count }));
    }
  }

  private async fetch(id: string): Promise<void> {
    const show = (detail: list.Detail) => this.set({ details: { ...this.history.details, [id]: detail } });
    show(undefined);
    try {
      show(await this.peer.link.request(protocol.historyGet, { questionId: id }));
    } catch (error) {
      show(this.words(error));
    }
  }

  private deleted({ count, undo, undoUntil = 0 }: protocol.HistoryDeleteResult): void {
    const left = undoUntil - this.now();
    const undoFor = left > 0 && left <= undoTime ? left : undoTime;
    const text = t("undo.deleted", { count });
    if (undo === undefined) {
      this.say(text);
    } else {
      const over = { undo, count };
      this.set({ undos: [...this.history.undos, over] });
      this.say(`${text}. ${t("undo.hint", { seconds: Math.round(undoFor / 1000) })}`);
      setTimeout(() => this.forget(over), undoFor);
    }
    void this.ask("list");
  }

  /** Runs an action that may fail; a failure is shown as a notice. */
  private async try(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.set({ notice: this.words(error) });
    }
  }

  private words(error: unknown, otherwise: StringKey = "problem.notAsked"): string {
    return (error instanceof Error && error.message) || t(otherwise);
  }
}
