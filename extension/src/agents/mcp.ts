// Registers `followup mcp` with the editor, so that questions appear inside the chat.

import * as vscode from "vscode";
import { asksByMcp, mcpArguments, mcpVariables } from "../settings";
import { messageOf } from "../sidecar/errors";
import type { Log } from "../sidecar/log";
import type { Launch } from "../sidecar/transport";

/** The provider's id, as package.json contributes it. */
export const mcpProviderId = "followup.mcp";

/** The context key that hides the language-model tools, because agents find the same tools at the server. */
const offeredKey = "followup.asksByMcp";

/** Offers the server, in editors that support it. */
export class McpServer implements vscode.McpServerDefinitionProvider, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  readonly onDidChangeMcpServerDefinitions = this.changes.event;
  private readonly registered: vscode.Disposable | undefined;

  /** A new version of the extension may have other tools. */
  constructor(
    private readonly launch: (subcommand: string) => Launch | Promise<Launch>,
    private readonly version: string,
    private readonly log: Log,
  ) {
    // Forks of VS Code may lack it.
    const { registerMcpServerDefinitionProvider: register } = vscode.lm as Partial<typeof vscode.lm>;
    this.registered = register?.(mcpProviderId, this);
    this.check();
  }

  async provideMcpServerDefinitions(): Promise<vscode.McpServerDefinition[]> {
    if (!asksByMcp()) {
      return [];
    }
    try {
      const { command, args } = await this.launch("mcp");
      const all = [...args, ...mcpArguments()];
      const server = new vscode.McpStdioServerDefinition(
        "Followup",
        command,
        all,
        mcpVariables(),
        this.version,
      );
      // The folder to which its questions belong.
      server.cwd = vscode.workspace.workspaceFolders?.[0]?.uri;
      return [server];
    } catch (error) {
      this.check(false);
      this.log.warn(`There is no MCP server: ${messageOf(error)}`); // the sidecar's own start has reported the cause
      return [];
    }
  }

  changed(): void {
    this.changes.fire();
    this.check();
  }

  /** Makes the editor offer only the server's tools, or the language-model tools if there is no server. */
  private check(starts = true): void {
    const isWanted = asksByMcp();
    if (this.registered === undefined && isWanted) {
      this.log.warn(
        "This editor does not accept MCP servers from extensions, but followup.editorAgents requires one.",
      );
    }
    const isOffered = starts && isWanted && this.registered !== undefined;
    void vscode.commands.executeCommand("setContext", offeredKey, isOffered);
  }

  dispose(): void {
    this.registered?.dispose();
    this.changes.dispose();
  }
}
