// Channels return pieces of complete characters with offsets. Also tests ids.

import { expect, test } from "vitest";
import { uuidv7 } from "../../src/agents/api";
import { Channel } from "../../src/agents/stream";

/** The pieces that a channel returns, including those at the end. */
function read(...pieces: (string | Uint8Array)[]): [number, string][] {
  const channel = new Channel();
  return [...pieces, undefined].map((piece) => {
    const { offset, text } = channel.read(piece);
    return [offset, text];
  });
}

test("offsets count UTF-8 bytes, and half a character counts as its three-byte replacement", () => {
  expect(read("a", "ß€", "🚀", "b")).toEqual([
    [0, "a"],
    [1, "ß€"],
    [6, "🚀"],
    [10, "b"],
    [11, ""],
  ]);
  expect(read("\ude80", "\ud83d")).toEqual([
    [0, "\ude80"],
    [3, ""],
    [3, "\ud83d"],
  ]);
});

test("holds back half a character until the other half arrives, in code units and in bytes", () => {
  expect(read("a\ud83d", "\ude80b").map(([, text]) => text)).toEqual(["a", "🚀b", ""]);
  const rocket = new TextEncoder().encode("🚀");
  const cut = [rocket.subarray(0, 1), rocket.subarray(1, 3), rocket.subarray(3)];
  expect(read(...cut)).toEqual([
    [0, ""],
    [0, ""],
    [0, "🚀"],
    [4, ""],
  ]);
  expect(read("\ud83d", rocket).map(([, text]) => text)).toEqual(["", "\ud83d🚀", ""]);
  expect(read(rocket.subarray(0, 2), "x").map(([, text]) => text)).toEqual(["", "�x", ""]);
  expect(read(rocket.subarray(0, 2)).map(([, text]) => text)).toEqual(["", "�"]);
});

test("pieces join to the original text however it is cut, each starting where the last one ended", () => {
  const text = "\ufeffaß€🚀\u{10ffff}".repeat(5);
  const bytes = new TextEncoder().encode(text);
  for (let size = 1; size <= 9; size++) {
    for (const whole of [text, bytes]) {
      const channel = new Channel();
      let all = "";
      for (let at = 0; at <= whole.length; at += size) {
        const piece = channel.read(whole.slice(at, at + size));
        expect(piece.offset).toBe(Buffer.byteLength(all));
        all += piece.text;
      }
      expect(all + channel.read().text).toBe(text);
    }
  }
});

test("ids are version 7 UUIDs and sort by creation time", () => {
  const time = Date.now();
  const ids = Array.from({ length: 10_000 }, (_, index) => uuidv7(time + index));
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect([...ids].sort()).toEqual(ids);
  expect(Number.parseInt((ids[0] as string).replace("-", "").slice(0, 12), 16)).toBe(time);
});
