// What follows a change of the settings.

import { expect, test, vi } from "vitest";
import { followSettings } from "../../src/settings";
import { configuration } from "./fake/vscode";

test("each change reaches those whose setting it is, or is one of theirs, and nobody after the end", () => {
  const [path, trace, history] = [vi.fn(), vi.fn(), vi.fn()];
  const following = followSettings({ "sidecar.path": path, trace, history });
  configuration.change("followup.history.keep");
  configuration.change("followup.trace");
  configuration.change("editor.fontSize");
  following.dispose();
  configuration.change("followup.trace");
  expect([path, trace, history].map((follow) => follow.mock.calls.length)).toEqual([0, 1, 1]);
});
