// Shows the sidecar's log, zap's JSON lines, in the output channel with their levels.

import { createInterface } from "node:readline";

/** Where log lines go; vscode.LogOutputChannel is one. */
export interface Log {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** Reads one line of the sidecar's standard error. What is not a zap line is shown as it is. */
export function readLogLine(line: string): { level: keyof Log; message: string } {
  try {
    // The channel puts its own time in front.
    const { level, msg, ts, logger, caller, stacktrace, ...fields } = JSON.parse(line);
    if (typeof msg === "string") {
      const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
      const parts = Object.entries(fields).map(([name, value]) => `${name}=${text(value)}`);
      const message = [logger ? `${logger}: ${msg}` : msg, ...parts, ...(caller ? [`(${caller})`] : [])].join(
        " ",
      );
      const isKnown = level === "debug" || level === "info" || level === "warn";
      const isWorse = /^(error|d?panic|fatal)$/.test(level);
      return {
        level: isWorse ? "error" : isKnown ? level : "info",
        message: stacktrace ? `${message}\n${stacktrace}` : message,
      };
    }
  } catch {
    // It is another program's, or a panic's.
  }
  return { level: "info", message: line };
}

/** How many of the last lines that are not zap's are kept, such as a panic's. */
const keptLines = 20;

/** Pipes a sidecar's standard error to a log until it ends. lastWords returns the last lines that are not zap's. */
export function pipeLog(stderr: NodeJS.ReadableStream, log: Log): { lastWords(): string } {
  let raw: string[] = [];
  // A broken pipe ends the log; the process's exit says why.
  stderr.on("error", (error: Error) => log.debug(`Reading the sidecar's log failed: ${error.message}`));
  createInterface({ input: stderr, crlfDelay: Number.POSITIVE_INFINITY })
    .on("line", (line) => {
      if (line.trim() === "") {
        return;
      }
      const { level, message } = readLogLine(line);
      log[level](message);
      if (message === line) {
        raw = [...raw.slice(1 - keptLines), line];
      }
    })
    .on("close", () => log.debug("The sidecar closed its log."));
  return { lastWords: () => raw.join("\n") };
}
