// Problems in words, with buttons for what can be done.

import { beforeEach, expect, test, vi } from "vitest";
import type { Problem } from "../../src/sidecar/errors";
import { showProblem, words } from "../../src/sidecar/problems";
import { dialogs, executed } from "./fake/vscode";

const crashed: Problem = { kind: "crashed", times: 6, detail: "signal SIGSEGV" };

beforeEach(() => {
  dialogs.shown.length = 0;
  executed.length = 0;
});

test.each<[Problem, RegExp]>([
  [{ kind: "version", ours: 1, theirs: 2, path: "/b" }, /version 1, but the sidecar \/b speaks version 2\./],
  [{ kind: "version", ours: 1, theirs: null, path: "/b" }, /speaks version unknown/],
  [{ kind: "start", path: "/b", detail: "exit status 2" }, /\/b could not be started: exit status 2$/],
  [crashed, /unexpectedly 6 times .* \(signal SIGSEGV\).*asked again when you retry/],
])("%o", (problem, expected) => {
  expect(words(problem)).toMatch(expected);
});

test.each([
  ["Retry", { retried: 1, logs: 0, settings: 0 }],
  ["Open Log", { retried: 0, logs: 1, settings: 0 }],
  ["Open Settings", { retried: 0, logs: 0, settings: 1 }],
  [undefined, { retried: 0, logs: 0, settings: 0 }],
])("the button %s does what it says", async (button, expected) => {
  dialogs.press = button;
  const retry = vi.fn();
  const openLog = vi.fn();
  await showProblem(crashed, { retry, openLog });
  expect(dialogs.shown).toEqual([[words(crashed), "Retry", "Open Log", "Open Settings"]]);
  const settings = executed.filter(([command, argument]) => {
    return command === "workbench.action.openSettings" && argument === "followup.sidecar.path";
  }).length;
  expect({ retried: retry.mock.calls.length, logs: openLog.mock.calls.length, settings }).toEqual(expected);
});
