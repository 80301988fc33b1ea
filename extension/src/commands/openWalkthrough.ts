// Followup: Open Walkthrough

import * as vscode from "vscode";

/** The command's id. */
export const openWalkthroughCommand = "followup.openWalkthrough";

/** Opens the walkthrough of this extension. */
export function openWalkthrough(extensionId: string): () => Thenable<unknown> {
  return () =>
    vscode.commands.executeCommand("workbench.action.openWalkthrough", `${extensionId}#start`, false);
}
