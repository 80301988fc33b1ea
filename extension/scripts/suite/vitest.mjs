// The suites with a vitest configuration: units, the interface in Chromium, and everything in the real editor.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../lib/paths.mjs";
import { exactly, quoted, run } from "./process.mjs";
import { mark } from "./vitest-events.mjs";

const reporter = fileURLToPath(new URL("vitest-events.mjs", import.meta.url));
const out = path.join(root, "extension", "test", "out");

/** @typedef {Pick<import("./report.mjs").Case, "name" | "seconds" | "why"> & {state: string}} Ended a case as vitest has it */

/**
 * Runs a suite and reports its files. Its output is kept in extension/test/out, and shown if a case fails.
 * @param {string} suite the name of its folder
 * @param {import("./report.mjs").Report} report
 * @param {{files?: string[], flags?: string[], env?: NodeJS.ProcessEnv}} [options] files: all of the suite if none is named
 * @returns {Promise<string[]>} the files that failed, relative to the root like the given ones
 */
export async function vitest(suite, report, { files = [], flags = [], env } = {}) {
  const config = `extension/test/${suite}/vitest.config.mts`;
  const program = path.join(root, "node_modules", "vitest", "vitest.mjs");
  const chosen = files.map((file) => path.resolve(root, file));
  /** @type {string[]} */
  const lines = [];
  /** @type {string[]} */
  const failed = [];
  /** The files that have not ended yet. @type {Set<string>} */
  const left = new Set();
  /** @param {string} module @param {number} seconds @param {Ended[]} cases */
  const ended = (module, seconds, cases) => {
    left.delete(module);
    const file = path.relative(root, module).replaceAll(path.sep, "/");
    if (cases.some(({ state }) => state === "failed")) failed.push(file);
    const alone = `npx vitest run --config ${config} ${path.basename(file)}`;
    const listed = cases.map(({ name, state, ...rest }) => ({
      ...{ suite, file, name: name || "the file as a whole", ...rest },
      state: state === "passed" || state === "failed" ? state : /** @type {const} */ ("skipped"),
      // -t matches the names of the suites and the case, joined by spaces.
      alone: name ? `${alone} -t ${quoted(exactly(name).replaceAll(" > ", " (> )?"))}` : alone,
    }));
    report.ended(suite, file, seconds, listed);
  };
  const status = await run(
    [
      ...[process.execPath, program, "run", ...chosen, `--config=${config}`],
      ...["--reporter=minimal", `--reporter=${reporter}`, ...flags],
    ],
    {
      env,
      onLine(line) {
        if (!line.startsWith(mark)) return void lines.push(line);
        const { begun = [], file, seconds, cases, errors = [] } = JSON.parse(line.slice(mark.length));
        for (const each of begun) left.add(each);
        for (const what of errors) report.trouble(suite, what);
        if (file) ended(file, seconds, cases);
      },
    },
  );
  for (const file of left) {
    ended(file, 0, [
      { name: "", state: "failed", seconds: 0, why: "its worker ended, or nothing of it ran" },
    ]);
  }
  mkdirSync(out, { recursive: true });
  writeFileSync(path.join(out, `${suite}.log`), `${lines.join("\n")}\n`);
  if (status !== 0) console.log(`\n── what ${suite} says\n${lines.join("\n")}`);
  if (status !== 0 && report.count("failed", suite) === 0) {
    report.trouble(suite, `vitest ended with status ${status}`);
  }
  return failed;
}
