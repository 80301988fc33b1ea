// Messages to the user, with buttons.

import * as vscode from "vscode";

/** Shows a message, and runs the action of the button that the user clicks. */
export async function offer(
  kind: "Information" | "Warning" | "Error",
  text: string,
  buttons: Readonly<Record<string, () => unknown>> = {},
): Promise<void> {
  const choice = await vscode.window[`show${kind}Message`](text, ...Object.keys(buttons));
  await buttons[choice ?? ""]?.();
}

/** Shows an error, with a button for the log. */
export function failed(text: string): Promise<void> {
  return offer("Error", text, {
    [vscode.l10n.t("Open Log")]: () => vscode.commands.executeCommand("followup.showLog"),
  });
}

/** Shows why there is no sidecar, with buttons for possible solutions. */
export function showProblem(problem: string): Promise<void> {
  return offer("Error", problem, {
    [vscode.l10n.t("Retry")]: () => vscode.commands.executeCommand("followup.restart"),
    [vscode.l10n.t("Open Log")]: () => vscode.commands.executeCommand("followup.showLog"),
    [vscode.l10n.t("Open Settings")]: () =>
      vscode.commands.executeCommand("workbench.action.openSettings", "followup.sidecar.path"),
  });
}
