// The MCP server that the extension offers to the editor's own agents.

import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { McpServer, mcpProviderId } from "../../src/agents/mcp";
import { FakeLog } from "./fake/log";
import { executed, lm, set, Uri, workspace } from "./fake/vscode";

const log = new FakeLog();
let launch: () => { command: string; args: string[] };
const start = () => new McpServer(() => launch(), "1.2.3", log);

beforeEach(() => {
  set["followup.editorAgents"] = "mcp";
  launch = () => ({ command: "/bin/followup", args: ["mcp"] });
  workspace.workspaceFolders = undefined;
});

afterAll(() => void delete set["followup.editorAgents"]);

test("runs the sidecar's program with its version in the open folder", async () => {
  const server = start();
  expect(lm.providers.get(mcpProviderId)).toBe(server);
  const limits = ["--mistake-limit", "3", "--max-questions", "4", "--max-options", "4"];
  const args = ["mcp", ...limits];
  const env = { LC_ALL: "en" };
  const offered = { label: "Followup", command: "/bin/followup", args, env, version: "1.2.3" };
  expect(await server.provideMcpServerDefinitions()).toEqual([{ ...offered, cwd: undefined }]);
  workspace.workspaceFolders = [{ uri: Uri.file("/w"), name: "w" }];
  expect(await server.provideMcpServerDefinitions()).toEqual([{ ...offered, cwd: Uri.file("/w") }]);
  server.dispose();
  expect(lm.providers.size).toBe(0);
});

test("is not offered to agents that have the tools, and the editor is notified of changes", async () => {
  const server = start();
  const changed = vi.fn();
  server.onDidChangeMcpServerDefinitions(changed);
  set["followup.editorAgents"] = "tools";
  server.changed();
  expect([changed.mock.calls.length, await server.provideMcpServerDefinitions()]).toEqual([1, []]);
  server.dispose();
});

/** Whether the language-model tools are hidden. */
const hidden = () =>
  executed.findLast(([name, key]) => name === "setContext" && key === "followup.asksByMcp")?.[2];

test("hides the tools while the server is offered, and restores them if it cannot start", async () => {
  const server = start();
  expect(hidden()).toBe(true);
  set["followup.editorAgents"] = "tools";
  server.changed();
  expect(hidden()).toBe(false);
  set["followup.editorAgents"] = "mcp";
  server.changed();
  expect(hidden()).toBe(true);
  launch = () => {
    throw new Error("missing");
  };
  await server.provideMcpServerDefinitions();
  expect(hidden()).toBe(false);
  server.dispose();
});

test("offers no server without its program, and logs why", async () => {
  const server = start();
  launch = () => {
    throw new Error("missing");
  };
  expect(await server.provideMcpServerDefinitions()).toEqual([]);
  expect(log.lines).toContain("warn There is no MCP server: missing");
  server.dispose();
});

test("logs a wanted server only in an editor that supports none", () => {
  const { registerMcpServerDefinitionProvider } = lm;
  delete lm.registerMcpServerDefinitionProvider;
  set["followup.editorAgents"] = "tools";
  const server = start();
  lm.registerMcpServerDefinitionProvider = registerMcpServerDefinitionProvider;
  expect([lm.providers.size, hidden()]).toEqual([0, false]);
  const warnings = () => log.lines.filter((line) => line.includes("does not accept MCP servers"));
  expect(warnings()).toEqual([]);
  set["followup.editorAgents"] = "mcp";
  server.changed();
  start().dispose();
  expect(warnings()).toHaveLength(1);
  server.dispose();
});
