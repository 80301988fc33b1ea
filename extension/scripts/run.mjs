#!/usr/bin/env node
// Shows Followup at work: a page in the browser where a sample agent asks, as soon as the sidecar is built; then an editor with the
// extension and the sample agent in it. Prints what the agent receives, until Ctrl-C. `make run` calls it:
//
//   run.mjs [--browser] [--port N] [--folder DIR] [VSIX]
//
// If VS Code's command `code` is on the PATH, that editor opens at once and without the page; otherwise, or with --browser, VS Code in
// the browser, on 127.0.0.1 only. Everything is kept in the folder, and nothing in the user's own history. A named VSIX is installed;
// otherwise one is built.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { installEditor } from "./install-editor.mjs";
import { installExtensions, prepareFolders, startCodeServer, storageFolder } from "./lib/code-server.mjs";
import { cache, findCommand, root } from "./lib/paths.mjs";
import { runStep, StepError } from "./lib/step.mjs";
import { describeAnswer, listenForAgent } from "./lib/terminal.mjs";
import { vsixFile } from "./lib/vsix.mjs";

const sampleAgent = path.join(root, "extension/sample-agent");
/** The same port every time, if it is free, so that the browser remembers the window's layout. */
const usualPort = 8421;

/** The prefix of a message, which replaces a progress line. */
const freshLine = process.stderr.isTTY ? "\r\x1b[K" : "";
const print = (/** @type {string} */ text) => process.stdout.write(`${freshLine}${text}\n`);

/**
 * @typedef {object} Running something that has been started
 * @property {Promise<string>} ended why it ended
 * @property {() => Promise<void>} stop
 */

/** @param {{vsix?: string, port: number, folder: string, browser: boolean}} options */
async function main({ vsix, port, folder, browser }) {
  const interruption = interrupted();
  const agent = await listenForAgent(print);
  const workspace = makeWorkspace(folder, agent.port);
  const program = await buildSidecar();
  const code = browser ? undefined : findCommand("code");
  /** @type {Running[]} */
  const running = [];
  /** @param {Running} one */
  const runs = (one) => {
    running.push(one);
    return one.ended;
  };
  const shown = async () => {
    if (code) return await runs(openVSCode(code, folder, workspace));
    const page = runs(await openPage(program, storageFolder(folder)));
    const editor = openEditor(folder, workspace, port, vsix).then(runs, (error) => {
      print(`\n${worded(error)}\nThe editor cannot start; the page stays open. Press Ctrl-C to stop.`);
      return page;
    });
    return await Promise.race([page, editor]);
  };
  const why = await Promise.race([interruption, shown()]);
  print(`\n${why}`);
  await Promise.all(running.map((one) => one.stop()));
  if (!code) {
    // Otherwise it would run for another minute. VS Code's window is still a client.
    spawnSync(program, ["keeper", "stop", "--storage", storageFolder(folder)], { stdio: "ignore" });
  }
  agent.stop();
}

/** Builds the sidecar for the packages, unless FOLLOWUP_PROGRAM names one. Returns its path. */
async function buildSidecar() {
  if (process.env.FOLLOWUP_PROGRAM) return process.env.FOLLOWUP_PROGRAM;
  // npm packages build the page that the sidecar embeds. Meanwhile Go compiles the parts that do not need the page.
  const title = "Building Followup; the first time this takes a minute or two";
  await runStep(title, "make", ["-j2", "sidecar"], { cwd: root, log: "sidecar" });
  return path.join(root, "bin", process.platform === "win32" ? "followup.exe" : "followup");
}

/**
 * Serves the page to a browser, and lets the sample agent ask there.
 * @param {string} program
 * @param {string} storage
 * @returns {Promise<Running>}
 */
async function openPage(program, storage) {
  const web = spawn(program, ["web", "--json", "--storage", storage, "--parent", `${process.pid}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(web, "exit");
  const line = once(createInterface({ input: web.stdout }), "line");
  const first = await Promise.race([line, exit.then(([status]) => [`{"status":${status}}`])]);
  const { url } = JSON.parse(String(first[0]));
  if (url === undefined) throw new StepError("The page could not be served; see above.");
  print(
    `\nA sample agent asks on a page. If your browser does not show it, open ${url}\nThe editor is being prepared.\n`,
  );
  const question = sampleQuestion(program);
  const asks = spawn(
    program,
    ["ask", "--json", "--quiet", "--agent", "Sample agent", "--storage", storage, ...question],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let answer = "";
  asks.stdout.setEncoding("utf8").on("data", (text) => {
    answer += text;
  });
  asks.once("close", (status) => status === 0 && print(describeAnswer(JSON.parse(answer))));
  return {
    ended: exit.then(() => "The page has ended."),
    stop: async () => {
      asks.kill();
      web.kill();
      await exit;
    },
  };
}

/**
 * The arguments for asking the sample agent's question.
 * @param {string} program
 */
function sampleQuestion(program) {
  const text = readFileSync(path.join(sampleAgent, "question.txt"));
  const [{ payload }] = JSON.parse(execFileSync(program, ["parse"], { input: text, encoding: "utf8" })).calls;
  const suggest = payload.suggest.flatMap((/** @type {{answer: string}} */ { answer }) => [
    "--suggest",
    answer,
  ]);
  return [payload.question, ...suggest];
}

/**
 * Creates a workspace with a README that explains what to do and opens first.
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
 * VS Code's extension development host, with both extensions from their folders. It is a separate instance, with its own settings and
 * extensions: a running one would have its own environment, and the user's history.
 * @param {string} code
 * @param {string} folder
 * @param {string} workspace
 * @returns {Running}
 */
function openVSCode(code, folder, workspace) {
  const own = (/** @type {string} */ name) => path.join(folder, "vscode", name);
  const child = spawn(
    code,
    [
      ...[root, sampleAgent].map((extension) => `--extensionDevelopmentPath=${extension}`),
      ...["--user-data-dir", own("user-data"), "--extensions-dir", own("extensions")],
      ...["--new-window", workspace],
    ],
    { stdio: "inherit", env: { ...process.env, FOLLOWUP_STORAGE: storageFolder(folder) } },
  );
  /** @type {Promise<string>} */
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    // The command passes the window to VS Code and exits; the window stays.
    child.once("exit", (status) => status && resolve(`${code} ended with status ${status}.`));
  });
  print("VS Code opens a window in which the sample agent asks. Press Ctrl-C to stop.\n");
  return { ended, stop: async () => {} };
}

/**
 * VS Code in the browser. The user's settings are kept for the next time; extensions are reinstalled.
 * @param {string} folder
 * @param {string} workspace
 * @param {number} port
 * @param {string} [named] the VSIX
 * @returns {Promise<Running>}
 */
async function openEditor(folder, workspace, port, named) {
  if (named === undefined) {
    const title = "Packaging the extension; the first time it installs the packaging tools";
    await runStep(title, "make", ["package"], { cwd: root, log: "package" });
  }
  const vsix = vsixFile(named);
  await installEditor();
  const folders = prepareFolders(folder, { "workbench.secondarySideBar.defaultVisibility": "hidden" });
  rmSync(folders.extensions, { recursive: true, force: true });
  cpSync(sampleAgent, path.join(folders.extensions, "followup.sample-agent-0.0.1"), { recursive: true });
  print(`Installing ${path.basename(vsix)} into the editor …`);
  await installExtensions(folders, [vsix]);
  const server = await startCodeServer({ folders, workspace, port: (await isFree(port)) ? port : 0 });
  print(
    `\nThe editor is ready; the sample agent asks there, too. Open ${server.url}\n` +
      "This terminal prints what it receives. Press Ctrl-C to stop.\n",
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

/** @param {any} error */
function worded(error) {
  return error instanceof StepError ? error.message : (error?.stack ?? String(error));
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
    throw new StepError(`"${values.port}" is not a port.`);
  await main({
    vsix: positionals[0],
    port,
    folder: path.resolve(values.folder ?? path.join(cache, "run")),
    browser: values.browser ?? false,
  });
} catch (error) {
  process.stderr.write(`${worded(error)}\n`);
  process.exitCode = 1;
}
process.exit();
