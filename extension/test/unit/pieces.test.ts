// Joining of pieces, ids.

import { expect, test } from "vitest";
import { Joiner } from "../../src/agents/joiner";
import { uuidv7 } from "../../src/agents/uuid";

/** A line whose writes end when the test says so. */
function line() {
  const written: string[] = [];
  const free: (() => void)[] = [];
  const failing: ((error: Error) => void)[] = [];
  const joiner = new Joiner<string>(({ channel, text, bytes }) => {
    written.push(`${channel}:${bytes ? Buffer.from(text, "latin1").toString("hex") : text}`);
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

test("bytes are joined with bytes, as they were when they came", async () => {
  const { joiner, written, finish } = line();
  const buffer = new Uint8Array([0, 0x00, 0x7f, 0xe2, 0x82, 0]);
  joiner.push("a", buffer.subarray(1, 4));
  joiner.push("a", buffer.subarray(3, 4));
  joiner.push("a", new Uint8Array());
  joiner.push("a", buffer.subarray(4, 5));
  buffer.fill(1);
  joiner.push("a", "é");
  joiner.push("a", new Uint8Array([0xff]));
  await finish();
  await finish();
  await finish();
  await finish();
  expect(written).toEqual(["a:007fe2", "a:e282", "a:é", "a:ff"]);
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
