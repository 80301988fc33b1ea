// Decides whether a sidecar that crashed is started again, and when.

/** How often and how soon. */
export interface RestartLimits {
  /** The most restarts within the period. */
  times: number;
  /** In milliseconds. */
  period: number;
  /** Milliseconds before the first, second, … restart of the period; the last one repeats. */
  delays: readonly number[];
}

const defaultLimits: RestartLimits = { times: 5, period: 180_000, delays: [0, 250, 1_000, 2_000, 4_000] };

/** Counts crashes. */
export class RestartPolicy {
  private restarts: number[] = [];

  constructor(private readonly limits: RestartLimits = defaultLimits) {}

  /** Counts a crash. Returns the milliseconds before the restart, or undefined after too many. */
  crashed(): number | undefined {
    const { times, period, delays } = this.limits;
    this.restarts = this.restarts.filter((at) => at > Date.now() - period);
    if (this.restarts.length >= times) {
      return undefined;
    }
    this.restarts.push(Date.now());
    return delays[Math.min(this.restarts.length, delays.length) - 1];
  }

  /** Forgets the crashes so far: the user asked for a restart. */
  forgive(): void {
    this.restarts = [];
  }

  /** The number of restarts in the period. */
  get count(): number {
    return this.restarts.length;
  }
}
