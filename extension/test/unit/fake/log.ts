// A log that keeps its entries.

import type { Log } from "../../../src/sidecar/log";

/** Collects log entries as "level message". */
export class FakeLog implements Log {
  readonly lines: string[] = [];

  trace = (message: string) => this.add("trace", message);
  debug = (message: string) => this.add("debug", message);
  info = (message: string) => this.add("info", message);
  warn = (message: string) => this.add("warn", message);
  error = (message: string) => this.add("error", message);

  private add(level: keyof Log, message: string): void {
    this.lines.push(`${level} ${message}`);
  }
}
