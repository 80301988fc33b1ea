// The sidecar's program for the tests: complete, with the hub and the database, which the packages omit.

import path from "node:path";
import { root } from "./paths.mjs";
import { runStep } from "./step.mjs";

/** The path of the built program. */
export const programFile = path.join(
  root,
  "extension/test/out",
  process.platform === "win32" ? "followup.exe" : "followup",
);

/**
 * Builds the program; the page must be built. A first build downloads modules and compiles for a minute or more. With the package's
 * flags (see the Makefile), it shares compiled libraries with the package and with other clones.
 */
export function buildProgram() {
  const command = ["build", "-trimpath", "-o", programFile, "./cmd/followup"];
  const env = { ...process.env, CGO_ENABLED: "0" };
  return runStep("Building the sidecar for the tests", "go", command, { cwd: root, env, log: "program" });
}
