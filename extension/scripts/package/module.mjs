// The path of the Go module. In the tree it is "followup", which cannot be fetched; in a release's commit it is the repository's address.

import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../lib/paths.mjs";

/** The module's path in this tree. */
export const modulePath = () => {
  const [, found = ""] = /^module (\S+)$/m.exec(readFileSync(path.join(root, "go.mod"), "utf8")) ?? [];
  return found;
};

/**
 * Returns a file's text with another module path in go.mod, imports and the linter's rules. Other texts do not change.
 * @param {string} name the file's
 * @param {string} text
 * @param {string} to
 * @param {string} [from]
 */
export function withModulePath(name, text, to, from = modulePath()) {
  const old = from.replaceAll(/[.]/g, "\\.");
  if (name === "go.mod") return text.replace(new RegExp(`^module ${old}$`, "m"), `module ${to}`);
  if (name.endsWith(".yml")) return text.replaceAll(new RegExp(`(?<=\\bpkg: )${old}(?=/)`, "g"), to);
  return text.replaceAll(new RegExp(`(?<=^(?:import |\\t)(?:[\\w.]+ )?")${old}(?=/[^"]+"$)`, "gm"), to);
}
