// Paths for the scripts. All are absolute.

import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root folder. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");

/** The folder for everything that is installed or kept between runs; FOLLOWUP_CACHE overrides it. */
export const cache = path.resolve(process.env.FOLLOWUP_CACHE || path.join(root, ".cache"));

/** The folder of the installed editor: a package folder with its node_modules. */
export const editorFolder = path.join(cache, "editor");

/** The folder for complete logs of installations. */
export const logFolder = path.join(cache, "logs");

/** The folder of the package.json and lock file that pin the editor's versions. */
export const editorManifestFolder = path.join(root, "extension/test/editor");

/** The Node package for this platform; its binary runs code-server. */
export const editorNodePackage = `node-${process.platform}-${process.arch}`;

/** @param {string} folder an installed editor */
export const nodeFolder = (folder = editorFolder) => path.join(folder, "node_modules", editorNodePackage);

/** @param {string} folder an installed editor */
export const nodeBinary = (folder = editorFolder) => path.join(nodeFolder(folder), "bin/node");

/** @param {string} folder an installed editor */
export const codeServerFolder = (folder = editorFolder) => path.join(folder, "node_modules/code-server");

/** @param {string} folder an installed editor */
export const codeServerEntry = (folder = editorFolder) =>
  path.join(codeServerFolder(folder), "out/node/entry.js");

/**
 * The first of the named commands that is on the PATH.
 * @param {...string} names
 * @returns {string | undefined} its absolute path
 */
export function findCommand(...names) {
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
  for (const name of names) {
    for (const folder of folders) {
      const file = path.join(folder, name);
      if (existsSync(file)) return file;
    }
  }
  return undefined;
}
