// The sidecar's program as the tests run it: whole, with the hub and the database that the packages leave out.

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
 * Builds it. A first build downloads modules and compiles for a minute or more. The page must be built. Built as the package is (see the
 * Makefile), it shares what that compiles of the libraries, and what other clones compile.
 */
export function buildProgram() {
  const command = ["build", "-trimpath", "-o", programFile, "./cmd/followup"];
  const env = { ...process.env, CGO_ENABLED: "0" };
  return runStep("Building the sidecar for the tests", "go", command, { cwd: root, env, log: "program" });
}
