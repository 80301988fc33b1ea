// Checks what has changed since the last commit on main: lint, the tests of the Go packages that it reaches, and those of the
// units and of the interface. Not the real editor's, nor with the race detector, nor axe in more than one theme, nor what
// takes long of the interface's where only the page has changed, so that it takes less than a minute; `make test` runs all.
//
//   node extension/scripts/check.mjs [--list]     --list only tells what would be checked

import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { root } from "./lib/paths.mjs";
import { changedFiles, goPackages, testFiles } from "./suite/changes.mjs";
import { go } from "./suite/go.mjs";
import { Report } from "./suite/report.mjs";
import { commandStep, runSteps, suiteStep } from "./suite/steps.mjs";
import { Traces } from "./suite/traces.mjs";
import { vitest } from "./suite/vitest.mjs";

const { values } = parseArgs({
  options: { list: { type: "boolean", default: false }, golangci: { type: "string" } },
});
const { files, since } = changedFiles();
const present = files.filter((file) => existsSync(path.join(root, file)));
const packages = goPackages(files);
const suites = await Promise.all([testFiles("unit", files), testFiles("webview", files)]).then(
  ([unit, webview]) => ({ unit, webview }),
  (/** @type {Error} */ error) => {
    console.error(error.message); // what does not compile
    process.exit(1);
  },
);

/** Test files of the interface that take long; they run where a change reaches them by more than the page they open. */
const long = ["accessibility", "acts", "attachments", "composer", "history", "history-safety", "safety"];
const name = (/** @type {string} */ file) => path.basename(file, ".test.ts");
const { webview } = suites;
const left = webview.opened.filter((file) => long.includes(name(file)));
webview.reached = webview.reached.filter((file) => !left.includes(file));

console.log(`${files.length} files have changed ${since}; this reaches`);
console.log(`  go       ${packages.reached.join(" ") || "no package"}`);
for (const [suite, { reached, of }] of Object.entries(suites)) {
  const names = reached.map(name).join(" ");
  console.log(`  ${suite.padEnd(8)} ${reached.length} of ${of} files${names && `: ${names}`}`);
}
if (left.length > 0) console.log(`left to make test: ${left.map(name).join(" ")}`);
if (values.list) process.exit();

const report = new Report();
const traces = new Traces();
const env = { ...traces.environment(), FOLLOWUP_THEMES: "dark" };
const modules = path.join(root, "node_modules");
const goFiles = present.filter((file) => file.endsWith(".go"));
const others = present.filter((file) => /\.(ts|mts|mjs|json|css)$/.test(file));

/** The steps, but for those that have nothing to do. */
const steps = [
  packages.reached.length > 0 &&
    suiteStep(report, "go", () => go(report, { packages: packages.reached, env })),
  ...Object.entries(suites).map(
    ([suite, { reached }]) =>
      reached.length > 0 && suiteStep(report, suite, () => vitest(suite, report, { files: reached, env })),
  ),
  goFiles.length > 0 &&
    commandStep(report, "gofmt", [
      "sh",
      "-c",
      'test -z "$(gofmt -l "$@" | tee /dev/stderr)"',
      "gofmt",
      ...goFiles,
    ]),
  packages.changed.length > 0 && commandStep(report, "vet", ["go", "vet", ...packages.changed]),
  packages.changed.length > 0 &&
    values.golangci &&
    commandStep(report, "golangci-lint", ["go", "run", values.golangci, "run", ...packages.changed]),
  others.length > 0 &&
    commandStep(report, "biome", [
      process.execPath,
      path.join(modules, "@biomejs", "biome", "bin", "biome"),
      "check",
      "--no-errors-on-unmatched",
      ...others,
    ]),
  others.length > 0 &&
    commandStep(report, "types", [
      process.execPath,
      path.join(modules, "typescript", "bin", "tsc"),
      "--noEmit",
      "-p",
      ".",
    ]),
].filter((step) => step !== false && step !== undefined && step !== "");

await runSteps(steps, availableParallelism() + 1, () => {});
for (const what of await traces.left()) report.trouble("traces", what);
if (report.cases.length > 0) report.print();
process.exit(report.count("failed") + report.count("skipped") === 0 ? 0 : 1);
