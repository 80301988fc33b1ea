// Holds a state and tells who listens that it changed.

export class Store<State, Event> {
  private readonly listeners = new Set<(event: Event) => void>();

  constructor(
    private current: State,
    private readonly reduce: (state: State, event: Event) => State,
  ) {}

  get state(): State {
    return this.current;
  }

  /** Calls the listener after every change, with the event that made it. */
  subscribe(listener: (event: Event) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  dispatch(event: Event): void {
    this.current = this.reduce(this.current, event);
    for (const listener of this.listeners) {
      listener(event);
    }
  }
}
