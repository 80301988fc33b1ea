// Runs every test of the project: Go with the race detector, the extension's units, the interface in Chromium, and the whole
// in a real editor; as many side by side as the machine carries. The last line counts them; anything but all passed is a
// failure, a skipped test too, and so is what they leave behind: a process, or a file outside of their folders.
//
//   node extension/scripts/test.mjs [--shuffle [SEED]] [SUITE…]
//
// runs all suites, or those named: go, unit, webview, editor. --shuffle runs the cases in a random order, whose seed is printed.

import { availableParallelism } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { root } from "./lib/paths.mjs";
import { programFile } from "./lib/program.mjs";
import { go, raceFlags } from "./suite/go.mjs";
import { Report } from "./suite/report.mjs";
import { commandStep, runSteps, suiteStep } from "./suite/steps.mjs";
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

/** The seed of a random order: the one that was asked for, or a new one for "1". */
function seed() {
  if (!values.shuffle) return undefined;
  const number = values.shuffle === "1" ? Math.floor(Math.random() * 2 ** 31) : Number(values.shuffle);
  console.log(`the cases run in a random order; once more: make test SHUFFLE=${number}`);
  return number;
}

const node = (/** @type {string[]} */ ...args) => [process.execPath, ...args];
const script = (/** @type {string} */ name) => path.join(root, "extension", "scripts", name);
const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");

// What others need and what takes longest begins first.
const only = (/** @type {string[]} */ ...names) => names.flatMap((name) => ["--only", name]);
const system = commandStep(
  report,
  "system",
  node(script("install-editor.mjs"), ...only("chromium", "postgresql")),
  { shown: true },
);
const install = commandStep(report, "install", node(script("install-editor.mjs")), {
  needs: ["system"],
  shown: true,
});
/** What did not pass: files, or packages, by suite. @type {Record<string, string[]>} */
const failed = {};
const tests = (/** @type {string} */ suite, /** @type {string[] | undefined} */ files) => async () => {
  failed[suite] = await vitest(suite, report, { files, flags: shuffled.vitest, env });
};
const goTests = (/** @type {string[] | undefined} */ folders) => async () => {
  const packages = folders?.map((folder) => `./${folder}`);
  failed.go = await go(report, { packages, flags: [...raceFlags, "-count=1", ...shuffled.go], env });
};
// What Go embeds stands before anything of Go's is built.
const page = commandStep(
  report,
  "page",
  node(path.join(root, "extension", "build.mjs"), "--only", "browser"),
);
// The first build takes as long as the machine and the network do: no test's bound is for it.
const program = commandStep(report, "program", node(script("build-program.mjs")), {
  needs: ["page"],
  shown: true,
});
const all = {
  go: [system, page, program, suiteStep(report, "go", goTests(), ["system", "program"])],
  webview: [system, page, program, suiteStep(report, "webview", tests("webview"), ["system", "program"])],
  editor: [
    system,
    install,
    page,
    commandStep(report, "package", ["make", "--no-print-directory", "package"], { needs: ["page"] }),
    suiteStep(report, "editor", tests("editor"), ["install", "package"]),
  ],
  unit: [
    commandStep(report, "types", node(tsc, "--noEmit", "-p", ".")),
    page,
    program, // some units ask Go about packages, which downloads its modules
    suiteStep(report, "unit", tests("unit"), ["types", "program"]),
  ],
};
const chosen = Object.entries(all).filter(([name]) => wanted.includes(name));
const steps = [...new Set(chosen.flatMap(([, each]) => each))];

await runSteps(steps, availableParallelism() + 1, (step, failed) => {
  report.trouble(step.name, `not run, since ${failed} failed`);
});
// A browser is a dozen programs, an editor as many again, Go runs packages of many processes, and all suites share the machine.
// What fails in them is repeated once, when it is free, and the report names it.
for (const [suite, names] of Object.entries(failed)) {
  if (names.length > 0 && names.length < 4) {
    report.repeat(suite, names);
    await (suite === "go" ? goTests(names) : tests(suite, names))();
  }
}
for (const what of await traces.left()) report.trouble("traces", what);
report.print();
process.exit(report.passed ? 0 : 1);
