// Decides whether a sidecar that crashed is started again, and when.

/** How often and how soon. */
export interface RestartLimits {
  /** The most restarts within the period. */
  times: number;
  /** The period, in milliseconds. */
  period: number;
  /** The waits before the first, second, … restart of the period, in milliseconds; the last one stands for all further. */
  delays: readonly number[];
}

/** Five restarts in three minutes, the first at once. */
export const defaultLimits: RestartLimits = {
  times: 5,
  period: 180_000,
  delays: [0, 250, 1_000, 2_000, 4_000],
};

/** Counts crashes. */
export class RestartPolicy {
  private restarts: number[] = [];

  constructor(
    private readonly limits: RestartLimits = defaultLimits,
    private readonly now: () => number = Date.now,
  ) {}

  /** Counts a crash: gives the milliseconds to wait before the restart, or undefined when there were too many. */
  crashed(): number | undefined {
    const now = this.now();
    this.restarts = this.restarts.filter((at) => at > now - this.limits.period);
    const attempt = this.restarts.length;
    if (attempt >= this.limits.times) {
      return undefined;
    }
    this.restarts.push(now);
    return this.limits.delays[Math.min(attempt, this.limits.delays.length - 1)] ?? 0;
  }

  /** Forgets the crashes so far: the user asked for a restart. */
  forgive(): void {
    this.restarts = [];
  }

  /** How many restarts the period holds. */
  get count(): number {
    return this.restarts.length;
  }
}
