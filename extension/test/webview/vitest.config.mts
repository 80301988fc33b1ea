// The tests of the interface: pure logic, and the built bundle in Chromium.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "../order.mts";

export default defineConfig(({ mode }) => ({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    // `--mode screenshots` writes pictures instead of testing.
    include: [mode === "screenshots" ? "*.shots.ts" : "*.test.ts"],
    globalSetup: ["bundle.ts"],
    setupFiles: ["../slot.ts"],
    // Each worker has one browser for all its files. Two keep a small machine busy; more would wait for each other.
    maxWorkers: 2,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    cache: false,
    // The page's sources, besides those that harness.ts names: a change of them runs all tests.
    forceRerunTriggers: [
      ...[
        "**/{package,package-lock,tsconfig}.json",
        "**/{vitest.config,order}.mts",
        "**/extension/build.mjs",
      ],
      ...["**/webview/{main,views,entry}.ts", "**/webview/**/*.css", "**/l10n/*.json"],
    ],
    expect: { poll: { timeout: 60_000 } }, // only ends a test that hangs
    testTimeout: 240_000,
    hookTimeout: process.env.FOLLOWUP_PROGRAM ? 120_000 : 1_200_000, // a hook may have to build the program
    // The extension host's parts run in the tests' process when the page is tested with the real sidecar.
    alias: { vscode: fileURLToPath(new URL("../unit/fake/vscode.ts", import.meta.url)) },
  },
}));
