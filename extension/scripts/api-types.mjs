// Writes extension/api/followup.d.ts: all types of the exported API in one file, for extensions that use it.
// They come from src/agents/api.ts and the types that it imports.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./lib/paths.mjs";

/** The file's absolute path. */
export const apiTypesFile = join(root, "extension/api/followup.d.ts");

/** A declaration of a type at the top level of a module, with its comment. */
const declaration =
  /^(?:\/\*\*(?:(?!\*\/).)*?\*\/\n)?export (?:interface (\w+)[^{]*(?:\{\}|\{\n.*?\n\})|type (\w+) =.*?;)\n/gms;

/** Returns the current content of the file. */
export function apiTypes() {
  const source = (name) => readFileSync(join(root, "extension/src", name), "utf8");
  const api = source("agents/api.ts");
  const [vscodeTypes] = api.match(/^import type \{.*\} from "vscode";$/m);
  const known = new Map(
    ["sidecar/errors.ts", "protocol.gen.ts"].flatMap((name) => [...declarations(source(name))]),
  );
  const own = declarations(api);
  const needed = new Map(own);
  const add = (text) => {
    for (const [name] of text.matchAll(/\b[A-Z]\w+\b/g)) {
      if (known.has(name) && !needed.has(name)) {
        needed.set(name, known.get(name));
        add(withoutComments(known.get(name)));
      }
    }
  };
  const passedOn = [...api.matchAll(/^export type \{[^}]*\} from/gm)].join("\n");
  add(withoutComments(passedOn + [...own.values()].join("\n")));
  return [
    "// The types of Followup's API for other extensions; copy this file into yours. It needs @types/vscode and nothing else.",
    "// Generated from extension/src/agents/api.ts; to change it, change that and run: make generate",
    "",
    vscodeTypes,
    "",
    [...needed.values()].join("\n"),
  ].join("\n");
}

/** The declarations of a module in order, by name. */
function declarations(text) {
  return new Map(
    [...text.matchAll(declaration)].map(([whole, ofInterface, ofType]) => [ofInterface ?? ofType, whole]),
  );
}

function withoutComments(text) {
  return text.replace(/\/\*.*?\*\//gs, "");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(apiTypesFile, apiTypes());
}
