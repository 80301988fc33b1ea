#!/usr/bin/env node
// Builds the sidecar for the tests; see lib/program.mjs.

import { buildProgram } from "./lib/program.mjs";
import { runScript } from "./lib/step.mjs";

await runScript(buildProgram);
