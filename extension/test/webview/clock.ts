// A controllable clock for a page's events, to test delays without waiting.

declare global {
  interface Window {
    clock: {
      /** Advances the time by milliseconds. */
      advance(by: number): void;
      /** From now on only advance() moves the time. */
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
