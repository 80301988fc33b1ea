// The editor's end of the transport: the extension's own connection, driven over standard input one turn at
// a time. Package bench says how, builds the programs that it talks to, and bundles this file.

import { createInterface } from "node:readline";
import { uuidv7 } from "../../../extension/src/agents/api";
import {
  inboxDidChange,
  inboxSubscribe,
  sessionClose,
  sessionGet,
  sessionOpen,
  streamAppend,
  streamEnd,
} from "../../../extension/src/protocol.gen";
import { Connection } from "../../../extension/src/sidecar/connection";
import type { Log } from "../../../extension/src/sidecar/log";
import { startProcess } from "../../../extension/src/sidecar/transport";

/** How many characters an agent writes at a time. */
const chunk = 16;

const silent: Log = {
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error: (message) => console.error(message),
};

async function connect(command: string, ...args: string[]): Promise<Connection> {
  const greeting = { processId: process.pid, clientInfo: { name: "bench" }, initializationOptions: {} };
  const connection = new Connection(startProcess({ command, args }), silent);
  await connection.initialize(command, greeting, "off");
  return connection;
}

/** Sends pieces of one stream. */
interface Line {
  push(text: string): void;
  /** Settles when all of them are written. */
  written(): Promise<void>;
}

/** Makes a line of a function that writes one message. */
type Way = (write: (text: string) => Promise<void>) => Line;

const joined: Way = (write) => {
  let waiting = "";
  let last = Promise.resolve();
  const flush = () => {
    if (waiting) {
      last = write(waiting);
    }
    waiting = "";
  };
  return {
    push: (text) => {
      waiting += text;
      queueMicrotask(flush);
    },
    written: () => last,
  };
};

const oneByOne: Way = (write) => {
  let last = Promise.resolve();
  return {
    push: (text) => {
      last = write(text);
    },
    written: () => last,
  };
};

/** Who waits for the question of a stream, by the stream's id. */
const awaited = new Map<string, () => void>();

/** Streams a call, from its first piece until its question is reported complete. Returns nanoseconds. */
async function stream(sidecar: Connection, way: Way, text: string, paced: boolean): Promise<number> {
  const pieces = Array.from({ length: Math.ceil(text.length / chunk) }, (_, i) =>
    text.slice(i * chunk, (i + 1) * chunk),
  );
  const streamId = uuidv7();
  const { session } = await sidecar.request(sessionOpen, { agent: "bench", key: streamId });
  const whole = new Promise<void>((resolve) => awaited.set(streamId, resolve));
  const begin = process.hrtime.bigint();
  let end = 0;
  const line = way((piece) => {
    const offset = end;
    end += Buffer.byteLength(piece);
    return sidecar.notify(streamAppend, { session, streamId, offset, text: piece });
  });
  for (const piece of pieces) {
    line.push(piece);
    if (paced) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  await whole;
  const ns = Number(process.hrtime.bigint() - begin);
  awaited.delete(streamId);
  await line.written();
  const { calls } = await sidecar.request(streamEnd, { session, streamId, reason: "aborted" });
  await sidecar.request(sessionClose, { session });
  if (calls.length !== 1 || calls[0]?.status !== "valid") {
    throw new Error(`read ${JSON.stringify(calls)}`);
  }
  return ns;
}

/** Streams a call some times. Returns nanoseconds for each. */
async function streams(times: number, ...what: Parameters<typeof stream>): Promise<number> {
  let ns = 0;
  for (let i = 0; i < times; i++) {
    ns += await stream(...what);
  }
  return Math.round(ns / times);
}

/** Asks for a session's state, one time after the other. Returns nanoseconds. */
async function roundTrips(connection: Connection, session: string, times: number): Promise<number> {
  const begin = process.hrtime.bigint();
  for (let i = 0; i < times; i++) {
    await connection.request(sessionGet, { session });
  }
  return Number(process.hrtime.bigint() - begin);
}

async function main(sidecarPath: string, echoPath: string): Promise<void> {
  const sidecar = await connect(sidecarPath, "serve", "--log-level", "error");
  const echo = await connect(echoPath);
  sidecar.on(inboxDidChange, ({ items = [] }) => {
    for (const { streamId = "", state } of items) {
      if (state === "pending") {
        awaited.get(streamId)?.();
      }
    }
  });
  await sidecar.request(inboxSubscribe, {});
  const { session } = await sidecar.request(sessionOpen, { agent: "bench", key: "round trips" });
  let text = "";
  const contenders: Readonly<Record<string, (times: number) => Promise<number>>> = {
    joined: (times) => streams(times, sidecar, joined, text, false),
    single: (times) => streams(times, sidecar, oneByOne, text, false),
    "joined, paced": (times) => streams(times, sidecar, joined, text, true),
    "single, paced": (times) => streams(times, sidecar, oneByOne, text, true),
    sidecar: (times) => roundTrips(sidecar, session, times),
    echo: (times) => roundTrips(echo, session, times),
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const order: { text?: string; run: string; times: number } = JSON.parse(line);
    if (order.text !== undefined) {
      text = order.text;
      continue;
    }
    const answer = await contenders[order.run]?.(order.times).then(
      (ns) => ({ ns }),
      (error: unknown) => ({ error: String(error) }),
    );
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
  await Promise.all([sidecar.close(), echo.close()]);
}

void main(process.argv[2] ?? "", process.argv[3] ?? "");
