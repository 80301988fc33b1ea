// Followup: Show Log

import type * as vscode from "vscode";

/** The command's id. */
export const showLogCommand = "followup.showLog";

/** Opens the output channel. */
export function showLog(channel: vscode.LogOutputChannel): () => void {
  return () => channel.show();
}
