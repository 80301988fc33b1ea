// The fuzz targets of the Go packages, one after the other.

import { execFileSync } from "node:child_process";
import { root } from "../lib/paths.mjs";
import { run } from "./process.mjs";

/**
 * Runs every fuzz target and gives whether none found anything.
 * @param {{each?: string, seconds?: number}} time for each target, as Go writes durations; or for all together
 */
export async function fuzz({ each, seconds = 0 }) {
  const list = (/** @type {string[]} */ ...args) =>
    execFileSync("go", args, { cwd: root, encoding: "utf8" }).trim().split("\n");
  const targets = list("list", "./...").flatMap((name) =>
    list("test", "-list", "^Fuzz", name)
      .filter((line) => line.startsWith("Fuzz"))
      .map((target) => ({ name, target })),
  );
  const time = each ?? `${Math.max(1, Math.floor(seconds / targets.length))}s`;
  let failed = 0;
  for (const { name, target } of targets) {
    console.log(`\n── ${name} ${target}, ${time}`);
    const status = await run(["go", "test", "-run", "^$", "-fuzz", `^${target}$`, "-fuzztime", time, name]);
    failed += status === 0 ? 0 : 1;
  }
  console.log(`\n${targets.length - failed} fuzz targets found nothing, ${failed} did`);
  return failed === 0 && targets.length > 0;
}
