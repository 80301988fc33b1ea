// The npm package in npm's layout, with a program that prints its input.

import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeNpmPackages } from "../../scripts/package/npm.mjs";

const posix = process.platform !== "win32";
const own = { goos: process.platform, goarch: process.arch === "x64" ? "amd64" : process.arch };

let folder: string;
let modules: string;
let launcher: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "followup-npm-"));
  const program = path.join(folder, "program");
  writeFileSync(
    program,
    '#!/bin/sh\n[ "$1" = wait ] && { echo ready; cat; echo over; exit 0; }\n[ "$1" = die ] && kill -KILL $$\necho "$@"; exit 7\n',
  );
  const notices = path.join(folder, "notices");
  writeFileSync(notices, "the licences");
  const packages = writeNpmPackages(
    path.join(folder, "made"),
    [
      { ...own, path: program },
      { goos: "windows", goarch: "arm64", path: program },
    ],
    {
      version: "1.2.3",
      license: "MIT",
      repository: { type: "git", url: "https://github.com/o/n" },
    },
    notices,
  );
  modules = path.join(folder, "node_modules");
  mkdirSync(modules);
  for (const each of packages) cpSync(each, path.join(modules, path.basename(each)), { recursive: true });
  launcher = path.join(modules, "followup", "followup.js");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("publishes a package for each platform, and the main one last", () => {
  const read = (name: string) => JSON.parse(readFileSync(path.join(modules, name, "package.json"), "utf8"));
  expect(read("followup")).toMatchObject({
    version: "1.2.3",
    bin: { followup: "followup.js" },
    repository: { url: "https://github.com/o/n" },
    optionalDependencies: {
      "followup-win32-arm64": "1.2.3",
      [`followup-${process.platform}-${process.arch}`]: "1.2.3",
    },
  });
  expect(read("followup-win32-arm64")).toMatchObject({
    os: ["win32"],
    cpu: ["arm64"],
    files: ["followup.exe", "NOTICES.txt"],
  });
  const put = path.join(modules, "followup-win32-arm64", "NOTICES.txt");
  expect(readFileSync(put, "utf8")).toBe("the licences");
});

test.runIf(posix)("the command passes on its arguments, input, output and exit status", async () => {
  const run = (...args: string[]) => spawnSync(process.execPath, [launcher, ...args], { encoding: "utf8" });
  expect(run("ask", "a b")).toMatchObject({ stdout: "ask a b\n", status: 7 });
  expect(run("die").signal).toBe("SIGKILL");
  const waiting = spawn(process.execPath, [launcher, "wait"]);
  const output = waiting.stdout.setEncoding("utf8")[Symbol.asyncIterator]();
  expect((await output.next()).value).toBe("ready\n");
  const ended = new Promise((resolve) => waiting.on("exit", (_, signal) => resolve(signal)));
  waiting.kill("SIGTERM");
  expect(await ended).toBe("SIGTERM");
});

test("without its platform's package, the command names the missing one", () => {
  const name = `followup-${process.platform}-${process.arch}`;
  rmSync(path.join(modules, name), { recursive: true });
  const { stderr, status } = spawnSync(process.execPath, [launcher], { encoding: "utf8" });
  expect([stderr, status]).toEqual([expect.stringContaining(name), 1]);
});
