#!/usr/bin/env node
// Builds the sidecar for the tests; see lib/program.mjs.

import { buildProgram } from "./lib/program.mjs";
import { StepError } from "./lib/step.mjs";

try {
  await buildProgram();
} catch (error) {
  process.stderr.write(`${error instanceof StepError ? error.message : (error?.stack ?? error)}\n`);
  process.exitCode = 1;
}
