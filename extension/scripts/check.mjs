// Lints, and tests the changes since the last commit on main: Go's cache does not repeat a package that has
// passed, and vitest runs the files that import a changed file. It leaves the race detector, the real editor,
// all themes but one, and the longest files of the interface to `make test`.

import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { root } from "./lib/paths.mjs";
import { programFile } from "./lib/program.mjs";
import { go } from "./suite/go.mjs";
import { node } from "./suite/process.mjs";
import { Report } from "./suite/report.mjs";
import { Slots } from "./suite/slots.mjs";
import { Steps } from "./suite/steps.mjs";
import { vitest } from "./suite/vitest.mjs";

const { values } = parseArgs({ options: { golangci: { type: "string", default: "" } } });

/** Returns git's output; empty if git fails. @param {string[]} args */
const git = (...args) => spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout.trim();
const changedSince = (/** @type {string} */ commit) => git("diff", "--name-only", "--merge-base", commit);

const main = git("rev-parse", "--verify", "--quiet", "main") ? "main" : "origin/main";
const base = changedSince(main) || git("status", "--porcelain") ? main : "HEAD^";
const changed = changedSince(base).split("\n");

/** The interface's slow test files. They run only if they have changed themselves. */
const long = ["accessibility", "acts", "attachments", "composer", "history", "history-safety", "safety"]
  .map((name) => `${name}.test.ts`)
  .filter((name) => !changed.includes(`extension/test/webview/${name}`));

console.log(`Testing the changes since ${base === main ? main : "the previous commit"}`);
if (long.length > 0) console.log(`Only make test runs: ${long.join(" ")}`);

const report = new Report();
const steps = new Steps(report, new Slots());
const env = { ...process.env, FOLLOWUP_THEMES: "dark", FOLLOWUP_PROGRAM: programFile };
const flags = [`--changed=${base}`, ...long.map((name) => `--exclude=${name}`)];
const page = steps.command("page", [], node("extension/build.mjs", "--only", "browser"));
const program = steps.command("program", [page], node("extension/scripts/build-program.mjs"));
await Promise.all([
  steps.command("types", [], node("node_modules/typescript/bin/tsc", "--noEmit", "-p", ".")),
  steps.command("biome", [], node("node_modules/@biomejs/biome/bin/biome", "check", ".")),
  steps.suite("unit", [program], () => vitest("unit", report, { flags, env })),
  steps.suite("go", [program], () => go(report, { env })),
  steps.suite("webview", [program], () => vitest("webview", report, { flags, env })),
  values.golangci && steps.command("golangci-lint", [page], ["go", "run", values.golangci, "run"]),
]);
if (report.cases.length > 0 || !report.passed) report.print();
else console.log("Nothing to test: all affected tests have already passed.");
process.exit(report.passed ? 0 : 1);
