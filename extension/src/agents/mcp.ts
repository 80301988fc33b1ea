// Registers `followup mcp` with the editor, so that questions appear inside the chat.

import * as vscode from "vscode";
import { messageOf } from "../sidecar/errors";
import type { Log } from "../sidecar/log";
import type { Launch } from "../sidecar/transport";

/** The provider's id, as package.json contributes it. */
export const mcpProviderId = "followup.mcp";

/** The context key by which the editor offers no language-model tools: agents find the same ones at the server. */
const offeredKey = "followup.asksByMcp";

/** What the server is started with. */
export interface McpSurroundings {
  launch(subcommand: string): Launch | Promise<Launch>;
  arguments(): string[];
  /** Whether agents are to ask by it. Otherwise they have the language-model tools, and are not offered the same twice. */
  wanted(): boolean;
  /** The extension's version: a new one may have other tools. */
  version: string;
  log: Log;
}

/** Offers the server, in editors that can take it. */
export class McpServer implements vscode.McpServerDefinitionProvider, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  readonly onDidChangeMcpServerDefinitions = this.changes.event;
  private readonly registered: vscode.Disposable | undefined;

  constructor(private readonly surroundings: McpSurroundings) {
    // Editors that are made from VS Code may lack it.
    const { registerMcpServerDefinitionProvider: register } = vscode.lm as Partial<typeof vscode.lm>;
    this.registered = register?.(mcpProviderId, this);
    this.check();
  }

  async provideMcpServerDefinitions(): Promise<vscode.McpServerDefinition[]> {
    const { launch, arguments: more, wanted, version, log } = this.surroundings;
    if (!wanted()) {
      return [];
    }
    try {
      const { command, args } = await launch("mcp");
      const all = [...args, ...more()];
      const server = new vscode.McpStdioServerDefinition("Followup", command, all, {}, version);
      // The folder that its questions are about.
      server.cwd = vscode.workspace.workspaceFolders?.[0]?.uri;
      return [server];
    } catch (error) {
      this.offer(false);
      log.warn(`There is no MCP server: ${messageOf(error)}`); // what is missing, the sidecar's own start has told
      return [];
    }
  }

  changed(): void {
    this.changes.fire();
    this.check();
  }

  private check(): void {
    const { wanted, log } = this.surroundings;
    const isWanted = wanted();
    this.offer(isWanted && this.registered !== undefined);
    if (this.registered === undefined && isWanted) {
      log.warn("This editor takes no MCP servers from extensions, though its agents are to ask by one.");
    }
  }

  /** Offers the server's tools alone, or the language-model tools where there is no server. */
  private offer(server: boolean): void {
    void vscode.commands.executeCommand("setContext", offeredKey, server);
  }

  dispose(): void {
    this.registered?.dispose();
    this.changes.dispose();
  }
}
