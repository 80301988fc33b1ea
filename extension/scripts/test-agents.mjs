// Installs the agents' own pinned binaries, over 2 GB, and the editor, and runs each agent with a scripted model.
//
//   node extension/scripts/test-agents.mjs [ARGUMENTS OF VITEST…]

import path from "node:path";
import { installAgents } from "./install-agents.mjs";
import { installEditor } from "./install-editor.mjs";
import { browserPackages, installSystemPackages } from "./lib/debian.mjs";
import { StepError } from "./lib/step.mjs";
import { run } from "./suite/process.mjs";

try {
  await installSystemPackages(browserPackages);
  await installEditor();
  await installAgents();
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  console.error(error.message);
  process.exit(1);
}
const config = path.join("extension", "test", "agents", "vitest.config.mts");
process.exit(
  await run(["npx", "--no-install", "vitest", "run", "--config", config, ...process.argv.slice(2)]),
);
