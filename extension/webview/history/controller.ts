// What the user can do in the history, for the components: told to the state, and posted to the host.

import type { HistoryHostMessage, HistoryTarget, HistoryViewMessage } from "./boundary";
import { type FilterChoice, noFilter, type Query, restoredQuery, toFilter } from "./filter";
import { type Flight, Loader } from "./loader";
import * as selection from "./selection";
import { entriesOf, type HistoryEvent, type HistoryState, initialState, needsReading, reduce } from "./state";

/** The editor's interface to a webview, as acquireVsCodeApi() gives it. */
export interface HistoryApi {
  postMessage(message: HistoryViewMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** What tells the components of a change: the event that made it. */
export type Listener = (event: HistoryEvent) => void;

export class HistoryController {
  private current: HistoryState = initialState;
  private readonly listeners = new Set<Listener>();
  private readonly loader = new Loader<Query>(
    () => this.current.query,
    (flight) => this.list(flight),
  );

  constructor(
    private readonly api: HistoryApi,
    private readonly now: () => number = Date.now,
  ) {}

  get state(): HistoryState {
    return this.current;
  }

  /** Calls the listener after every change. */
  subscribe(listener: Listener): void {
    this.listeners.add(listener);
  }

  /** Restores what was searched for and tells the host that the page listens. */
  start(): void {
    this.dispatch({ type: "restored-query", query: restoredQuery(this.api.getState()) });
    this.api.postMessage({ type: "ready" });
  }

  /** Takes a message of the host's. */
  receive(message: HistoryHostMessage): void {
    switch (message.type) {
      case "init":
        this.dispatch(message);
        this.loader.ask("first");
        this.post({ type: "facets" });
        break;
      case "page":
        this.arrived(message.request, (flight) => ({
          type: "arrived",
          purpose: flight.purpose,
          query: flight.query,
          page: message.page,
        }));
        break;
      case "failed":
        this.arrived(message.request, () => ({ type: "not-arrived", message: message.message }));
        break;
      case "changed":
        this.refresh();
        break;
      case "deleted":
        this.deleted(message);
        break;
      case "restored":
        this.restored(message);
        break;
      case "focus":
        break;
      case "keep":
        this.dispatch(message);
        this.refresh();
        break;
      default:
        this.dispatch(message);
    }
  }

  /** Tells the state what has happened in the page. */
  dispatch(event: HistoryEvent): void {
    this.current = reduce(this.current, event);
    for (const listener of this.listeners) {
      listener(event);
    }
  }

  /** Tells the host something that needs no state. */
  post(message: HistoryViewMessage): void {
    this.api.postMessage(message);
  }

  /** Searches for a text as it is being typed. */
  type(text: string): void {
    if (text !== this.current.query.text) {
      this.narrowed({ type: "typed", text });
    }
  }

  /** Chooses filters. */
  filter(filter: FilterChoice): void {
    this.narrowed({ type: "filtered", filter });
  }

  /** Takes away the search and all filters. */
  clear(): void {
    this.dispatch({ type: "typed", text: "" });
    this.filter(noFilter);
  }

  /** Reads on at the older end. */
  more(): void {
    const { stretch, failure } = this.current;
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
    this.loader.ask(this.current.shown === this.current.query ? "refresh" : "first");
  }

  /** Brings the newest entries up to date. */
  refresh(): void {
    if (this.current.ready) {
      this.loader.ask(this.current.shown === null ? "first" : "refresh");
      this.post({ type: "facets" });
    }
  }

  /** Shows an entry's details, or hides them. */
  open(id: string, open: boolean): void {
    this.dispatch({ type: "opened", id, open });
    const entry = entriesOf(this.current).find(({ questionId }) => questionId === id);
    const images = this.current.images[id];
    if (
      open &&
      (entry?.outcome.images || entry?.shortened) &&
      (images === undefined || images.kind === "failed")
    ) {
      this.dispatch({ type: "fetching", id });
      this.post({ type: "get", id });
    }
  }

  /** Puts an entry into the selection, or takes it out. */
  toggle(id: string): void {
    this.select(selection.toggle(this.current.selection, id, this.ids()));
  }

  /** Selects from where the selection was begun to an entry. */
  extendTo(id: string): void {
    this.select(selection.extendTo(this.current.selection, id, this.ids()));
  }

  /** Selects all entries on the page. */
  selectAll(): void {
    this.select(selection.all(this.ids()));
  }

  select(next: selection.Selection): void {
    this.dispatch({ type: "selected", selection: next });
  }

  /** What an action on the selection is about. */
  selected(): HistoryTarget {
    const { selection: selected, query } = this.current;
    return selection.targetOf(selected, query.text, toFilter(query.filter, this.now()));
  }

  /** What an action at an entry is about: the selection if it is part of it, else the entry itself. */
  targetAt(id: string): HistoryTarget {
    return selection.isSelected(this.current.selection, id) ? this.selected() : { ids: [id] };
  }

  /** Undoes a deletion; without one, the last. */
  undo(undo = this.current.undos.at(-1)?.undo): void {
    if (undo !== undefined) {
      this.post({ type: "restore", undo });
    }
  }

  private ids(): string[] {
    return entriesOf(this.current).map(({ questionId }) => questionId);
  }

  private narrowed(event: HistoryEvent): void {
    this.dispatch(event);
    this.api.setState(this.current.query);
    this.loader.ask("first");
  }

  private list({ request, purpose, query }: Flight<Query>): void {
    this.dispatch({ type: "asked", purpose });
    this.post({
      type: "list",
      request,
      text: query.text,
      filter: toFilter(query.filter, this.now()),
      ...(purpose === "more" && { after: this.current.stretch.next }),
    });
  }

  private arrived(request: number, event: (flight: Flight<Query>) => HistoryEvent): void {
    const flight = this.loader.answered(request);
    if (flight) {
      this.dispatch(event(flight));
    }
    this.loader.goOn();
  }

  private deleted(message: Extract<HistoryHostMessage, { type: "deleted" }>): void {
    this.dispatch({ type: "removed", message, now: this.now() });
    if (message.undoFor !== undefined) {
      setTimeout(() => this.dispatch({ type: "lapsed", now: this.now() }), message.undoFor + 1);
    }
    // Where everything was deleted, or so much that the page stands empty, there may be more.
    if (message.ids === undefined || entriesOf(this.current).length === 0) {
      this.loader.ask("first");
    }
  }

  private restored(message: Extract<HistoryHostMessage, { type: "restored" }>): void {
    const undone = this.current.undos.find(({ undo }) => undo === message.undo);
    this.dispatch(message);
    if (undone === undefined || needsReading(this.current, undone)) {
      this.loader.ask("first");
    }
  }
}
