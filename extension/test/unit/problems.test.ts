// Problems with the sidecar, and their buttons.

import { beforeEach, expect, test } from "vitest";
import { showProblem } from "../../src/commands/messages";
import { dialogs, executed } from "./fake/vscode";

beforeEach(() => {
  dialogs.shown.length = 0;
  executed.length = 0;
});

test.each([
  ["Retry", [["followup.restart"]]],
  ["Open Log", [["followup.showLog"]]],
  ["Open Settings", [["workbench.action.openSettings", "followup.sidecar.path"]]],
  [undefined, []],
])("the button %s does what it says", async (button, expected) => {
  dialogs.press = button;
  await showProblem("It crashed.");
  expect(dialogs.shown).toEqual([["It crashed.", "Retry", "Open Log", "Open Settings"]]);
  expect(executed).toEqual(expected);
});
