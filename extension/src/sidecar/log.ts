// Shows the sidecar's log, zap's JSON lines, in the output channel with their levels.

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

/** Pipes a sidecar's standard error to a log until it ends. Gives the last lines that are not zap's, such as a panic's. */
export function pipeLog(stderr: NodeJS.ReadableStream, log: Log): { lastWords(): string } {
  const lines = new LineSplitter();
  let raw: string[] = [];
  const show = (line: string) => {
    if (line.trim() === "") {
      return;
    }
    const { level, message } = readLogLine(line);
    log[level](message);
    if (message === line) {
      raw = [...raw.slice(1 - keptLines), line];
    }
  };
  stderr.on("data", (chunk: Buffer | string) => {
    for (const line of lines.push(chunk)) {
      show(line);
    }
  });
  stderr.on("end", () => {
    show(lines.rest());
    log.debug("The sidecar closed its log.");
  });
  // A broken pipe ends the log; the process's exit tells why.
  stderr.on("error", (error: Error) => log.debug(`Reading the sidecar's log failed: ${error.message}`));
  return { lastWords: () => raw.join("\n") };
}

const keptLines = 20;

/** Cuts a stream of UTF-8 into lines. */
export class LineSplitter {
  private readonly decoder = new TextDecoder();
  private held: string[] = [];

  /** Gives the lines that are whole now. */
  push(chunk: Uint8Array | string): string[] {
    const text = typeof chunk === "string" ? chunk : this.decoder.decode(chunk, { stream: true });
    const pieces = text.split("\n");
    if (pieces.length === 1) {
      this.held.push(text);
      return [];
    }
    pieces[0] = this.held.join("") + (pieces[0] ?? "");
    this.held = [pieces.pop() ?? ""];
    return pieces.map((line) => line.replace(/\r$/, ""));
  }

  /** Gives what stands behind the last line break. */
  rest(): string {
    const text = this.held.join("") + this.decoder.decode();
    this.held = [];
    return text;
  }
}
