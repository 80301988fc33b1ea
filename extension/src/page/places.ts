// Opens places in files that an agent named. The sidecar finds them, and looks at nothing outside of the window's workspace folders.

import * as vscode from "vscode";
import { type Place, placeFind } from "../protocol.gen";
import type { Sidecar } from "../sidecar/sidecar";

/** Which places texts name, as far as the files are in the window's workspace folders. */
export async function findPlaces(sidecar: Pick<Sidecar, "request">, texts: string[]): Promise<Place[]> {
  const local = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  const folders = local.map(({ uri }) => uri.fsPath);
  return folders.length === 0 ? [] : (await sidecar.request(placeFind, { texts, folders })).places;
}

/** Opens the first place that a text names, if it still is in the workspace. */
export async function openPlace(sidecar: Pick<Sidecar, "request">, text: string): Promise<void> {
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
