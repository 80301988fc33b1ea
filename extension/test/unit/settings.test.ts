// The effects of changed settings.

import { expect, test, vi } from "vitest";
import { asksByMcp, followSettings } from "../../src/settings";
import { configuration, set } from "./fake/vscode";

test("notifies the listeners of a changed setting or its group, and none after disposal", () => {
  const [path, trace, history, chat] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
  const following = followSettings({
    "followup.sidecar.path": path,
    "followup.strict followup.trace": trace,
    "followup.history": history,
    "chat.mcp": chat,
  });
  configuration.change("chat.mcp.apps.enabled");
  configuration.change("followup.history.keep");
  configuration.change("followup.trace");
  configuration.change("editor.fontSize");
  following.dispose();
  configuration.change("followup.trace");
  expect([path, trace, history, chat].map((follow) => follow.mock.calls.length)).toEqual([0, 1, 1, 1]);
});

test.each([
  ["an editor that shows pages in the chat", {}, true],
  ["an editor without the setting", { "chat.mcp.apps.enabled": undefined }, false],
  ["a user who does not want them", { "chat.mcp.apps.enabled": false }, false],
  ["an organization that allows no servers", { "chat.mcp.access": "none" }, false],
  ["a user who starts servers by hand", { "chat.mcp.autostart": "never" }, false],
  ["a user who wants the tools", { "followup.editorAgents": "tools" }, false],
  ["a user who wants the server", { "followup.editorAgents": "mcp", "chat.mcp.apps.enabled": false }, true],
])("the editor's agents ask through the MCP server or the tools: %s", (_, settings, expected) => {
  Object.assign(set, { "chat.mcp.apps.enabled": true, ...settings });
  expect(asksByMcp()).toBe(expected);
  for (const name of Object.keys(set)) {
    delete set[name];
  }
});
