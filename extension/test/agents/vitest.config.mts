// Tests with the agents' own binaries, one after the other: make test-agents.

import { defineConfig } from "vitest/config";
import { LongestFirst } from "../order.mts";

export default defineConfig({
  cacheDir: "../../../node_modules/.vite/agents",
  test: {
    root: import.meta.dirname,
    globalSetup: ["../editor/harness/install.ts"],
    maxWorkers: 1,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    cache: false,
    expect: { poll: { timeout: 300_000 } }, // only ends a test that hangs
    testTimeout: 600_000,
    hookTimeout: 1_200_000, // a hook builds the program
  },
});
