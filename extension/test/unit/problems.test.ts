// Problems in words, with buttons for what can be done.

import { beforeEach, expect, test } from "vitest";
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
  ["Retry", [["followup.restart"]]],
  ["Open Log", [["followup.showLog"]]],
  ["Open Settings", [["workbench.action.openSettings", "followup.sidecar.path"]]],
  [undefined, []],
])("the button %s does what it says", async (button, expected) => {
  dialogs.press = button;
  await showProblem(crashed);
  expect(dialogs.shown).toEqual([[words(crashed), "Retry", "Open Log", "Open Settings"]]);
  expect(executed).toEqual(expected);
});
