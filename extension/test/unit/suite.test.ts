// What runs the tests: steps that need one another, and what a change reaches.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { goPackages, testFiles } from "../../scripts/suite/changes.mjs";
import { go } from "../../scripts/suite/go.mjs";
import { Report } from "../../scripts/suite/report.mjs";
import { runSteps, type Step } from "../../scripts/suite/steps.mjs";

describe("steps", () => {
  /** Steps that tell when they begin and end; each ends when it is let. */
  function play(steps: Record<string, { needs?: string[]; succeeds?: boolean }>, atOnce: number) {
    const told: string[] = [];
    const all = Object.entries(steps).map(([name, { needs, succeeds = true }]): Step => {
      const run = async () => {
        told.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        told.push(`${name} ends`);
        return succeeds;
      };
      return { name, needs, run };
    });
    const end = runSteps(all, atOnce, ({ name }, failed) => told.push(`${name} not run for ${failed}`));
    return end.then(() => told);
  }

  it("begin when what they need is there, and side by side", async () => {
    expect(await play({ a: {}, b: { needs: ["a"] }, c: {} }, 2)).toEqual([
      "a begins",
      "c begins",
      "a ends",
      "b begins",
      "c ends",
      "b ends",
    ]);
  });

  it("are no more at once than they may be", async () => {
    const told = await play({ a: {}, b: {}, c: {} }, 1);
    expect(told).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  it("are not run when what they need failed, nor what needs them", async () => {
    const told = await play({ a: { succeeds: false }, b: { needs: ["a"] }, c: { needs: ["b"] } }, 2);
    expect(told).toEqual(["a begins", "a ends", "b not run for a", "c not run for b"]);
  });

  it("that need what nobody brings are an error", async () => {
    await expect(play({ a: { needs: ["x"] } }, 1)).rejects.toThrow("nobody brings what a needs");
  });
});

describe("the report", () => {
  beforeEach(() => void vi.spyOn(console, "log").mockImplementation(() => {}));
  afterEach(() => vi.restoreAllMocks());

  const ended = (name: string, state: "passed" | "failed", file = "a.test.ts") => ({
    suite: "editor",
    name,
    file,
    state,
    seconds: 1,
    alone: "",
  });

  it("counts the cases of a repeated file as they ended last, and keeps what failed before", () => {
    const report = new Report();
    report.add(ended("holds", "passed"));
    report.add(ended("sways", "passed", "b.test.ts"));
    report.add(ended("sways", "failed"));
    report.repeat("editor", ["a.test.ts"]);
    report.add(ended("holds", "passed"));
    report.add(ended("sways", "passed"));
    expect([report.passed, report.count("passed"), report.count("failed")]).toEqual([true, 3, 0]);
    expect(report.unstable).toEqual([ended("sways", "failed")]);
  });

  it("fails where the repetition fails", () => {
    const report = new Report();
    report.add(ended("breaks", "failed"));
    report.repeat("editor", ["a.test.ts"]);
    report.add(ended("breaks", "failed"));
    expect([report.passed, report.count("failed")]).toEqual([false, 1]);
  });

  it("repeats a package of Go's by its folder", () => {
    const report = new Report();
    for (const file of ["internal/a/a_test.go", "internal/a/b/b_test.go"])
      report.add(ended("x", "failed", file));
    report.repeat("editor", ["internal/a"]);
    expect(report.cases.map(({ file }) => file)).toEqual(["internal/a/b/b_test.go"]);
  });

  it.skipIf(process.platform === "win32")(
    "names the cases of Go's that had not ended when their package did",
    async () => {
      const events = [
        ["run", "TestFirst"],
        ["pass", "TestFirst"],
        ["run", "TestBeside"],
        ["pause", "TestBeside"],
        ["run", "TestHangs"],
        ["run", "TestHangs/inside"],
        ["run", "TestOfAnother", "server"],
        ["pass", "TestOfAnother", "server"],
        ["pass", undefined, "server"],
        ["fail", undefined],
      ].map(([Action, Test, name = "rpc"]) =>
        JSON.stringify({ Action, Package: `followup/internal/${name}`, Test, Elapsed: 1 }),
      );
      const folder = mkdtempSync(path.join(tmpdir(), "followup-suite-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      writeFileSync(path.join(folder, "go"), `#!/bin/sh\ncat <<'END'\n${events.join("\n")}\nEND\nexit 1\n`, {
        mode: 0o755,
      });
      const report = new Report();
      vi.spyOn(process.stdout, "write").mockReturnValue(true);
      const failed = await go(report, { env: { PATH: `${folder}${path.delimiter}${process.env.PATH}` } });
      expect(failed).toEqual(["internal/rpc"]);
      expect(report.cases.map(({ name, state }) => [name, state])).toEqual([
        ["TestOfAnother", "passed"],
        ["TestFirst", "passed"],
        ["TestHangs/inside", "failed"],
      ]);
      expect(report.troubles).toEqual([]);
    },
  );
});

describe("a change", () => {
  it("of a package reaches those that import it; of a test or its data, the package alone", () => {
    const leaf = goPackages(["internal/toolcall/toolcall.go"]);
    expect(leaf.changed).toEqual(["./internal/toolcall"]);
    expect(leaf.reached).toEqual(expect.arrayContaining(["./internal/dialect", "./cmd/followup"]));
    expect(goPackages(["internal/session/session_test.go"]).reached).toEqual(["./internal/session"]);
    expect(goPackages(["internal/session/testdata/x.json"]).reached).toEqual(["./internal/session"]);
  });

  it("of a file elsewhere reaches the packages whose tests name it", () => {
    expect(goPackages(["extension/test/webview/vectors.json"]).reached).toEqual(["./internal/markdown"]);
    expect(goPackages(["CHANGELOG.md"]).reached).toEqual([]);
  });

  it("of the interface reaches the files that open its page, and those that import it", async () => {
    const reached = async (suite: "unit" | "webview", ...files: string[]) =>
      (await testFiles(suite, files)).reached.map((file) => path.basename(file, ".test.ts"));
    const card = await reached("webview", "extension/webview/components/card.ts");
    expect(card).toEqual(expect.arrayContaining(["cards", "keyboard", "accessibility"]));
    expect(card).not.toContain("history-keyboard");
    expect(await reached("webview", "extension/webview/history/components/toolbar.ts")).toEqual(
      expect.arrayContaining(["history", "history-keyboard"]),
    );
    expect(await reached("webview", "extension/webview/files.ts")).toContain("attachments");
    const { opened } = await testFiles("webview", ["extension/webview/gesture.ts"]);
    const names = opened.map((file) => path.basename(file, ".test.ts"));
    expect(names).toContain("acts");
    expect(names).not.toContain("rules"); // it imports the guard itself
    const named = await reached("unit", "package.nls.fr.json");
    expect(named).toContain("manifest");
    expect(named).not.toContain("inbox");
  });
});
