// Unpacks the packed binary into a folder for running it, also when something is in the way.

import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path, { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { absoluteCalls, relativeCalls } from "../../src/sidecar/calls.mjs";
import { locate, patiently } from "../../src/sidecar/locate";

const program = Buffer.from("#!/bin/sh\necho here\n".padEnd(100_000, "#"));
const sha256 = (content: Buffer) => createHash("sha256").update(content).digest("hex");
const version = sha256(program).slice(0, 16);

let folder: string;
let bin: string;
let storage: string;
const name = process.platform === "win32" ? "followup.exe" : "followup";
const find = () => locate({ environment: {}, setting: "", extensionPath: folder, storagePath: storage });

/** Packs a program into the extension's folder. */
function pack(content = program, says = { size: content.length, sha256: sha256(content) }) {
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "followup.br"), brotliCompressSync(content));
  writeFileSync(join(bin, "followup.json"), JSON.stringify(says));
}

/** A file at a folder's path, below which not even root can write. */
const block = (path: string) => {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "");
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "followup-unpack-"));
  bin = join(folder, "bin");
  storage = join(folder, "storage");
  pack();
});
afterEach(() => rmSync(folder, { recursive: true }));

test("unpacks once, whole and executable, into the extension's folder", async () => {
  const found = await find();
  expect(found).toBe(join(bin, version, name));
  expect(readFileSync(found).equals(program)).toBe(true);
  if (process.platform !== "win32") {
    expect(statSync(found).mode & 0o777).toBe(0o755);
  }
  const { ino } = statSync(found);
  rmSync(join(bin, "followup.br")); // it is not needed again
  expect([await find(), statSync(found).ino]).toEqual([found, ino]);
  expect(existsSync(storage)).toBe(false);
});

test("unpacks an x86 program with absolute calls unchanged", async () => {
  const calls = Buffer.from(
    Array.from({ length: 5000 }, (_, i) => [0xe8, i % 251, i >> 8, 0, i % 2 ? 0xff : 0]).flat(),
  );
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "followup.br"), brotliCompressSync(absoluteCalls(calls)));
  writeFileSync(
    join(bin, "followup.json"),
    JSON.stringify({ size: calls.length, sha256: sha256(calls), absoluteCalls: true }),
  );
  expect(readFileSync(await find()).equals(calls)).toBe(true);
});

test("relative calls invert absolute ones for any bytes", () => {
  let seed = 1;
  const next = () => {
    seed = (seed * 48271) % 0x7fffffff;
    return seed;
  };
  for (let round = 0; round < 2000; round++) {
    const size = next() % 64;
    // Many calls, with operands near zero, near the ends, and anywhere.
    const bytes = Uint8Array.from(
      { length: size },
      () => [0xe8, 0xe9, 0, 0xff, size, next() & 0xff][next() % 6] ?? 0,
    );
    expect(relativeCalls(absoluteCalls(bytes))).toEqual(bytes);
  }
  const called = Uint8Array.from([0x90, 0xe8, 4, 0, 0, 0, 0, 0, 0, 0, 0xe8, 0xfb, 0xff, 0xff, 0xff]);
  expect([...absoluteCalls(called)]).toEqual([0x90, 0xe8, 10, 0, 0, 0, 0, 0, 0, 0, 0xe8, 10, 0, 0, 0]);
});

test("concurrent windows get the same file and leave no other", async () => {
  const found = await Promise.all([find(), find(), find(), find()]);
  expect(new Set(found)).toEqual(new Set([join(bin, version, name)]));
  expect(readdirSync(join(bin, version))).toEqual([name]);
});

test.each([
  ["a file that is open elsewhere is tried again", ["EBUSY", "EPERM"], 3, undefined],
  ["one that stays open is an error", ["EACCES", "EACCES", "EACCES", "EACCES"], 4, "EACCES"],
  ["no other error is tried again", ["ENOSPC"], 1, "ENOSPC"],
])("%s", async (_, codes, attempts, wrong) => {
  let tried = 0;
  const attempt = async () => {
    const code = codes[tried++];
    if (code) throw Object.assign(new Error(code), { code });
  };
  expect([await patiently(attempt).catch(({ code }) => code), tried]).toEqual([wrong, attempts]);
});

test("replaces an incomplete file", async () => {
  const found = await find();
  writeFileSync(found, program.subarray(0, 5000));
  expect(await find()).toBe(found);
  expect(readFileSync(found).equals(program)).toBe(true);
});

test("uses the editor's storage if the extension's folder is not writable", async () => {
  block(join(bin, version));
  const found = await find();
  expect(found).toBe(join(storage, "bin", version, name));
  expect(readFileSync(found).equals(program)).toBe(true);
  expect(await find()).toBe(found);
});

test("removes another version and old partial files, but not a file that is being written", async () => {
  block(join(bin, version));
  const old = join(storage, "bin", "0123456789abcdef");
  const [left, now] = ["left.tmp", "now.tmp"].map((each) => join(storage, "bin", version, each));
  for (const file of [join(old, name), left, now] as string[]) block(file);
  utimesSync(left as string, 1, 1);
  expect(await find()).toBe(join(storage, "bin", version, name));
  expect(existsSync(old)).toBe(false);
  expect(readdirSync(join(storage, "bin", version)).sort()).toEqual([name, "now.tmp"].sort());
});

test("names the folder and the reason if none is writable, and retries next time", async () => {
  block(join(bin, version));
  block(storage);
  const error = await find().catch((error) => error);
  const where = `${bin}, ${join(storage, "bin")}`;
  expect(error.message).toContain(`The Followup sidecar could not be unpacked into ${where}: `);
  expect(error.message).toMatch(/EEXIST.*; E(NOTDIR|EXIST|NOENT)/);
  rmSync(storage);
  expect(await find()).toBe(path.join(storage, "bin", version, name));
});

test.each([
  ["is of another build", () => pack(program, { size: program.length, sha256: "0".repeat(64) })],
  ["was cut", () => writeFileSync(join(bin, "followup.br"), brotliCompressSync(program).subarray(0, 20))],
  ["has an invalid description", () => writeFileSync(join(bin, "followup.json"), "{")],
])("rejects a package that %s and writes nothing", async (_, damage) => {
  damage();
  await expect(find()).rejects.toThrow(`could not be unpacked into ${bin}: `);
  expect(readdirSync(bin)).toEqual(["followup.br", "followup.json"]);
  expect(existsSync(storage)).toBe(false);
});

test("runs the built program from source", async () => {
  const built = join(bin, name);
  writeFileSync(built, program, { mode: 0o755 });
  expect(await find()).toBe(built);
});
