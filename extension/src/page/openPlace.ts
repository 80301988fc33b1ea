// Places in files that an agent named, in the editor.

import * as vscode from "vscode";
import { type Place, placeLimits } from "../../webview/boundary";
import { fileIn } from "./places";

/** Which of the places are in the window's workspace folders, in their order. */
export async function findPlaces(places: readonly Place[]): Promise<boolean[]> {
  const known = new Map<string, Promise<boolean>>();
  return Promise.all(
    places.slice(0, placeLimits.count).map(({ path }) => {
      const asked = known.get(path) ?? fileOf(path).then((file) => file !== undefined);
      known.set(path, asked);
      return asked;
    }),
  );
}

/** Opens a place, if it still is in the workspace. */
export async function openPlace({ path, line, column, endLine }: Place): Promise<void> {
  const file = await fileOf(path);
  if (file === undefined) {
    return;
  }
  const from = new vscode.Position(index(line), index(column));
  const to = endLine === undefined ? from : new vscode.Position(index(endLine), Number.MAX_SAFE_INTEGER);
  const beside = vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview;
  await vscode.window.showTextDocument(vscode.Uri.file(file), {
    selection: new vscode.Range(from, to),
    // The page that holds the link stays in view.
    viewColumn: beside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
  });
}

function fileOf(path: unknown): Promise<string | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const local = folders.filter(({ uri }) => uri.scheme === "file").map(({ uri }) => uri.fsPath);
  return typeof path === "string" && path.length <= placeLimits.path
    ? fileIn(local, path)
    : Promise.resolve(undefined);
}

/** A line or a column from 0, whatever a page sends. */
function index(counted: unknown): number {
  return typeof counted === "number" && Number.isSafeInteger(counted) ? Math.max(0, counted - 1) : 0;
}
