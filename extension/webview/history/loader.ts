// Decides when a page is asked for. One request is under way at a time: while one is, typing only changes what is asked
// next, so that the search keeps up with the user as fast as it is answered and no faster.

/** What a page is for: the list anew, its newest entries brought up to date, or the entries that follow. */
export type Purpose = "first" | "refresh" | "more";

/** A page that was asked for. */
export interface Flight<Query> {
  readonly request: number;
  readonly purpose: Purpose;
  readonly query: Query;
}

const weight: Readonly<Record<Purpose, number>> = { first: 2, refresh: 1, more: 0 };

/** Keeps one request under way. */
export class Loader<Query> {
  private flight: Flight<Query> | undefined;
  private wanted: Purpose | undefined;
  private count = 0;

  /** @param send asks for a page for the query of the moment */
  constructor(
    private readonly query: () => Query,
    private readonly send: (flight: Flight<Query>) => void,
  ) {}

  /** What is under way, or is as soon as its turn comes. */
  get busy(): boolean {
    return this.flight !== undefined;
  }

  /** Asks for a page, now or behind the one that is under way. */
  ask(purpose: Purpose): void {
    if (this.flight === undefined) {
      this.begin(purpose);
    } else if (this.wanted === undefined || weight[purpose] > weight[this.wanted]) {
      this.wanted = purpose;
    }
  }

  /** An answer has come: gives what it is for, unless the user has changed the query meanwhile. */
  answered(request: number): Flight<Query> | undefined {
    const { flight } = this;
    if (flight?.request !== request) {
      return undefined;
    }
    this.flight = undefined;
    return flight.query === this.query() ? flight : undefined;
  }

  /** Asks for what was wanted meanwhile; called when the answer has been taken in. */
  goOn(): void {
    const { wanted } = this;
    this.wanted = undefined;
    if (wanted !== undefined && this.flight === undefined) {
      this.begin(wanted);
    }
  }

  private begin(purpose: Purpose): void {
    this.flight = { request: ++this.count, purpose, query: this.query() };
    this.send(this.flight);
  }
}
