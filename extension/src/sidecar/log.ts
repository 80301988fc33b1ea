// Shows the sidecar's log, which is zap's JSON lines, with its levels in the output channel.

import { createInterface } from "node:readline";
import type { LogOutputChannel } from "vscode";

/** Where log lines go. */
export type Log = Pick<LogOutputChannel, "trace" | "debug" | "info" | "warn" | "error">;

/** Parses JSON; undefined if it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a line of the sidecar's standard error. Lines that are not from zap, such as those of a panic, are shown unchanged. */
export function readLogLine(line: string): { level: keyof Log; message: string } {
  // The channel adds its own time.
  const { level, msg, ts, logger, caller, stacktrace, ...fields } = Object(parseJson(line));
  if (typeof msg !== "string") {
    return { level: "info", message: line };
  }
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const parts = Object.entries(fields).map(([name, value]) => `${name}=${text(value)}`);
  const whole = [logger ? `${logger}: ${msg}` : msg, ...parts, ...(caller ? [`(${caller})`] : [])].join(" ");
  const message = stacktrace ? `${whole}\n${stacktrace}` : whole;
  const isWorse = /^(error|d?panic|fatal)$/.test(level);
  return { level: isWorse ? "error" : level === "debug" || level === "warn" ? level : "info", message };
}

/** How many of the last lines that are not zap's are kept, such as those of a panic. */
const keptLines = 20;

/** Pipes a sidecar's standard error to a log until it ends. lastWords returns the last lines that are not zap's. */
export function pipeLog(stderr: NodeJS.ReadableStream, log: Log): { lastWords(): string } {
  let raw: string[] = [];
  // A broken pipe ends the log; the process's exit has the reason.
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
