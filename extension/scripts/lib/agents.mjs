// The agents that are tested with their own binaries, and where they are installed.

import { readFileSync } from "node:fs";
import path from "node:path";
import { cache, root } from "./paths.mjs";

/** The packages, with their versions. @type {Record<string, string>} */
export const agentPackages = JSON.parse(
  readFileSync(path.join(root, "extension/test/agents/versions.json"), "utf8"),
);

/**
 * The folder that a package is installed in, with its node_modules.
 * @param {string} name
 */
export const packageFolder = (name) =>
  path.join(cache, "agents", `${name.replace("/", "+")}@${agentPackages[name]}`);
