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

/** A line's level. */
export type Level = keyof Log;

const levels: Readonly<Record<string, Level>> = {
  debug: "debug",
  info: "info",
  warn: "warn",
  error: "error",
  dpanic: "error",
  panic: "error",
  fatal: "error",
};

/** Reads one line of the sidecar's standard error. What is not a zap line is shown as it is. */
export function readLogLine(line: string): { level: Level; message: string } {
  const entry = parseObject(line);
  if (!entry || typeof entry.msg !== "string") {
    return { level: "info", message: line };
  }
  // The channel puts its own time in front.
  const { level, msg, ts, logger, caller, stacktrace, ...fields } = entry;
  const parts = [typeof logger === "string" ? `${logger}: ${msg}` : msg];
  for (const [name, value] of Object.entries(fields)) {
    parts.push(`${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  }
  if (typeof caller === "string") {
    parts.push(`(${caller})`);
  }
  const text = parts.join(" ");
  return {
    level: levels[String(level)] ?? "info",
    message: typeof stacktrace === "string" ? `${text}\n${stacktrace}` : text,
  };
}

function parseObject(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) {
    return undefined;
  }
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
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
