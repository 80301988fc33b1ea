// The extension's unit tests: Node, without an editor.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "../order.mts";

export default defineConfig({
  cacheDir: fileURLToPath(new URL("../../../node_modules/.vite/unit", import.meta.url)),
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    include: ["*.test.ts"],
    exclude: process.platform === "win32" ? ["plugin.test.ts"] : [], // Windows runs no script in a program's place
    environment: "node",
    isolate: false, // otherwise each file loads its imports again; random orders show that no file depends on another
    sequence: { sequencer: LongestFirst },
    cache: false,
    // What tests read, beside what they import: a change of it runs all of them.
    forceRerunTriggers: [
      ...["**/{package*,tsconfig}.json", "**/{vitest.config,order}.mts", "**/*.md", "**/l10n/*.json"],
      ...["**/extension/{build.mjs,api/*}", "**/internal/program/plugin.mjs"],
    ],
    expect: { poll: { timeout: 60_000 } }, // a bound, as for a test that hangs
    testTimeout: 60_000, // bounds a test that hangs; a busy machine is no failure
    alias: { vscode: fileURLToPath(new URL("./fake/vscode.ts", import.meta.url)) },
  },
});
