// Opens what an agent's text leads to: links, and places in files. The user is asked before an email is begun.

import * as vscode from "vscode";
import { linkSchemes } from "../../webview/boundary";
import { mailDescribe, type Place, placeFind } from "../protocol.gen";
import type { Sidecar } from "../sidecar/sidecar";

type Asked = Pick<Sidecar, "request">;

/** Opens a link outside the editor. The editor itself asks about websites that the user does not trust yet. */
export async function openLink(sidecar: Asked, href: unknown): Promise<void> {
  // An agent wrote it.
  if (typeof href !== "string" || !URL.canParse(href) || !linkSchemes.includes(new URL(href).protocol)) {
    return;
  }
  if (/^mailto:/i.test(href)) {
    const { question, detail, button } = await sidecar.request(mailDescribe, { href });
    if ((await vscode.window.showInformationMessage(question, { modal: true, detail }, button)) !== button) {
      return;
    }
  }
  // A vscode.Uri is encoded anew when it is opened, so that %2F becomes a slash and %26 an ampersand. The editor opens a string as it
  // stands, though its types do not say so yet (https://github.com/microsoft/vscode/issues/85930).
  await vscode.env.openExternal(href as unknown as vscode.Uri);
}

/** Which places texts name, as far as the files are in the window's workspace folders. */
export async function findPlaces(sidecar: Asked, texts: string[]): Promise<Place[]> {
  const local = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  const folders = local.map(({ uri }) => uri.fsPath);
  return folders.length === 0 ? [] : (await sidecar.request(placeFind, { texts, folders })).places;
}

/** Opens the first place that a text names, if it still is in the workspace. */
export async function openPlace(sidecar: Asked, text: string): Promise<void> {
  const [place] = await findPlaces(sidecar, [text]);
  if (place === undefined) {
    return;
  }
  const { file, line = 1, column = 1, endLine } = place;
  const from = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1));
  const to = endLine ? new vscode.Position(endLine - 1, Number.MAX_SAFE_INTEGER) : from;
  const beside = vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview;
  await vscode.window.showTextDocument(vscode.Uri.file(file), {
    selection: new vscode.Range(from, to),
    // The page that holds the link stays in view.
    viewColumn: beside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
  });
}
