// Runs tests of the project and reports them. The last line counts the cases. Anything that the tests leave behind is a failure: a
// process, or a file outside their folders. In CI, a skipped test is one for root, too.
//
//   node extension/scripts/test.mjs [--race] [--shuffle [SEED]] SUITE…
//
// runs the named suites: go, unit (the extension's units), webview (the interface in Chromium) and editor (the main paths in a real
// editor). --race runs Go's with the race detector; --shuffle runs the cases in a random order, whose seed is printed.

import { parseArgs } from "node:util";
import { programFile } from "./lib/program.mjs";
import { go } from "./suite/go.mjs";
import { node } from "./suite/process.mjs";
import { Report } from "./suite/report.mjs";
import { Slots } from "./suite/slots.mjs";
import { Steps } from "./suite/steps.mjs";
import { Traces } from "./suite/traces.mjs";
import { vitest } from "./suite/vitest.mjs";

const { values, positionals: wanted } = parseArgs({
  options: { race: { type: "boolean", default: false }, shuffle: { type: "string" } },
  allowPositionals: true,
});
const names = ["go", "unit", "webview", "editor"];
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0 || wanted.length === 0) {
  console.error(`name suites of ${names.join(", ")}, not "${unknown.join(" ")}"`);
  process.exit(2);
}

const report = new Report();
const traces = new Traces();
const slots = new Slots();
const env = {
  ...traces.environment(),
  ...(await slots.serve(traces.folder)),
  FOLLOWUP_PROGRAM: programFile,
};
const shuffle = seed();
const shuffled = {
  go: shuffle === undefined ? [] : [`-shuffle=${shuffle}`],
  vitest: shuffle === undefined ? [] : ["--sequence.shuffle.tests", `--sequence.seed=${shuffle}`],
};

/** The seed of a random order: the given one, or a new one for "1". */
function seed() {
  if (!values.shuffle) return undefined;
  const number = values.shuffle === "1" ? Math.floor(Math.random() * 2 ** 31) : Number(values.shuffle);
  console.log(`the cases run in a random order; to repeat it, add SHUFFLE=${number}`);
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
      ? await go(report, { packages, flags: ["-count=1", ...shuffled.go], race: values.race, env })
      : await vitest(suite, report, { files, flags: shuffled.vitest, env });
}

const steps = new Steps(report, slots);
/** A step that begins when the first suite needs it. @param {() => import("./suite/steps.mjs").Step} start */
const once = (start) => {
  /** @type {import("./suite/steps.mjs").Step | undefined} */
  let step;
  return () => (step ??= start());
};
/** The system packages that the tests need; the race detector compiles C. */
const packages = ["chromium", "postgresql", ...(values.race ? ["compiler"] : [])];
const installer = "extension/scripts/install-editor.mjs";
const system = once(() =>
  steps.command("system", [], node(installer, ...packages.flatMap((name) => ["--only", name])), {
    shown: true,
  }),
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
slots.close();
for (const what of await traces.left()) report.trouble("traces", what);
report.print();
process.exit(report.passed && report.cases.length > 0 ? 0 : 1);
