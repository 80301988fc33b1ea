// The time of a page's events as the tests want it: what depends on how long ago something was is tested without waiting.

declare global {
  interface Window {
    clock: {
      /** Moves the time on, in milliseconds. */
      advance(by: number): void;
      /** From now on no time passes but by advance(). */
      stop(): void;
      /** Resumes the clock. */
      start(): void;
    };
  }
}

/** Runs in the page before its script: performance.now() and the events' timeStamp follow window.clock. */
export function installClock(): void {
  const now = performance.now.bind(performance);
  let ahead = 0;
  let stopped: number | undefined;
  performance.now = () => stopped ?? now() + ahead;
  const own = Object.getOwnPropertyDescriptor(Event.prototype, "timeStamp");
  Object.defineProperty(Event.prototype, "timeStamp", {
    ...own,
    get: function (this: Event) {
      return stopped ?? own?.get?.call(this) + ahead;
    },
  });
  window.forgetCase = [
    () => {
      ahead = 0;
      stopped = undefined;
    },
  ];
  window.clock = {
    advance: (by) => {
      ahead += by;
      stopped = stopped === undefined ? undefined : stopped + by;
    },
    stop: () => {
      stopped ??= performance.now();
    },
    start: () => {
      ahead = performance.now() - now();
      stopped = undefined;
    },
  };
}
