// A log that remembers.

import type { Level, Log } from "../../../src/sidecar/log";

/** Collects what is logged, as "level message". */
export class FakeLog implements Log {
  readonly lines: string[] = [];

  trace = (message: string) => this.add("trace", message);
  debug = (message: string) => this.add("debug", message);
  info = (message: string) => this.add("info", message);
  warn = (message: string) => this.add("warn", message);
  error = (message: string) => this.add("error", message);

  private add(level: Level, message: string): void {
    this.lines.push(`${level} ${message}`);
  }
}
