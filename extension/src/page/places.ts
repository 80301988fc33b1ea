// Places in files that an agent named. Outside of the window's workspace folders nothing is looked at, nor told of.

import { realpath, stat } from "node:fs/promises";
import nodePath, { type PlatformPath } from "node:path";
import * as vscode from "vscode";
import { type Place, placeLimits } from "../../webview/boundary";

/**
 * What a path names in a folder, by its words alone; undefined where that is not inside. No share of another machine, no other drive
 * and no stream of a file is ever asked for: to ask for one is to tell somebody else of it.
 */
export function pathIn(folder: string, written: string, path: PlatformPath = nodePath): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no file that an agent may name has one
  if (/[\u0000-\u001f\u007f]/.test(written) || /^[\\/]{2}/.test(written)) {
    return undefined;
  }
  const windows = path.sep === "\\";
  if (windows && /:/.test(written.replace(/^[A-Za-z]:(?=[\\/])/, ""))) {
    return undefined;
  }
  const resolved = path.resolve(folder, written);
  return isWithin(folder, resolved, path) ? resolved : undefined;
}

/** Whether a path leads to something inside a folder, by its words. */
function isWithin(folder: string, inside: string, path: PlatformPath): boolean {
  const way = path.relative(folder, inside);
  return way !== "" && way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

/** The file that a path names in the first of the folders that has it, wherever symbolic links lead; undefined where none has it. */
export async function fileIn(folders: readonly string[], written: string): Promise<string | undefined> {
  for (const folder of folders) {
    const named = pathIn(folder, written);
    if (named === undefined) {
      continue;
    }
    try {
      const [root, real] = await Promise.all([realpath(folder), realpath(named)]);
      if (isWithin(root, real, nodePath) && (await stat(real)).isFile()) {
        return named;
      }
    } catch {
      // It is not there, or not to be read.
    }
  }
  return undefined;
}

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
