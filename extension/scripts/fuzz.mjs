// Runs every fuzz target of the Go packages, one after the other: node extension/scripts/fuzz.mjs [TIME], 30s by default.

import { execFileSync, spawnSync } from "node:child_process";

const time = process.argv[2] ?? "30s";
const packages = execFileSync("go", ["list", "./..."], { encoding: "utf8" }).trim().split("\n");
let failed = 0;
let count = 0;
for (const name of packages) {
  const listed = execFileSync("go", ["test", "-list", "^Fuzz", name], { encoding: "utf8" });
  for (const target of listed.split("\n").filter((line) => line.startsWith("Fuzz"))) {
    console.log(`\n── ${name} ${target}, ${time}`);
    count++;
    const run = spawnSync("go", ["test", "-run", "^$", "-fuzz", `^${target}$`, "-fuzztime", time, name], {
      stdio: "inherit",
    });
    failed += run.status === 0 ? 0 : 1;
  }
}
console.log(`\n${count - failed} fuzz targets found nothing, ${failed} did`);
process.exit(failed === 0 && count > 0 ? 0 : 1);
