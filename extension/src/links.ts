// Links in what an agent wrote: the user is asked before anything is opened.

import * as vscode from "vscode";

/** Opens a link outside the editor. The editor itself asks about websites that the user does not trust yet. */
export async function openLink(href: string): Promise<void> {
  const uri = vscode.Uri.parse(href, true);
  if (uri.scheme === "mailto" && !(await mayWrite(uri.path))) {
    return;
  }
  await vscode.env.openExternal(uri);
}

async function mayWrite(address: string): Promise<boolean> {
  const write = vscode.l10n.t("Write Email");
  const question = vscode.l10n.t("Write an email to {0}?", address);
  return (await vscode.window.showInformationMessage(question, { modal: true }, write)) === write;
}
