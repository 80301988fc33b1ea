// The Go suite: the packages' tests, from the events of `go test -json`.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { root } from "../lib/paths.mjs";
import { exactly, quoted, run } from "./process.mjs";
import { hasSlots } from "./slots.mjs";

/** Compiles on as many cores while tests run in their slots. */
const atOnce = `-p=${availableParallelism()}`;

/** The program that runs a package's tests in a slot of the run. */
const inSlot = path.join(root, "extension/scripts/suite/in-slot.mjs");

/** Most tests of the command, the hub and the server wait for a process, a timer or a disk, so four of a package share its slot. */
const together = "-parallel=4";

/** Without the folder's path in the binaries, all clones share Go's cache. `make lint` vets them. */
const buildFlags = ["-trimpath", "-vet=off"];

/**
 * The race detector checks this project's code and its libraries, but not SQLite: its C code, translated to Go, has its own locks, and
 * would be seven times slower.
 */
const raceFlags = ["-race", "-gcflags=modernc.org/...=-race=false"];

const states = /** @type {const} */ ({ pass: "passed", fail: "failed", skip: "skipped" });

/**
 * Runs the tests of packages and reports them. A case that has not ended when its package ends has failed.
 * @param {import("./report.mjs").Report} report
 * @param {{packages?: string[], flags?: string[], race?: boolean, env?: NodeJS.ProcessEnv}} [options] race: with the race detector,
 *   which needs a C compiler, in the packages with goroutines
 * @returns {Promise<string[]>} the folders of the packages that failed
 */
export async function go(report, { packages = ["./..."], flags = [], race = false, env = process.env } = {}) {
  // Without cgo, the tests share the libraries of their program.
  const plain = { ...env, CGO_ENABLED: "0" };
  if (!race) return await test(report, packages, flags, plain);
  // By default, a process with the detector sleeps for a second before it exits.
  const watched = { ...env, CGO_ENABLED: "1", GORACE: "atexit_sleep_ms=0" };
  const { sequential, concurrent } = split(packages);
  const failed = await Promise.all([
    sequential.length > 0 ? test(report, sequential, flags, plain) : [],
    concurrent.length > 0 ? test(report, concurrent, [...raceFlags, ...flags], watched) : [],
  ]);
  return failed.flat();
}

/** A statement or a call that starts a goroutine. */
const starts = /^\s*go (func\b|\w+[.(])|\.Go\(/m;

/** A benchmark that plays a whole process: its goroutines only copy. */
const copying = "wire_unix_test.go";

/**
 * Packages that start no goroutine, in their tests neither, and the others. In the former the race detector would find nothing, and make
 * them several times slower.
 * @param {string[]} packages patterns of `go list`
 */
export function split(packages) {
  const format =
    "{{.Dir}}{{range .GoFiles}}\t{{.}}{{end}}{{range .TestGoFiles}}\t{{.}}{{end}}{{range .XTestGoFiles}}\t{{.}}{{end}}";
  const list = execFileSync("go", ["list", "-f", format, ...packages], { cwd: root, encoding: "utf8" });
  /** @type {{sequential: string[], concurrent: string[]}} */
  const found = { sequential: [], concurrent: [] };
  for (const [folder = "", ...files] of list
    .trim()
    .split("\n")
    .map((line) => line.split("\t"))) {
    const read = (/** @type {string} */ file) => readFileSync(path.join(folder, file), "utf8");
    const concurrent = files.some((file) => file !== copying && starts.test(read(file)));
    found[concurrent ? "concurrent" : "sequential"].push(`./${path.relative(root, folder)}`);
  }
  return found;
}

/**
 * Runs `go test` once.
 * @param {import("./report.mjs").Report} report
 * @param {string[]} packages
 * @param {string[]} flags
 * @param {NodeJS.ProcessEnv} [env]
 */
async function test(report, packages, flags, env) {
  /** @type {Map<string, Package>} */
  const open = new Map();
  /** @type {string[]} */
  const failed = [];
  const command = ["go", "test", "-json", ...buildFlags, atOnce, together, "-timeout=30m"];
  if (hasSlots(env)) command.push(`-exec="${process.execPath}" "${inSlot}"`);
  const status = await run([...command, ...flags, ...packages], {
    env,
    onLine(line) {
      if (!line.startsWith("{")) return console.log(line);
      const event = JSON.parse(line);
      // A package's test is built as "followup/internal/rpc [followup/internal/rpc.test]".
      const name = (event.Package ?? event.ImportPath).split(" ")[0];
      const one = open.get(name) ?? new Package(name, flags);
      open.set(name, one);
      one.add(event);
      if (event.Test !== undefined || !isEnd(event.Action)) return;
      open.delete(name);
      const cases = one.end(event.Action, event.Elapsed);
      if (event.Action === "fail") failed.push(one.folder);
      if (event.Action !== "skip" && !one.cached) report.ended("go", one.folder, one.seconds(event), cases);
    },
  });
  for (const { said } of open.values()) process.stdout.write([...said.values()].join(""));
  if (status !== 0 && report.count("failed", "go") === 0)
    report.trouble("go", `go test ended with status ${status}`);
  return failed;
}

/** A package whose tests are running. */
class Package {
  /** The output of each case that has begun and not passed; the package's own is under "". @type {Map<string, string>} */
  said = new Map();
  /** @type {import("./report.mjs").Case[]} */
  cases = [];
  /** Whether Go used the result of an earlier run. */
  cached = false;
  /** When its first case began. @type {string | undefined} */
  begun;

  /**
   * @param {string} name
   * @param {string[]} flags of go test
   */
  constructor(name, flags) {
    this.folder = name.split("/").slice(1).join("/");
    this.flags = flags;
  }

  /** @param {{Action: string, Time?: string, Test?: string, Output?: string, Elapsed?: number}} event */
  add({ Action, Time, Test = "", Output = "", Elapsed = 0 }) {
    if (Test !== "") this.begun ??= Time;
    if (Action.endsWith("output")) this.said.set(Test, (this.said.get(Test) ?? "") + Output);
    else if (Test !== "" && isEnd(Action)) this.#ended(Test, Action, Elapsed);
    if (Test === "") this.cached ||= Output.endsWith("(cached)\n");
  }

  /** How long its cases ran, without the time until it had a slot. @param {{Time?: string, Elapsed: number}} end its last event */
  seconds({ Time, Elapsed }) {
    return this.begun && Time ? (Date.parse(Time) - Date.parse(this.begun)) / 1000 : Elapsed;
  }

  /**
   * @param {string} name
   * @param {keyof typeof states} action
   * @param {number} seconds
   */
  #ended(name, action, seconds) {
    const run = name ? ["-run", quoted(name.split("/").map(exactly).join("/"))] : [];
    this.cases.push({
      suite: "go",
      name: name || "the package as a whole",
      file: this.folder,
      state: states[action],
      seconds,
      alone: ["go", "test", ...this.flags, `./${this.folder}`, ...run].join(" "),
      why: action === "pass" ? "" : this.said.get(name),
    });
    this.said.delete(name);
  }

  /**
   * Ends the package and returns its cases, without those that only contain others.
   * @param {keyof typeof states} action
   * @param {number} seconds
   */
  end(action, seconds) {
    // A case that has begun and not ended has failed, unless it waits for others.
    const left = [...this.said.keys()].filter(
      (name) => name && !/=== PAUSE .*\n$/.test(this.said.get(name) ?? ""),
    );
    const around = parents(left);
    for (const name of left) if (!around.has(name)) this.#ended(name, "fail", seconds);
    const failed = this.cases.filter(({ state }) => state === "failed").map(({ name }) => name);
    // The failure is outside the cases: the package does not compile, or TestMain failed.
    if (action === "fail" && failed.length === 0) this.#ended("", "fail", seconds);
    const containing = { passed: parents(this.cases.map(({ name }) => name)), failed: parents(failed) };
    return this.cases.filter(
      ({ name, state }) => !containing[state === "failed" ? state : "passed"].has(name),
    );
  }
}

/** The names of the cases that contain others. @param {string[]} names */
function parents(names) {
  return new Set(names.flatMap((name) => [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index))));
}

/** Whether an action ends a case or a package. @param {string} action @returns {action is keyof typeof states} */
const isEnd = (action) => Object.hasOwn(states, action);
