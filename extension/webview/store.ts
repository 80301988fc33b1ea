// Holds the page's state and tells who listens that it changed.

import { initialState, reduce, type ViewEvent, type ViewState } from "./state";

export class Store {
  private current: ViewState = initialState;
  private readonly listeners = new Set<(event: ViewEvent) => void>();

  get state(): ViewState {
    return this.current;
  }

  /** Calls the listener after every change, with the event that made it. */
  subscribe(listener: (event: ViewEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  dispatch(event: ViewEvent): void {
    this.current = reduce(this.current, event);
    for (const listener of this.listeners) {
      listener(event);
    }
  }
}
