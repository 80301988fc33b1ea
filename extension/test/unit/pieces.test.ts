// Decoding and joining of pieces, ids.

import { expect, test } from "vitest";
import { PieceDecoder } from "../../src/agents/decode";
import { Joiner } from "../../src/agents/joiner";
import { uuidv7 } from "../../src/agents/uuid";

const samples: [string, Uint8Array, string][] = [
  ["plain", bytes("plain text"), "plain text"],
  ["every length", bytes("aß€🚀\u{10FFFF}"), "aß€🚀\u{10FFFF}"],
  ["byte order mark", bytes("\uFEFFx"), "\uFEFFx"],
  ["lone continuation", new Uint8Array([0x80, 0x61]), "\uFFFDa"],
  ["cut in three", new Uint8Array([0xe2, 0x82, 0x61]), "\uFFFD\uFFFDa"],
  ["cut at the end", new Uint8Array([0x61, 0xf0, 0x9f, 0x9a]), "a\uFFFD\uFFFD\uFFFD"],
  ["surrogate", new Uint8Array([0xed, 0xa0, 0xbd]), "\uFFFD\uFFFD\uFFFD"],
  ["overlong", new Uint8Array([0xc0, 0xaf, 0xe0, 0x80, 0x80]), "\uFFFD".repeat(5)],
  ["too large", new Uint8Array([0xf4, 0x90, 0x80, 0x80, 0xf5]), "\uFFFD".repeat(5)],
  ["damage between", new Uint8Array([...bytes("é"), 0xff, ...bytes("🚀")]), "é\uFFFD🚀"],
];

test.each(samples)("bytes are decoded the same however they are cut: %s", (_name, input, expected) => {
  for (let size = 1; size <= input.length; size++) {
    const decoder = new PieceDecoder();
    let text = "";
    for (let at = 0; at < input.length; at += size) {
      text += decoder.decode(input.subarray(at, at + size));
    }
    expect(text + decoder.flush()).toBe(expected);
  }
});

test("what is whole is given at once", () => {
  const decoder = new PieceDecoder();
  expect(decoder.decode(new Uint8Array([0x61, 0xe2, 0x82]))).toBe("a");
  expect(decoder.decode(new Uint8Array([0xac]))).toBe("€");
  expect(decoder.decode("b\ud83d")).toBe("b");
  expect(decoder.decode("\ude80")).toBe("🚀");
  expect(decoder.decode("\ude80")).toBe("\ude80");
});

test("a half character followed by the other kind of piece stays a half", () => {
  const decoder = new PieceDecoder();
  expect(decoder.decode("\ud83d")).toBe("");
  expect(decoder.decode(new Uint8Array([0xe2, 0x82]))).toBe("\uFFFD");
  expect(decoder.decode("\ude80x")).toBe("\uFFFD\uFFFD\ude80x");
  expect(decoder.decode("")).toBe("");
  expect(decoder.flush()).toBe("");
});

test("a piece's buffer may be used again by the caller", () => {
  const decoder = new PieceDecoder();
  const buffer = Buffer.from([0xe2, 0x82]);
  decoder.decode(buffer);
  buffer.fill(0);
  expect(decoder.decode(Buffer.from([0xac]))).toBe("€");
});

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A line whose writes end when the test says so. */
function line() {
  const written: string[] = [];
  const free: (() => void)[] = [];
  const failing: ((error: Error) => void)[] = [];
  const joiner = new Joiner<string>(({ channel, text }) => {
    written.push(`${channel}:${text}`);
    return new Promise<void>((resolve, reject) => {
      free.push(resolve);
      failing.push(reject);
    });
  });
  const finish = async () => {
    free.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { joiner, written, finish, fail: (error: Error) => failing.at(-1)?.(error) };
}

test("a free line delays nothing", () => {
  const { joiner, written } = line();
  joiner.push("a", "1");
  expect(written).toEqual(["a:1"]);
});

test("what comes while a write is under way is joined by channel, in order", async () => {
  const { joiner, written, finish } = line();
  for (const [channel, text] of ["a1", "a2", "a3", "b4", "a5", "a"].map((each) => [
    each[0] ?? "",
    each.slice(1),
  ])) {
    joiner.push(channel as string, text as string);
  }
  await finish();
  await finish();
  await finish();
  await finish();
  expect(written).toEqual(["a:1", "a:23", "b:4", "a:5"]);
  await joiner.drained();
});

test("drained waits for the last write", async () => {
  const { joiner, finish } = line();
  let drained = false;
  joiner.push("a", "1");
  joiner.push("a", "2");
  const all = joiner.drained().then(() => {
    drained = true;
  });
  await finish();
  expect(drained).toBe(false);
  await finish();
  await all;
  expect(drained).toBe(true);
});

test("after a failed write everything is dropped and the failure is told", async () => {
  const { joiner, written, fail } = line();
  joiner.push("a", "1");
  joiner.push("a", "2");
  fail(new Error("broken pipe"));
  await expect(joiner.drained()).rejects.toThrow("broken pipe");
  joiner.push("a", "3");
  expect(written).toEqual(["a:1"]);
});

test("after stop nothing more is written", async () => {
  const { joiner, written, finish } = line();
  joiner.push("a", "1");
  joiner.push("a", "2");
  joiner.stop();
  joiner.push("a", "3");
  await finish();
  await joiner.drained();
  expect(written).toEqual(["a:1"]);
});

test("ids are UUIDs of version 7 with their time, and sort in the order of their making", () => {
  const time = Date.now() + 1_000_000;
  const ids = Array.from({ length: 10_000 }, () => uuidv7(time));
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect(Number.parseInt((ids[0] as string).replace("-", "").slice(0, 12), 16)).toBe(time);
  // A clock that was set back does not put new ids before old ones.
  expect(uuidv7(5) > (ids.at(-1) as string)).toBe(true);
});
