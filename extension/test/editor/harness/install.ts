// Installs Followup and the test agent once, before the test files. Each editor gets a copy of the extensions' folder.

import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";
import { installExtensions, prepareFolders } from "../../../scripts/lib/code-server.mjs";
import { root } from "../../../scripts/lib/paths.mjs";
import { vsixFile } from "../../../scripts/lib/vsix.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder with the installed extensions. */
    extensions: string;
  }
}

/** The test agent's folder among the extensions. */
export const agentFolder = "followup.test-agent-0.0.1";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "followup-extensions-"));
  const folders = prepareFolders(folder, {});
  await buildAgent(path.join(folders.extensions, agentFolder));
  await installExtensions(folders, [vsixFile()]);
  project.provide("extensions", folders.extensions);
  return () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Bundles the test agent into a folder of the editor's extensions. */
async function buildAgent(target: string): Promise<void> {
  const source = path.join(root, "extension/test/editor/agent");
  await mkdir(target, { recursive: true });
  await cp(path.join(source, "package.json"), path.join(target, "package.json"));
  await build({
    entryPoints: [path.join(source, "extension.ts")],
    outfile: path.join(target, "extension.js"),
    bundle: true,
    platform: "node",
    format: "cjs",
    external: ["vscode"],
    logLevel: "warning",
  });
}
