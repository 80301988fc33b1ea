// Places in files that an agent named: which of them are in the window's workspace folders. Nothing outside is looked at, nor told of.

import { realpath, stat } from "node:fs/promises";
import nodePath, { type PlatformPath } from "node:path";

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
