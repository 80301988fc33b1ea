// The path of the Go module. In the tree it is "followup", which nobody can fetch; in a release's commit it is the repository's address.

import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../lib/paths.mjs";

/** The path in this tree. */
export const modulePath = () => {
  const [, found = ""] = /^module (\S+)$/m.exec(readFileSync(path.join(root, "go.mod"), "utf8")) ?? [];
  return found;
};

/**
 * Returns a file's text with another path of the module: in go.mod, in imports, and in the linter's rules. Other texts stay.
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
