// Links in what an agent wrote: the user is asked before anything is opened.

import * as vscode from "vscode";
import { type Mail, readMail } from "./mail";

/** Opens a link outside the editor. The editor itself asks about websites that the user does not trust yet. */
export async function openLink(href: string): Promise<void> {
  const mail = readMail(href);
  if (mail !== null && !(await mayWrite(mail))) {
    return;
  }
  // A vscode.Uri is encoded anew when it is opened, so that %2F becomes a slash and %26 an ampersand. The editor opens a string as it
  // stands, though its types do not say so yet (https://github.com/microsoft/vscode/issues/85930).
  await vscode.env.openExternal(href as unknown as vscode.Uri);
}

async function mayWrite({ to, fields, body }: Mail): Promise<boolean> {
  const write = vscode.l10n.t("Write Email");
  const question = vscode.l10n.t("Write an email to {0}?", to);
  const lines = fields.map(([name, value]) => vscode.l10n.t("{0}: {1}", fieldName(name), value));
  // The text comes last, behind an empty line: nothing in it passes for a field.
  const detail = [lines.join("\n"), body].filter((part) => part !== "").join("\n\n");
  return (await vscode.window.showInformationMessage(question, { modal: true, detail }, write)) === write;
}

function fieldName(name: string): string {
  const known: Record<string, string> = {
    cc: vscode.l10n.t("Cc"),
    bcc: vscode.l10n.t("Bcc"),
    subject: vscode.l10n.t("Subject"),
  };
  return known[name] ?? name;
}
