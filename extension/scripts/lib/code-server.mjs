// Starting and stopping code-server, VS Code behind a local web server, for the tests and for make run.

import { spawn } from "node:child_process";
import { createWriteStream, existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { codeServerEntry, nodeBinary } from "./paths.mjs";

const stopGrace = 5000;

/** @typedef {import("./code-server.d.mts").EditorFolders} EditorFolders */

/**
 * Creates the folders, and writes the model list and, if the user has none yet, the settings.
 * @param {string} parent
 * @param {Record<string, unknown>} settings
 * @returns {EditorFolders}
 */
export function prepareFolders(parent, settings) {
  const folders = { userData: path.join(parent, "user-data"), extensions: path.join(parent, "extensions") };
  const user = path.join(folders.userData, "User");
  for (const folder of [user, folders.extensions]) mkdirSync(folder, { recursive: true });
  const settingsFile = path.join(user, "settings.json");
  if (!existsSync(settingsFile)) {
    writeFileSync(settingsFile, JSON.stringify({ ...quietSettings, ...settings }, null, 2));
  }
  writeFileSync(path.join(user, "chatLanguageModels.json"), JSON.stringify(modelList));
  // Otherwise code-server writes its own configuration to the home folder.
  writeFileSync(path.join(folders.userData, "config.yaml"), "auth: none\n");
  return folders;
}

/**
 * Where the editor of a folder stores questions: not in the user's own history, which all editors share.
 * @param {string} parent
 */
export const storageFolder = (parent) => path.join(parent, "storage");

/** Nothing opens by itself or uses the network. */
const quietSettings = {
  "workbench.startupEditor": "none",
  "workbench.enableExperiments": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
};

/** A model group makes the chat work without signing in. Its address is never used: extensions bring the model. */
const modelList = [
  {
    name: "Local",
    vendor: "customendpoint",
    apiType: "chat-completions",
    models: [
      {
        id: "unreachable",
        name: "Unreachable",
        url: "http://127.0.0.1:9/v1/chat/completions",
        toolCalling: true,
        vision: true,
        maxInputTokens: 100_000,
        maxOutputTokens: 8000,
      },
    ],
  },
];

/**
 * Installs VSIX files and waits for it.
 * @param {EditorFolders} folders
 * @param {string[]} files
 */
export async function installExtensions(folders, files) {
  const wanted = files.flatMap((file) => ["--install-extension", file]);
  const child = spawn(nodeBinary(), [...commonArguments(folders), "--force", ...wanted], {
    env: environment({}),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  const status = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (status !== 0) throw new Error(`The editor did not install ${files.join(", ")}:\n${output}`);
}

/**
 * Starts the server on a free port of the loopback interface and waits until it listens.
 * @param {import("./code-server.d.mts").ServerOptions} options
 * @returns {Promise<import("./code-server.d.mts").Server>}
 */
export async function startCodeServer(options) {
  const args = [
    ...commonArguments(options.folders),
    ...["--auth", "none", "--bind-addr", `127.0.0.1:${options.port ?? 0}`],
    ...["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"],
    ...["--disable-getting-started-override", "--ignore-last-opened"],
    // Built editors in the browser accept an extension's source folder in the address only with this option.
    ...(options.development ? ["--vscode-option", "enable-smoke-test-driver"] : []),
    options.workspace,
  ];
  // Its own process group, so that all its child processes end with it.
  const child = spawn(nodeBinary(), args, {
    env: environment({
      FOLLOWUP_STORAGE: storageFolder(path.dirname(options.folders.userData)),
      ...options.env,
    }),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const exited = new Promise((resolve) => child.once("exit", resolve).once("error", resolve));
  const leaving = () => child.pid !== undefined && killGroup(child.pid, "SIGKILL");
  process.once("exit", leaving);
  const stop = async () => {
    process.off("exit", leaving);
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    killGroup(child.pid, "SIGTERM");
    const timer = setTimeout(killGroup, stopGrace, child.pid, "SIGKILL");
    await exited;
    clearTimeout(timer);
    killGroup(child.pid, "SIGKILL");
  };
  const log = createWriteStream(path.join(options.folders.userData, "code-server.log"));
  child.stderr.pipe(log, { end: false });
  try {
    return { url: await listeningAddress(child, log), pid: child.pid, exited, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function killGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has already ended.
  }
}

/**
 * @param {import("node:child_process").ChildProcessByStdio<null, import("node:stream").Readable, import("node:stream").Readable>} child
 * @param {import("node:fs").WriteStream} log
 * @returns {Promise<string>}
 */
function listeningAddress(child, log) {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      log.write(text);
      output += text;
      const found = /HTTP server listening on (http:\/\/[\d.]+:\d+)/.exec(output);
      if (found) resolve(/** @type {string} */ (found[1]));
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`code-server ended with ${code}:\n${output}`)));
  });
}

/** @param {EditorFolders} folders */
function commonArguments(folders) {
  const config = path.join(folders.userData, "config.yaml");
  return [
    codeServerEntry(),
    ...["--config", config, "--user-data-dir", folders.userData, "--extensions-dir", folders.extensions],
  ];
}

/**
 * This process's environment without variables that would connect the server to a surrounding editor or test runner.
 * @param {Record<string, string>} more
 */
function environment(more) {
  const foreign = /^(VSCODE_|ELECTRON_|CODE_SERVER_|VITEST|NODE_OPTIONS$|NODE_ENV$|PORT$)/;
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))),
    ...more,
  };
}
