#!/usr/bin/env node
// Runs a command in a slot of the run, as `go test -exec` calls it with a package's tests: in-slot.mjs PROGRAM ARGUMENT…

import { spawn } from "node:child_process";
import { constants } from "node:os";
import { takeSlot } from "./slots.mjs";

const [program = "", ...args] = process.argv.slice(2);
await takeSlot();
const child = spawn(program, args, { stdio: "inherit" });
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGQUIT"])) {
  process.on(signal, () => child.kill(signal));
}
child.once("error", ({ message }) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
});
child.once("exit", (status, signal) => process.exit(status ?? 128 + constants.signals[signal ?? "SIGTERM"]));
