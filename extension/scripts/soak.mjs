// The long runs, one after the other, so that each has the machine: the sidecar is killed thousands of times, six clients send
// random requests while their keeper is killed and stopped, two windows use one store under load, very many sessions and
// streams, long logs, a history of a million questions, answers during its removal, hubs with eight teams whose processes,
// database and links fail, and all fuzz targets.
//
//   node extension/scripts/soak.mjs [--kills 5000] [--minutes 10] [--load 20000] [--rows 1000000] [--fuzz 60 | --each 30s] [RUN…]
//
// --fuzz is in minutes for all targets together, --each the time for each of them; RUN is kills, kept, load, leaks, logs, rows, beside, hubs or fuzz.

import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { root } from "./lib/paths.mjs";
import { run } from "./suite/process.mjs";

const { values, positionals } = parseArgs({
  options: {
    kills: { type: "string", default: "5000" },
    minutes: { type: "string", default: "10" },
    load: { type: "string", default: "20000" },
    rows: { type: "string", default: "1000000" },
    fuzz: { type: "string", default: "60" },
    each: { type: "string" },
  },
  allowPositionals: true,
});

/**
 * Runs the go command without a time limit, and returns whether it passed.
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
const go = async (args, env) => (await run(["go", ...args], { env: { ...process.env, ...env } })) === 0;

/**
 * Runs one test. Tests that only run here have the build tag soak.
 * @param {string} name
 * @param {string} folder
 * @param {Record<string, string>} env
 */
const test = (name, folder, env) =>
  go(["test", "-tags=soak", "-count=1", "-timeout=0", "-v", "-run", `^${name}$`, folder], env);

/** Runs every fuzz target of the Go packages, one by one. */
async function fuzz() {
  const list = (/** @type {string[]} */ ...args) =>
    execFileSync("go", args, { cwd: root, encoding: "utf8" }).trim().split("\n");
  const targets = list("list", "./...").flatMap((name) =>
    list("test", "-list", "^Fuzz", name)
      .filter((line) => line.startsWith("Fuzz"))
      .map((target) => ({ name, target })),
  );
  const time = values.each ?? `${Math.max(1, Math.floor((Number(values.fuzz) * 60) / targets.length))}s`;
  let failed = 0;
  for (const { name, target } of targets) {
    console.log(`\n── ${name} ${target}, ${time}`);
    failed += (await go(["test", "-run", "^$", "-fuzz", `^${target}$`, "-fuzztime", time, name])) ? 0 : 1;
  }
  console.log(`\n${targets.length - failed} fuzz targets found nothing, ${failed} did`);
  return failed === 0 && targets.length > 0;
}

const whole = { FOLLOWUP_SOAK: "1" };
const runs = {
  kills: () => test("TestCrashes", "./cmd/followup", { FOLLOWUP_CRASHES: values.kills }),
  kept: () => test("TestKeptAndTold", "./cmd/followup", { FOLLOWUP_MINUTES: values.minutes }),
  load: () => test("TestLoad", "./internal/server", { FOLLOWUP_LOAD: values.load }),
  leaks: () => test("TestNothingLeaks", "./internal/server", whole),
  logs: () => test("Test.*", "./internal/transcript", whole),
  rows: () => test("TestManyRows", "./internal/store/sqlite", { FOLLOWUP_ROWS: values.rows }),
  beside: () => go(["run", "./internal/bench", "-only", "removal of a history", "-purged", values.rows]),
  hubs: () => test("TestHubsAreKilled", "./cmd/followup", whole),
  fuzz,
};
const unknown = positionals.filter((name) => !Object.hasOwn(runs, name));
if (unknown.length > 0) {
  console.error(`there is no run ${unknown.join(", ")}; there are ${Object.keys(runs).join(", ")}`);
  process.exit(2);
}
const failed = [];
for (const [name, start] of Object.entries(runs)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.log(`\n── ${name}`);
  const began = Date.now();
  const passed = await start();
  console.log(`${name} ${passed ? "passed" : "failed"} after ${Math.round((Date.now() - began) / 1000)} s`);
  if (!passed) failed.push(name);
}
console.log(failed.length === 0 ? "\neverything passed" : `\nfailed: ${failed.join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);
