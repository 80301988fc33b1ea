#!/usr/bin/env node
// Installs the dependencies of the tests in a browser and in the real editor: Debian packages, Node 24,
// code-server and Delve. Usage: install-editor.mjs [--only chromium] [--only postgresql] [--only compiler] [--only webp]. The
// store's tests need the second, the race detector and the editor the third, the pictures the last. If everything is installed, nothing
// changes.

import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  browserPackages,
  compilerPackages,
  databasePackages,
  installSystemPackages,
  picturePackages,
} from "./lib/debian.mjs";
import { installDelve } from "./lib/delve.mjs";
import {
  cache,
  codeServerFolder,
  editorFolder,
  editorManifestFolder,
  editorNodePackage,
  findCommand,
  nodeBinary,
  nodeFolder,
} from "./lib/paths.mjs";
import { runStep, StepError } from "./lib/step.mjs";

const stampFile = "installed.json";

/**
 * The native modules that the server needs and that have no binary. Compiling all modules takes several times as long: SQLite is only for
 * an agent host, which the tests do not start, and the others are for proxies with Kerberos, telemetry and Windows.
 */
const nativeModules = ["@vscode/spdlog", "@vscode/native-watchdog"];

/**
 * Installs the editor into the cache unless it has the lock file's versions. It is assembled in another folder and renamed at the end, so
 * an interrupted run does not leave an incomplete editor.
 */
export async function installEditor() {
  const wanted = wantedStamp();
  if (readStamp() === wanted) return;
  const manifest = JSON.parse(readFileSync(path.join(editorManifestFolder, "package.json"), "utf8"));
  if (!manifest.optionalDependencies[editorNodePackage]) {
    const known = Object.keys(manifest.optionalDependencies).join(", ");
    throw new StepError(
      `The editor in the browser cannot be installed on ${process.platform} ${process.arch}: ` +
        `it needs one of the packages ${known}. With VS Code's command "code" on the PATH, make run works without it.`,
    );
  }
  await installSystemPackages(compilerPackages);
  mkdirSync(cache, { recursive: true });
  removeLeftovers();
  const folder = makeWorkFolder();
  try {
    for (const file of ["package.json", "package-lock.json"]) {
      cpSync(path.join(editorManifestFolder, file), path.join(folder, file));
    }
    const env = npmEnvironment(folder);
    await runStep("Downloading code-server and Node 24", "npm", ["ci", "--ignore-scripts"], {
      cwd: folder,
      env,
      log: "editor-download",
    });
    const npm = (/** @type {string[]} */ ...args) => [npmScript(), ...args, "--foreground-scripts"];
    await runStep("Downloading VS Code's modules", nodeBinary(folder), npm("run", "postinstall"), {
      cwd: codeServerFolder(folder),
      env: { ...env, npm_config_ignore_scripts: "true" },
      log: "editor-modules",
    });
    await runStep(
      "Compiling VS Code's native modules",
      nodeBinary(folder),
      npm("rebuild", ...nativeModules),
      {
        cwd: path.join(codeServerFolder(folder), "lib", "vscode"),
        env,
        log: "editor-compile",
      },
    );
    writeFileSync(path.join(folder, stampFile), wanted);
    rmSync(editorFolder, { recursive: true, force: true });
    move(folder, editorFolder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The wanted state as the stamp's text, with the versions of the lock file. */
function wantedStamp() {
  const lock = readFileSync(path.join(editorManifestFolder, "package-lock.json"));
  const sha256 = createHash("sha256").update(lock).digest("hex");
  return `${JSON.stringify({ node: editorNodePackage, lock: sha256, native: nativeModules })}\n`;
}

function readStamp() {
  const file = path.join(editorFolder, stampFile);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** Compiling fails in a folder with white space in its path, so the editor for a cache there is assembled in the temporary folder. */
function makeWorkFolder() {
  const parent = /\s/.test(cache) ? path.join(tmpdir(), "followup-") : path.join(cache, workPrefix);
  return mkdtempSync(`${parent}${process.pid}-`);
}

const workPrefix = "editor-work-";

/** Removes the folders of killed runs. */
function removeLeftovers() {
  for (const name of readdirSync(cache)) {
    const pid = name.startsWith(workPrefix) ? Number.parseInt(name.slice(workPrefix.length), 10) : Number.NaN;
    if (!pid || isAlive(pid)) continue;
    try {
      rmSync(path.join(cache, name), { recursive: true, force: true });
    } catch {
      // A child process of the killed run may still write there; the next run removes the folder.
    }
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/**
 * Renames a folder, or copies it where the two are on different file systems.
 * @param {string} from
 * @param {string} to
 */
function move(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EXDEV") throw error;
    const partial = `${to}-work-${process.pid}-copy`;
    cpSync(from, partial, { recursive: true, verbatimSymlinks: true });
    renameSync(partial, to);
  }
}

/**
 * npm's environment: Node 24 first on the PATH, its headers for compiling, and no variables of an npm that may have started this script,
 * since code-server's installation reads the Node version from them.
 * @param {string} folder
 */
function npmEnvironment(folder) {
  const ours =
    /^npm_(lifecycle|package|config_user_agent|config_local_prefix|command|execpath|node_execpath)/;
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name));
  return {
    ...Object.fromEntries(kept),
    PATH: `${path.dirname(nodeBinary(folder))}${path.delimiter}${process.env.PATH}`,
    npm_config_nodedir: nodeFolder(folder),
    JOBS: "max", // node-gyp: compile on all cores
    npm_config_engine_strict: "false",
    npm_config_audit: "false",
    npm_config_fund: "false",
  };
}

/**
 * The file behind the command npm, so that Node 24 runs it whatever its first line names.
 * @returns {string}
 */
function npmScript() {
  const npm = findCommand("npm");
  if (!npm) throw new StepError("npm is not on the PATH; it comes with Node.");
  return realpathSync(npm);
}

const systemPackages = {
  chromium: browserPackages,
  postgresql: databasePackages,
  compiler: compilerPackages,
  webp: picturePackages,
};

/** @param {string[]} only */
async function main(only) {
  const unknown = only.find((name) => !Object.hasOwn(systemPackages, name));
  if (unknown !== undefined) {
    throw new StepError(`--only takes ${Object.keys(systemPackages).join(" or ")}, not "${unknown}".`);
  }
  if (only.length > 0) {
    const names = /** @type {(keyof typeof systemPackages)[]} */ (only);
    await installSystemPackages(names.flatMap((name) => systemPackages[name]));
    return;
  }
  await installSystemPackages(browserPackages);
  await installEditor();
  await installDelve();
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    const { values } = parseArgs({ options: { only: { type: "string", multiple: true, default: [] } } });
    await main(values.only);
  } catch (error) {
    process.stderr.write(`${error instanceof StepError ? error.message : (error?.stack ?? error)}\n`);
    process.exitCode = 1;
  }
}
