// The suites under a configuration of vitest's: units, the interface in Chromium, the whole in the real editor.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../lib/paths.mjs";
import { run } from "./process.mjs";

const reporter = fileURLToPath(new URL("vitest-events.mjs", import.meta.url));
const out = path.join(root, "extension", "test", "out");

/**
 * Runs a suite and reports its files. What it writes is kept in extension/test/out, and shown when a case fails.
 * @param {string} suite the name of its folder
 * @param {import("./report.mjs").Report} report
 * @param {{command?: "run" | "related", files?: string[], flags?: string[], env?: NodeJS.ProcessEnv}} [options]
 *   files: all of the suite where none is named
 * @returns {Promise<string[]>} the files that did not pass, relative to the root as those that are named
 */
export async function vitest(suite, report, { command = "run", files = [], flags = [], env } = {}) {
  const config = `extension/test/${suite}/vitest.config.mts`;
  /** @type {string[]} */
  const lines = [];
  /** @type {string[]} */
  const failed = [];
  /** Those that have not ended. @type {Set<string>} */
  const left = new Set();
  const troubles = report.troubles.length;
  const named = (/** @type {string} */ file) => path.relative(root, file).replaceAll(path.sep, "/");
  /** A file counts as a case of its own where it failed outside of its cases, such as in a hook. */
  const fileFailed = (/** @type {string} */ file, /** @type {string} */ why) => {
    const alone = `npx vitest run --config ${config} ${path.basename(file)}`;
    report.add({ suite, name: "the file as a whole", file, state: "failed", seconds: 0, alone, why });
  };
  const status = await run(
    [
      process.execPath,
      path.join(root, "node_modules", "vitest", "vitest.mjs"),
      command,
      ...files.map((file) => path.resolve(root, file)),
      ...(command === "related" ? ["--run"] : []),
      `--config=${config}`,
      "--reporter=minimal",
      `--reporter=${reporter}`,
      ...flags,
    ],
    {
      env,
      yields: suite !== "editor", // which takes the longest, and mostly waits
      onLine: (line) => lines.push(line),
      onEvent(line) {
        const event = JSON.parse(line);
        for (const file of event.begun ?? []) left.add(named(file));
        for (const what of event.errors ?? []) report.trouble(suite, what);
        if (event.file === undefined) return;
        const file = named(event.file);
        left.delete(file);
        for (const { name, path: names, state, milliseconds, why } of event.cases) {
          report.add({
            suite,
            name,
            file,
            state: state === "passed" || state === "failed" ? state : "skipped",
            seconds: milliseconds / 1000,
            why,
            alone: `npx vitest run --config ${config} ${path.basename(file)} -t ${quoted(`^${escaped(names.join(" "))}$`)}`,
          });
        }
        if (!event.passed) {
          failed.push(file);
          const inCase = event.cases.some((/** @type {{state: string}} */ { state }) => state === "failed");
          if (!inCase) fileFailed(file, event.why ?? "no case of it failed");
        }
        report.ended(suite, file, event.passed, event.milliseconds / 1000, event.cases.length);
      },
    },
  );
  for (const file of left) {
    fileFailed(file, "its worker ended, or nothing of it could be run");
    failed.push(file);
  }
  mkdirSync(out, { recursive: true });
  writeFileSync(path.join(out, `${suite}.log`), `${lines.join("\n")}\n`);
  if (status !== 0 || failed.length > 0) {
    console.log(`\n── what ${suite} says\n${lines.join("\n")}`);
    if (failed.length === 0 && troubles === report.troubles.length) {
      report.trouble(suite, `vitest ended with status ${status}`);
    }
  }
  return failed;
}

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
