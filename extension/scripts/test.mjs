// Runs all tests of the project: Go with the race detector, the extension's units, the interface in Chromium, and
// everything in a real editor, in parallel as far as the machine allows. The last line counts them. A skipped test
// counts as a failure, and so does anything that the tests leave behind: a process, or a file outside their folders.
//
//   node extension/scripts/test.mjs [--shuffle [SEED]] [SUITE…]
//
// runs all suites, or those named: go, unit, webview, editor. --shuffle runs the cases in a random order, whose seed is printed.

import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { programFile } from "./lib/program.mjs";
import { go } from "./suite/go.mjs";
import { node } from "./suite/process.mjs";
import { Report } from "./suite/report.mjs";
import { Steps } from "./suite/steps.mjs";
import { Traces } from "./suite/traces.mjs";
import { vitest } from "./suite/vitest.mjs";

const { values, positionals } = parseArgs({
  options: { shuffle: { type: "string" } },
  allowPositionals: true,
});
const names = ["go", "unit", "webview", "editor"];
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`there is no suite ${unknown.join(", ")}; there are ${names.join(", ")}`);
  process.exit(2);
}
const wanted = positionals.length > 0 ? positionals : names;

const report = new Report();
const traces = new Traces();
const env = { ...traces.environment(), FOLLOWUP_PROGRAM: programFile };
const shuffle = seed();
const shuffled = {
  go: shuffle === undefined ? [] : [`-shuffle=${shuffle}`],
  vitest: shuffle === undefined ? [] : ["--sequence.shuffle.tests", `--sequence.seed=${shuffle}`],
};

/** The seed of a random order: the given one, or a new one for "1". */
function seed() {
  if (!values.shuffle) return undefined;
  const number = values.shuffle === "1" ? Math.floor(Math.random() * 2 ** 31) : Number(values.shuffle);
  console.log(`the cases run in a random order; once more: make test SHUFFLE=${number}`);
  return number;
}

/** The failed files or packages, by suite. @type {Record<string, string[]>} */
const failed = {};

/**
 * Runs a suite, or only some of its files or packages.
 * @param {string} suite
 * @param {string[]} [files]
 */
async function run(suite, files = []) {
  const packages = files.length > 0 ? files.map((folder) => `./${folder}`) : undefined;
  failed[suite] =
    suite === "go"
      ? await go(report, { packages, flags: ["-count=1", ...shuffled.go], race: true, env })
      : await vitest(suite, report, { files, flags: shuffled.vitest, env });
}

const steps = new Steps(report, availableParallelism() + 1);
/** A step that begins when the first suite needs it. @param {() => import("./suite/steps.mjs").Step} start */
const once = (start) => {
  /** @type {import("./suite/steps.mjs").Step | undefined} */
  let step;
  return () => (step ??= start());
};
const installer = "extension/scripts/install-editor.mjs";
const system = once(() =>
  steps.command("system", [], node(installer, "--only", "chromium", "--only", "postgresql"), { shown: true }),
);
const install = once(() => steps.command("install", [system()], node(installer), { shown: true }));
const types = once(() =>
  steps.command("types", [], node("node_modules/typescript/bin/tsc", "--noEmit", "-p", ".")),
);
// Go embeds the page.
const page = once(() => steps.command("page", [], node("extension/build.mjs", "--only", "browser")));
// The first build may take long, so it must not count against a test's time limit.
const program = once(() =>
  steps.command("program", [page()], node("extension/scripts/build-program.mjs"), { shown: true }),
);
const packaged = once(() => steps.command("package", [page()], ["make", "--no-print-directory", "package"]));
// The unit tests ask Go about packages. They are short, so they let the editor's tests start first.
const beforeUnit = () => [types(), program(), ...(wanted.includes("editor") ? [packaged()] : [])];
/** The dependencies of each suite; the longest begins first. */
const needs = {
  go: () => [system(), program()],
  webview: () => [system(), program()],
  editor: () => [install(), packaged()],
  unit: beforeUnit,
};
await Promise.all(
  Object.entries(needs)
    .filter(([suite]) => wanted.includes(suite))
    .map(([suite, before]) => steps.suite(suite, before(), () => run(suite))),
);
// A browser has a dozen processes, an editor as many again, Go's packages start many, and all suites share
// the machine. So failures there are repeated once, when the machine is free, and the report lists them.
for (const [suite, names] of Object.entries(failed)) {
  if (names.length === 0 || names.length > 3) continue;
  report.repeat(suite, names);
  await run(suite, names);
}
for (const what of await traces.left()) report.trouble("traces", what);
report.print();
process.exit(report.passed && report.cases.length > 0 ? 0 : 1);
