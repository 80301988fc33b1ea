// The test runner: steps with dependencies, the slots of a run, the report, and Go's events.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createVitest, type Vitest } from "vitest/node";
import { root } from "../../scripts/lib/paths.mjs";
import { go, split } from "../../scripts/suite/go.mjs";
import { type Case, Report } from "../../scripts/suite/report.mjs";
import { Slots } from "../../scripts/suite/slots.mjs";
import { type Step, Steps } from "../../scripts/suite/steps.mjs";

beforeEach(() => {
  vi.spyOn(console, "log").mockReturnValue();
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => vi.restoreAllMocks());

describe("steps", () => {
  /** Steps that record when they begin and end. */
  function steps() {
    const report = new Report();
    const all = new Steps(report, new Slots(1));
    const noted: string[] = [];
    const add = (name: string, needs: Step[] = [], succeeds = true) =>
      all.step(name, needs, async () => {
        noted.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        noted.push(`${name} ends`);
        return succeeds;
      });
    return { add, noted, report };
  }

  it("start in parallel once their dependencies are done", async () => {
    const { add, noted } = steps();
    const a = add("a");
    await Promise.all([add("b", [a]), add("c")]);
    expect(noted).toEqual(["a begins", "c begins", "a ends", "b begins", "c ends", "b ends"]);
  });

  it("are skipped when a dependency failed, directly or not", async () => {
    const { add, noted, report } = steps();
    const b = add("b", [add("a", [], false)]);
    expect(await add("c", [b])).toBe(false);
    expect(noted).toEqual(["a begins", "a ends"]);
    expect(report.troubles.map(({ suite }) => suite)).toEqual(["b", "c"]);
  });
});

describe("the slots of a run", () => {
  /** Serves a number of slots, and starts processes that hold one each until their input ends. */
  async function served(count: number) {
    const folder = mkdtempSync(path.join(tmpdir(), "fu-"));
    const slots = new Slots(count);
    onTestFinished(() => {
      slots.close();
      rmSync(folder, { recursive: true });
    });
    const env = { ...process.env, ...(await slots.serve(folder)) };
    const holds = ["-e", 'console.log("works"); process.stdin.resume().on("end", () => process.exit(3))'];
    const start = () =>
      spawn(
        process.execPath,
        [path.join(root, "extension/scripts/suite/in-slot.mjs"), process.execPath, ...holds],
        {
          env,
          stdio: ["pipe", "pipe", "inherit"],
        },
      );
    return { slots, start };
  }
  const works = (child: ChildProcess) => once(child.stdout as NodeJS.ReadableStream, "data");

  it("are shared by its commands and by other processes, which wait for one in order", async () => {
    const { slots, start } = await served(1);
    const release = await slots.take();
    const first = start();
    const order: string[] = [];
    const working = works(first).then(() => order.push("the process"));
    await vi.waitUntil(() => slots.waiting === 1, { timeout: 60_000 });
    const second = slots.take().then((release) => {
      order.push("the command");
      return release;
    });
    release();
    await working;
    first.stdin?.end();
    expect(await once(first, "exit")).toEqual([3, null]);
    (await second)();
    expect(order).toEqual(["the process", "the command"]);
  });

  it("are released by a killed process, and not taken by one that was killed while it waited", async () => {
    const { slots, start } = await served(1);
    const holder = start();
    await works(holder);
    const waiter = start();
    await vi.waitUntil(() => slots.waiting === 1, { timeout: 60_000 });
    waiter.kill("SIGKILL");
    await once(waiter, "exit");
    holder.kill("SIGKILL");
    holder.stdin?.end(); // ends the command that it ran
    (await slots.take())();
  });
});

describe("the report", () => {
  const ended = (name: string, state: Case["state"], file = "a.test.ts"): Case => ({
    suite: "editor",
    name,
    file,
    state,
    seconds: 1,
    alone: "",
  });

  it("counts a repeated file's cases by their last result, and keeps the first failure", () => {
    const report = new Report();
    report.ended("editor", "b.test.ts", 1, [ended("sways", "passed", "b.test.ts")]);
    report.ended("editor", "a.test.ts", 1, [ended("holds", "passed"), ended("sways", "failed")]);
    report.repeat("editor", ["a.test.ts"]);
    report.ended("editor", "a.test.ts", 1, [ended("holds", "passed"), ended("sways", "passed")]);
    expect([report.passed, report.count("passed"), report.count("failed")]).toEqual([true, 3, 0]);
    expect(report.unstable).toEqual([ended("sways", "failed")]);
  });

  it("names a file first that failed and then passed", () => {
    const report = new Report();
    report.ended("editor", "a.test.ts", 1, [ended("sways", "failed")]);
    report.repeat("editor", ["a.test.ts"]);
    report.ended("editor", "a.test.ts", 1, [ended("sways", "passed")]);
    vi.mocked(console.log).mockClear();
    report.print();
    const lines = vi.mocked(console.log).mock.calls.map(([line]) => line);
    expect(lines.slice(0, 2)).toEqual([expect.stringContaining("failed at first"), "a.test.ts: passed then"]);
  });

  it("fails if the repetition fails, or in CI if a case is skipped", () => {
    const report = new Report({ strict: false });
    report.ended("editor", "a.test.ts", 1, [ended("breaks", "failed")]);
    report.repeat("editor", ["a.test.ts"]);
    report.ended("editor", "a.test.ts", 1, [ended("breaks", "failed")]);
    expect([report.passed, report.count("failed")]).toEqual([false, 1]);
    for (const strict of [true, false]) {
      const skipping = new Report({ strict });
      skipping.ended("editor", "a.test.ts", 1, [ended("waits", "skipped")]);
      expect(skipping.passed).toBe(!strict);
    }
  });
});

describe.skipIf(process.platform === "win32")("Go's events", () => {
  /** Reports a run of a `go` that prints these events. */
  async function played(...events: [Action: string, Test?: string, Package?: string, Output?: string][]) {
    // As `go test -v` reports that a case begins, waits and continues.
    const said = (action: string, test = "") =>
      ["run", "pause", "cont"].includes(action) ? `=== ${action.toUpperCase()} ${test}\n` : undefined;
    const lines = events.map(([action, Test, name = "rpc", Output = said(action, Test)]) => {
      const Action = Output === undefined ? action : action === "build-output" ? action : "output";
      return JSON.stringify({ Action, Package: `followup/internal/${name}`, Test, Output, Elapsed: 1 });
    });
    const folder = mkdtempSync(path.join(tmpdir(), "followup-suite-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const status = events.some(([Action]) => Action === "fail") ? 1 : 0;
    const script = `#!/bin/sh\ncat <<'END'\n${lines.join("\n")}\nEND\nexit ${status}\n`;
    writeFileSync(path.join(folder, "go"), script, { mode: 0o755 });
    const report = new Report();
    const failed = await go(report, { env: { PATH: `${folder}${path.delimiter}${process.env.PATH}` } });
    expect(report.troubles).toEqual([]);
    return { failed, cases: report.cases.map(({ name, state }) => [name, state]), report };
  }

  it("name the cases that were running when their package ended", async () => {
    const { failed, cases } = await played(
      ["run", "TestFirst"],
      ["pass", "TestFirst"],
      ["run", "TestBeside"],
      ["pause", "TestBeside"],
      ["run", "TestHangs"],
      ["run", "TestHangs/inside"],
      ["run", "TestOfAnother", "server"],
      ["pass", "TestOfAnother", "server"],
      ["pass", undefined, "server"],
      ["fail"],
    );
    expect(failed).toEqual(["internal/rpc"]);
    expect(cases).toEqual([
      ["TestOfAnother", "passed"],
      ["TestFirst", "passed"],
      ["TestHangs/inside", "failed"],
    ]);
  });

  it("count a case with subtests only if no subtest failed", async () => {
    const { cases } = await played(
      ["fail", "TestA/one"],
      ["pass", "TestA/two"],
      ["fail", "TestA"],
      ["pass", "TestB/one"],
      ["fail", "TestB"],
      ["fail"],
    );
    expect(cases).toEqual([
      ["TestA/one", "failed"],
      ["TestA/two", "passed"],
      ["TestB/one", "passed"],
      ["TestB", "failed"],
    ]);
  });

  it("of a package that does not build report the compiler's output as a failure", async () => {
    const { failed, report } = await played(
      ["build-output", undefined, "rpc", "rpc.go:1: undefined: x\n"],
      ["build-fail"],
      ["fail"],
    );
    expect(failed).toEqual(["internal/rpc"]);
    expect(report.cases).toMatchObject([{ state: "failed", why: "rpc.go:1: undefined: x\n" }]);
  });

  it("of cached packages are not counted", async () => {
    const { cases } = await played(
      ["pass", "TestA"],
      ["output", undefined, "rpc", "ok  \tfollowup/internal/rpc\t(cached)\n"],
      ["pass"],
    );
    expect(cases).toEqual([]);
  });
});

it("the race detector runs where goroutines are started, in tests too", () => {
  const packages = ["dialect", "markdown", "rpc", "session"].map((name) => `./internal/${name}`);
  expect(split(packages)).toEqual({
    sequential: ["./internal/dialect", "./internal/session"],
    concurrent: ["./internal/markdown", "./internal/rpc"],
  });
});

describe("a change triggers, as `vitest --changed` finds", () => {
  const open = new Map<string, Promise<Vitest>>();
  afterAll(async () => {
    for (const vitest of open.values()) await (await vitest).close();
  });

  /** The names of a suite's files that a change of one file affects. */
  async function reached(suite: "unit" | "webview", file: string): Promise<string[]> {
    const config = path.join(root, "extension/test", suite, "vitest.config.mts");
    const vitest = open.get(suite) ?? createVitest("test", { config, related: [], watch: false });
    open.set(suite, vitest);
    (await vitest).config.related = [path.join(root, file).replaceAll("\\", "/")];
    const files = await (await vitest).getRelevantTestSpecifications();
    return files.map(({ moduleId }) => path.basename(moduleId, ".test.ts"));
  }

  it("the tests that open the page with it", async () => {
    const card = await reached("webview", "extension/webview/components/card.ts");
    expect(card).toEqual(expect.arrayContaining(["cards", "keyboard", "accessibility", "history"]));
    const toolbar = await reached("webview", "extension/webview/history/components/toolbar.ts");
    expect(toolbar).toEqual(expect.arrayContaining(["history", "history-keyboard"]));
    expect(toolbar).not.toContain("cards");
    expect(await reached("webview", "extension/webview/browser/socket.ts")).toContain("web");
  });

  it("the tests that read it", async () => {
    expect(await reached("webview", "extension/test/webview/vectors.json")).toContain("safety");
    expect(await reached("webview", "extension/webview/styles/card.css")).toContain("cards");
    expect(await reached("unit", "package.nls.fr.json")).toContain("manifest");
    expect(await reached("webview", "SECURITY.md")).toEqual([]);
  });
});
