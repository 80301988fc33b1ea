// The extension's unit tests: Node, without an editor.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "../order.mts";

export default defineConfig({
  cacheDir: fileURLToPath(new URL("../../../node_modules/.vite/unit", import.meta.url)),
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    include: ["*.test.ts"],
    exclude: process.platform === "win32" ? ["plugin.test.ts"] : [], // Windows cannot run a script as the program
    environment: "node",
    setupFiles: ["../slot.ts"],
    isolate: false, // otherwise each file loads its imports again; random orders show that files are independent
    sequence: { sequencer: LongestFirst },
    cache: false,
    // Files that tests read besides their imports: a change of them runs all tests.
    forceRerunTriggers: [
      ...["**/{package*,tsconfig}.json", "**/{vitest.config,order}.mts", "**/*.md", "**/l10n/*.json"],
      ...["**/extension/{build.mjs,api/*}", "**/internal/program/plugin.mjs"],
    ],
    expect: { poll: { timeout: 60_000 } }, // only ends a test that hangs
    testTimeout: 60_000, // ends a test that hangs; a busy machine is not a failure
    alias: { vscode: fileURLToPath(new URL("./fake/vscode.ts", import.meta.url)) },
  },
});
