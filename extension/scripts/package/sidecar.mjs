// Builds the sidecar for the packages.
//
//   node extension/scripts/package/sidecar.mjs                 for this platform: bin/
//   node extension/scripts/package/sidecar.mjs --dependencies  compiles only the packages of other modules, into Go's cache
//
// GOFLAGS and CGO_ENABLED are set by the Makefile. It needs no npm package, so it can run while npm installs them.

import { execFileSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { root } from "../lib/paths.mjs";
import { StepError } from "../lib/step.mjs";
import { modulePath } from "./module.mjs";
import { binaryKey, binaryName, targets } from "./targets.mjs";

/** @typedef {import("./targets.mjs").Target} Target */

const main = "./cmd/followup";
const bin = path.join(root, "bin");
const here = `${process.platform}-${process.arch === "arm" ? "armhf" : process.arch}`;

/** The target of this platform. Throws a StepError if there is no package for it. */
export function ownTarget() {
  const target = targets.find(({ name }) => name === here);
  if (!target) throw new StepError(`There is no package for ${here}.`);
  return target;
}

/**
 * Flags that keep the sidecar small. The extension does not need the engine for PostgreSQL, a sixth of its size, the hub's server, or
 * HTTP/2, a fortieth. Inlining only pays off in SQLite: disabling it elsewhere saves another fortieth. For Windows, whose programs are
 * the largest, it is also disabled in most of Go's library, a fourteenth.
 * @param {Target} target
 */
const small = ({ goos }) => {
  const library = goos === "windows" ? ["runtime/...=", "internal/...=", "sync/...="] : ["std="];
  const inlined = ["all=-l", ...library, `${modulePath()}/...=`, "modernc.org/...="];
  return ["-tags=nopostgres,nohub,nethttpomithttp2", ...inlined.map((flags) => `-gcflags=${flags}`)];
};

/**
 * Runs go for a target.
 * @param {Target} target
 * @param {string[]} args
 * @param {"inherit" | "pipe"} stdout
 */
function go({ goos: GOOS, goarch: GOARCH, goarm: GOARM = "" }, args, stdout) {
  const env = { ...process.env, GOOS, GOARCH, GOARM };
  return execFileSync("go", args, { cwd: root, env, stdio: ["ignore", stdout, "inherit"], encoding: "utf8" });
}

/**
 * Builds the sidecar and returns its path: this platform's where `make build` leaves it.
 * @param {Target} target
 */
export function buildSidecar(target) {
  const folder = target.name === here ? bin : path.join(bin, "targets", binaryKey(target));
  const file = path.join(folder, binaryName(target));
  process.stdout.write(`building the sidecar for ${target.goos} ${target.goarch} …\n`);
  go(target, ["build", ...small(target), "-o", file, main], "inherit");
  return file;
}

/**
 * Compiles the sidecar's imports from other modules and Go's library: four fifths of a first build, and independent of the page.
 * @param {Target} target
 */
function compileDependencies(target) {
  const list = [
    "list",
    "-deps",
    ...small(target),
    "-f",
    "{{if not (and .Module .Module.Main)}}{{.ImportPath}}{{end}}",
    main,
  ];
  const packages = go(target, list, "pipe").split("\n").filter(Boolean);
  go(target, ["build", ...small(target), ...packages], "inherit");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { dependencies: { type: "boolean", default: false } } });
  if (values.dependencies) compileDependencies(ownTarget());
  else buildSidecar(ownTarget());
}
