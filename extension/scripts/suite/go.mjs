// The Go suite: the packages' tests with the race detector, from the events of `go test -json`.

import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { root } from "../lib/paths.mjs";
import { run } from "./process.mjs";

/**
 * The race detector watches this project's code and what it is built on, but for SQLite: its C code, translated to Go, has
 * its own locks, and is seven times slower when it is watched.
 */
export const raceFlags = ["-race", "-gcflags=modernc.org/...=-race=false"];

/** Some packages mostly wait: for a database, or for a process that was killed. */
const atOnce = `-p=${availableParallelism() + 1}`;

const states = /** @type {const} */ ({ pass: "passed", fail: "failed", skip: "skipped" });
const modulePath = /^module (\S+)/m.exec(readFileSync(path.join(root, "go.mod"), "utf8"))?.[1] ?? "";

/**
 * Runs the tests of packages and reports them. A case that was still running when its package ended, since that took too long
 * or panicked, has failed.
 * @param {import("./report.mjs").Report} report
 * @param {{packages?: string[], flags?: string[], env?: NodeJS.ProcessEnv}} [options]
 * @returns {Promise<string[]>} the folders of the packages that failed
 */
export async function go(report, { packages = ["./..."], flags = [], env } = {}) {
  /** What was said of a package or a case that has not passed yet. @type {Map<string, string>} */
  const said = new Map();
  /** The cases that have ended, of each package that has not: packages run side by side. @type {Map<string, import("./report.mjs").Case[]>} */
  const ofPackage = new Map();
  /** The cases of each package that have begun and not ended, but for those that wait for others. @type {Map<string, Set<string>>} */
  const running = new Map();
  /** @type {string[]} */
  const failed = [];
  const status = await run(["go", "test", "-json", atOnce, "-timeout=30m", ...flags, ...packages], {
    env,
    yields: true,
    onLine(line) {
      let event;
      try {
        event = JSON.parse(line);
      } catch {
        console.log(line);
        return;
      }
      const name = `${event.Package ?? event.ImportPath} ${event.Test ?? ""}`;
      switch (event.Action) {
        case "run":
        case "cont":
          running.set(event.Package, (running.get(event.Package) ?? new Set()).add(event.Test));
          break;
        case "pause":
          running.get(event.Package)?.delete(event.Test);
          break;
        case "output":
        case "build-output":
          said.set(name, (said.get(name) ?? "") + event.Output);
          break;
        case "pass":
        case "fail":
        case "skip":
          finish(event, name);
      }
    },
  });

  /**
   * @param {{Action: keyof typeof states, Package: string, Test?: string, Elapsed: number}} event
   * @param {string} name
   */
  function finish({ Action, Package, Test, Elapsed }, name) {
    const folder = `./${path.posix.relative(modulePath, Package)}`;
    if (Action !== "pass") process.stdout.write(said.get(name) ?? "");
    said.delete(name);
    if (Test) {
      ended(Package, Test, states[Action], Elapsed);
      return;
    }
    if (Action === "fail") {
      failed.push(path.posix.normalize(folder));
      const left = [...(running.get(Package) ?? [])];
      const inner = left.filter((each) => !left.some((other) => other.startsWith(`${each}/`)));
      for (const each of inner)
        ended(Package, each, "failed", Elapsed, "it had not ended when its package did");
      // It failed outside of its cases: it does not compile, or TestMain failed.
      if (!ofPackage.get(Package)?.some(({ state }) => state === "failed"))
        ended(Package, "the package as a whole", "failed", Elapsed);
    }
    const cases = ofPackage.get(Package) ?? [];
    const parents = new Set(cases.flatMap(({ name }) => prefixes(name)));
    for (const one of cases) report.add({ ...one, parent: parents.has(one.name) });
    if (Action !== "skip") report.ended("go", folder, Action === "pass", Elapsed, cases.length);
  }

  /**
   * @param {string} Package
   * @param {string} name
   * @param {import("./report.mjs").Case["state"]} state
   * @param {number} seconds
   * @param {string} [why]
   */
  function ended(Package, name, state, seconds, why) {
    const folder = `./${path.posix.relative(modulePath, Package)}`;
    running.get(Package)?.delete(name);
    const one = {
      suite: "go",
      name,
      file: fileOf(folder, name),
      state,
      seconds,
      why,
      alone: `go test ${[...flags, folder].join(" ")}${name.includes(" ") ? "" : ` -run '${pattern(name)}'`}`,
    };
    ofPackage.set(Package, [...(ofPackage.get(Package) ?? []), one]);
  }

  for (const text of said.values()) process.stdout.write(text); // of a package that could not be built
  if (status !== 0 && failed.length === 0) {
    report.trouble("go", `go test ended with status ${status}`);
  }
  return failed;
}

/**
 * The names of the cases that a case is a part of.
 * @param {string} name
 */
function prefixes(name) {
  const parts = name.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

/**
 * What `go test -run` finds a case by.
 * @param {string} name
 */
function pattern(name) {
  const quoted = (/** @type {string} */ part) => `^${part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`;
  return name.split("/").map(quoted).join("/").replaceAll("'", "'\\''");
}

/** @type {Map<string, Map<string, string>>} */
const filesOfCases = new Map();

/**
 * The file that declares a case, relative to the root.
 * @param {string} folder of its package
 * @param {string} name
 */
function fileOf(folder, name) {
  let files = filesOfCases.get(folder);
  if (!files) {
    files = new Map();
    for (const file of readdirSync(path.join(root, folder)).filter((each) => each.endsWith("_test.go"))) {
      const text = readFileSync(path.join(root, folder, file), "utf8");
      for (const [, found = ""] of text.matchAll(/^func ((?:Test|Fuzz|Example)\w*)\(/gm)) {
        files.set(found, path.posix.join(folder, file));
      }
    }
    filesOfCases.set(folder, files);
  }
  return files.get(name.split("/")[0] ?? "") ?? path.posix.join(folder, "*_test.go");
}
