// The tests in the real editor. Each file starts its own editor in its worker's browser.
//
// With --mode pictures it takes the documentation's pictures (*.pictures.ts), for when the interface has changed. `make pictures` also
// installs what they need; a single one:
//
//   make package && npx vitest run --config extension/test/editor/vitest.config.mts --mode pictures chat
//
// With --mode figures it measures how long a question takes to the user and back (*.figures.ts).

import { defineConfig } from "vitest/config";
import { LongestFirst } from "../order.mts";

export default defineConfig(({ mode }) => ({
  cacheDir: "../../../node_modules/.vite/editor",
  test: {
    root: import.meta.dirname,
    include: [["pictures", "figures"].includes(mode) ? `*.${mode}.ts` : "*.test.ts"],
    globalSetup: ["harness/install.ts"],
    setupFiles: ["../slot.ts"],
    // An editor mostly waits; a second one uses the time.
    maxWorkers: 2,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    cache: false,
    expect: { poll: { timeout: 60_000 } }, // only ends a test that hangs
    testTimeout: 300_000,
    hookTimeout: 600_000, // a newly installed editor is slow to read from the disk
  },
}));
