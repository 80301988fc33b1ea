#!/usr/bin/env node
// Writes the licences of everything in the programs without an editor, for their archives and packages. .goreleaser.yaml runs it.
//
//   node extension/scripts/package/notices.mjs FILE

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runScript } from "../lib/step.mjs";
import { noticesText, npmPackages, programModules } from "./bundled.mjs";

const file = process.argv[2] ?? "";

await runScript(async () => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, noticesText([...(await npmPackages()), ...programModules()]));
});
