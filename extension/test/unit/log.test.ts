// The sidecar's log lines in the output channel.

import { PassThrough } from "node:stream";
import { finished } from "node:stream/promises";
import { expect, test } from "vitest";
import { pipeLog, readLogLine } from "../../src/sidecar/log";
import { FakeLog } from "./fake/log";

test.each([
  ['{"level":"info","ts":1.5,"msg":"listening"}', "info", "listening"],
  [
    '{"level":"debug","ts":1,"logger":"rpc","msg":"read","bytes":12,"ok":true}',
    "debug",
    "rpc: read bytes=12 ok=true",
  ],
  ['{"level":"warn","msg":"slow","by":"a b","list":[1]}', "warn", "slow by=a b list=[1]"],
  [
    '{"level":"error","msg":"bad","caller":"x/y.go:3","stacktrace":"at\\nbelow"}',
    "error",
    "bad (x/y.go:3)\nat\nbelow",
  ],
  ['{"level":"fatal","msg":"over"}', "error", "over"],
  ['{"level":"dpanic","msg":"over"}', "error", "over"],
  ['{"level":"odd","msg":"x"}', "info", "x"],
  ["panic: nil map", "info", "panic: nil map"],
  ["{not json", "info", "{not json"],
  ['{"other":"object"}', "info", '{"other":"object"}'],
])("%s", (line, level, message) => {
  expect(readLogLine(line)).toEqual({ level, message });
});

test("splits lines across chunks, even within characters", async () => {
  const bytes = new TextEncoder().encode("first\r\nsecond ü€🚀\n\nlast");
  for (let size = 1; size <= bytes.length; size++) {
    const stderr = new PassThrough();
    const log = new FakeLog();
    const { lastWords } = pipeLog(stderr, log);
    for (let at = 0; at < bytes.length; at += size) {
      stderr.write(bytes.subarray(at, at + size));
    }
    stderr.end();
    await finished(stderr);
    expect(lastWords()).toBe("first\nsecond ü€🚀\nlast");
  }
});

test("logs the sidecar's standard error and remembers lines that are not zap's", async () => {
  const stderr = new PassThrough();
  const log = new FakeLog();
  const { lastWords } = pipeLog(stderr, log);
  stderr.write('{"level":"warn","msg":"careful"}\npanic: oh\n\ngorou');
  stderr.end("tine 1");
  await finished(stderr);
  expect(log.lines).toEqual([
    "warn careful",
    "info panic: oh",
    "info goroutine 1",
    "debug The sidecar closed its log.",
  ]);
  expect(lastWords()).toBe("panic: oh\ngoroutine 1");
});
