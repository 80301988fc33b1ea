// Checks that the tests leave nothing behind. They get their own home and temporary folders. At the end,
// processes that are still running and files elsewhere are reported.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { cache, root } from "../lib/paths.mjs";

/** How long processes may take to exit after the tests. */
const grace = 10_000;

/** The variables that name folders for programs to write to, and the run's folder for each. */
const folders = {
  HOME: "home",
  USERPROFILE: "home",
  APPDATA: "home/AppData/Roaming",
  LOCALAPPDATA: "home/AppData/Local",
  XDG_CONFIG_HOME: "home/.config",
  XDG_CACHE_HOME: "home/.cache",
  XDG_DATA_HOME: "home/.local/share",
  XDG_STATE_HOME: "home/.local/state",
  XDG_RUNTIME_DIR: "run",
  TMPDIR: "tmp",
  TEMP: "tmp",
  TMP: "tmp",
};

/** The folders of one run, and the check that nothing is left elsewhere. */
export class Traces {
  /** A short path, since sockets' paths are limited. Every process of the run has it in its environment. */
  folder = mkdtempSync(
    path.join(tmpdir().length > 20 && process.platform !== "win32" ? "/tmp" : tmpdir(), "fu-"),
  );
  #before = files();

  constructor() {
    // Interrupted tests must not leave anything, either.
    for (const signal of ["SIGINT", "SIGTERM"]) {
      process.once(signal, () => void this.left().finally(() => process.exit(130)));
    }
  }

  /**
   * The environment of the tests: ours, with other folders to write to.
   * @returns {NodeJS.ProcessEnv}
   */
  environment() {
    const own = Object.entries(folders).map(([name, folder]) => [name, path.join(this.folder, folder)]);
    for (const [, folder = ""] of own) mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Otherwise Go would look for these in HOME, and build and download everything again.
    return {
      ...process.env,
      ...JSON.parse(output("go", "env", "-json", "GOCACHE", "GOENV", "GOMODCACHE", "GOPATH")),
      FOLLOWUP_CACHE: cache,
      FOLLOWUP_KEEPER_LINGER: "1s", // a keeper exits soon after the test that started it
      ...Object.fromEntries(own),
    };
  }

  /**
   * Ends the processes and removes the folders of the run, and returns descriptions of what the tests have left behind.
   * Changes in the repository count only where CI is set: elsewhere somebody may be working on it.
   * @returns {Promise<string[]>}
   */
  async left() {
    const last = Date.now() + grace;
    while (processes(this.folder).length > 0 && Date.now() < last) await wait(100);
    const running = processes(this.folder);
    if (running.length > 0) spawnSync("kill", ["-KILL", ...running.map(({ pid }) => String(pid))]);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    const changed = [...files()].filter((file) => !this.#before.has(file));
    const ours = changed.filter((file) => !process.env.CI && !file.startsWith("/"));
    for (const file of ours) console.log(`changed during the tests, by you or by them: ${file}`);
    return [
      ...running.map(({ pid, command }) => `a process was left behind: ${pid} ${command}`),
      ...changed.filter((file) => !ours.includes(file)).map((file) => `changed during the tests: ${file}`),
    ];
  }
}

/**
 * The processes with a folder in their environment or command, on Linux.
 * @param {string} folder
 */
function processes(folder) {
  const read = (/** @type {number} */ pid, /** @type {string} */ file) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, "utf8").replaceAll("\0", " ");
    } catch {
      return ""; // the process has exited, or belongs to another user
    }
  };
  return (process.platform === "linux" ? readdirSync("/proc") : [])
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .map((pid) => ({ pid, command: read(pid, "cmdline"), environment: read(pid, "environ") }))
    .filter(({ command, environment }) => `${environment}${command}`.includes(`${folder}/`));
}

/** Files in the repository that builds and the tests' own output write. */
const built =
  /^(\.cache|bin|internal\/web\/page|extension\/dist|extension\/test\/out)\/|(^|\/)node_modules\/|\.vsix$/;

/** The names of files that the tests' programs write. */
const named = /followup|code-server|playwright|chromium|vscode/i;

/**
 * The files that tests could leave: the repository's, by their path in it, and files in the user's folders with names of the tests'
 * programs, by their absolute path. The machine's temporary folder only counts in CI.
 */
function files() {
  const users = ["", ".config", ".cache", ".local/share", ".local/state"].map((name) =>
    path.join(homedir(), name),
  );
  const outside = [...users, ...(process.env.CI ? [tmpdir()] : [])]
    .filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    .flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)));
  return new Set([
    ...repositoryFiles().filter((file) => !built.test(file)),
    ...outside.filter((file) => named.test(path.basename(file))),
  ]);
}

/** The files that differ from the last commit; without a repository of git, as in an archive, all files. */
function repositoryFiles() {
  const status = spawnSync("git", ["status", "--porcelain", "--ignored", "--no-renames"], {
    cwd: root,
    encoding: "utf8",
  });
  if (status.status === 0)
    return status.stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => line.slice(3));
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"));
}

/** The output of a command. @param {string} program @param {string[]} args */
const output = (program, ...args) => execFileSync(program, args, { cwd: root, encoding: "utf8" });
