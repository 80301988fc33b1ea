// Links in what an agent wrote: the user is asked before anything is opened.

import * as vscode from "vscode";

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

interface Mail {
  to: string;
  /** The other fields in the link's order, but for the body. */
  fields: [name: string, value: string][];
  body: string;
}

/** Reads a mailto: link (https://www.rfc-editor.org/rfc/rfc6068); null for any other. */
export function readMail(href: string): Mail | null {
  const [, path = "", query = ""] = /^mailto:([^?#]*)(?:\?([^#]*))?/i.exec(href) ?? [];
  if (!/^mailto:/i.test(href)) {
    return null;
  }
  const mail: Mail = { to: line(path), fields: [], body: "" };
  for (const field of query.split("&").filter((each) => each !== "")) {
    const [, name = "", value = ""] = /^([^=]*)=?(.*)$/s.exec(field) ?? [];
    const known = line(name).toLowerCase();
    if (known === "body") {
      mail.body += `${mail.body && "\n"}${visible(decoded(value).replace(/\r\n?/g, "\n"))}`;
    } else if (known === "to") {
      mail.to = [mail.to, line(value)].filter((each) => each !== "").join(", ");
    } else {
      mail.fields.push([known, line(value)]);
    }
  }
  return mail;
}

/** A field's value: it has one line, whatever the link says. */
function line(written: string): string {
  return visible(decoded(written).replace(/\s+/g, " ")).trim();
}

/** The text that percent-encoding stands for; one that is wrong is left as it is. A plus sign is a plus sign here. */
function decoded(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

/** Characters that are not seen, or turn the text around them, as their code points. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === "\n"
      ? character
      : `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`,
  );
}
