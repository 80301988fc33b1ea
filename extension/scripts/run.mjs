#!/usr/bin/env node
// Opens an editor with Followup and the sample agent in it, and prints what the agent receives until Ctrl-C.
// After `make package`: run.mjs [--browser] [--port N] [--folder DIR] [VSIX]
//
// VS Code itself is used where its command `code` is on the PATH; otherwise, or with --browser, VS Code in the browser, on
// 127.0.0.1 only. The folder keeps what the user sets there for the next time.

import { spawn } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { parseArgs } from "node:util";
import { installEditor } from "./install-editor.mjs";
import { installExtensions, prepareFolders, startCodeServer } from "./lib/code-server.mjs";
import { cache, findCommand, root } from "./lib/paths.mjs";
import { StepError } from "./lib/step.mjs";
import { listenForAgent } from "./lib/terminal.mjs";
import { vsixFile } from "./lib/vsix.mjs";

const sampleAgent = path.join(root, "extension/sample-agent");
/** The same address every time, where it is free, so that the browser remembers the window's layout. */
const usualPort = 8421;

/** @param {{vsix?: string, port: number, folder: string, browser: boolean}} options */
async function main({ vsix, port, folder, browser }) {
  const agent = await listenForAgent();
  const workspace = makeWorkspace(folder, agent.port);
  const code = browser ? undefined : findCommand("code");
  const editor = code
    ? openVSCode(code, workspace)
    : await openInBrowser(folder, workspace, vsixFile(vsix), port);
  const why = await Promise.race([interrupted(), editor.ended]);
  process.stdout.write(`\n${why}\n`);
  await editor.stop();
  agent.stop();
}

/**
 * A fresh workspace with a README of what to do, which opens first.
 * @param {string} parent
 * @param {number} agentPort
 */
function makeWorkspace(parent, agentPort) {
  const folder = path.join(parent, "try-followup");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, ".vscode"), { recursive: true });
  cpSync(path.join(sampleAgent, "workspace"), folder, { recursive: true });
  const settings = {
    "workbench.startupEditor": "readme",
    "git.openRepositoryInParentFolders": "never",
    "followupSampleAgent.port": agentPort,
  };
  writeFileSync(path.join(folder, ".vscode/settings.json"), `${JSON.stringify(settings, null, 2)}\n`);
  return folder;
}

/**
 * VS Code's extension development host, with both extensions from their folders.
 * @param {string} code
 * @param {string} workspace
 */
function openVSCode(code, workspace) {
  const development = [root, sampleAgent].map((folder) => `--extensionDevelopmentPath=${folder}`);
  const child = spawn(code, [...development, "--new-window", workspace], { stdio: "inherit" });
  /** @type {Promise<string>} */
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    // The command hands the window to VS Code and returns; the window goes on without it.
    child.once("exit", (status) => status && resolve(`${code} ended with status ${status}.`));
  });
  process.stdout.write("VS Code opens a window in which the sample agent asks. Ctrl-C ends this.\n\n");
  return { ended, stop: async () => {} };
}

/**
 * VS Code in the browser. What the user sets there is kept for the next time; extensions are installed anew.
 * @param {string} folder
 * @param {string} workspace
 * @param {string} vsix
 * @param {number} port
 */
async function openInBrowser(folder, workspace, vsix, port) {
  await installEditor();
  const folders = prepareFolders(folder, { "workbench.secondarySideBar.defaultVisibility": "hidden" });
  rmSync(folders.extensions, { recursive: true, force: true });
  cpSync(sampleAgent, path.join(folders.extensions, "followup.sample-agent-0.0.1"), { recursive: true });
  process.stdout.write(`Installing ${path.basename(vsix)} into the editor …\n`);
  await installExtensions(folders, [vsix]);
  const server = await startCodeServer({ folders, workspace, port: (await isFree(port)) ? port : 0 });
  process.stdout.write(
    `\nOpen ${server.url} in a browser: the sample agent asks there.\n` +
      "What it receives is printed here. Ctrl-C ends the editor.\n\n",
  );
  return { ended: server.exited.then(() => "The editor has ended."), stop: server.stop };
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

/** @returns {Promise<string>} */
function interrupted() {
  return new Promise((resolve) => {
    for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
      process.once(signal, () => resolve("Ending the editor …"));
    }
  });
}

try {
  const { values, positionals } = parseArgs({
    options: { browser: { type: "boolean" }, port: { type: "string" }, folder: { type: "string" } },
    allowPositionals: true,
  });
  const port = Number(values.port ?? usualPort);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new StepError(`"${values.port}" is no port.`);
  await main({
    vsix: positionals[0],
    port,
    folder: path.resolve(values.folder ?? path.join(cache, "run")),
    browser: values.browser ?? false,
  });
} catch (error) {
  process.stderr.write(`${error instanceof StepError ? error.message : (error?.stack ?? error)}\n`);
  process.exitCode = 1;
}
process.exit();
