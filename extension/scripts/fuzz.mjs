// Runs every fuzz target of the Go packages, one after the other: node extension/scripts/fuzz.mjs [TIME], 30s by default.

import { fuzz } from "./suite/fuzz.mjs";

process.exit((await fuzz({ each: process.argv[2] ?? "30s" })) ? 0 : 1);
