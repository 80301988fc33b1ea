// The tests in the real editor. Each file starts an editor of its own, in the browser of its worker.
//
// With --mode pictures it is the documentation's pictures that are taken (*.pictures.ts), for when the interface has changed:
//
//   make package && npx vitest run --config extension/test/editor/vitest.config.mts --mode pictures
//
// With --mode figures it is how long a question takes to the user and back (*.figures.ts).

import { defineConfig } from "vitest/config";
import { LongestFirst } from "../order.mts";

export default defineConfig(({ mode }) => ({
  cacheDir: "../../../node_modules/.vite/editor",
  test: {
    root: import.meta.dirname,
    include: [["pictures", "figures"].includes(mode) ? `*.${mode}.ts` : "*.test.ts"],
    globalSetup: ["harness/install.ts"],
    // An editor mostly waits; a second one fills the time.
    maxWorkers: 2,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    cache: false,
    expect: { poll: { timeout: 60_000 } }, // a bound, as for a test that hangs
    testTimeout: 300_000,
    hookTimeout: 600_000, // an editor that was just installed is read from the disk
  },
}));
