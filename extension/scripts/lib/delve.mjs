// Delve, the Go debugger: installed into the cache with the Go toolchain that builds the sidecar.

import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { cache, findCommand, root } from "./paths.mjs";
import { runStep, StepError } from "./step.mjs";

const version = "v1.27.2";
const folder = path.join(cache, `delve-${version}`);

/** The debugger's binary, once installed. */
export const delveBinary = path.join(folder, "dlv");

/** Installs Delve if it is missing. */
export async function installDelve() {
  if (existsSync(delveBinary)) return;
  if (!findCommand("go"))
    throw new StepError("Go is not on the PATH; see go.mod for the version that is needed.");
  mkdirSync(folder, { recursive: true });
  await runStep(
    `Installing Delve ${version}`,
    "go",
    ["install", "-trimpath", `github.com/go-delve/delve/cmd/dlv@${version}`],
    {
      cwd: root,
      // The same flags as for the tests' program, so that they share Go's compiled library.
      env: { ...process.env, GOBIN: folder, GOFLAGS: "", CGO_ENABLED: "0" },
      log: "delve",
    },
  );
}
