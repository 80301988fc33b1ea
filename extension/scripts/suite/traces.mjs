// What the tests may leave behind: nothing. They get a home and a temporary folder of their own; at the end, what changed
// elsewhere is looked for, and the processes that still run.

import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { cache, root } from "../lib/paths.mjs";

/** The environment variable that marks every process of one run of the tests. */
const mark = "FOLLOWUP_TEST_RUN";

/** How long a process may take to end after the tests have. */
const grace = 10_000;

/** What builds and installations write in the repository's folder, and git; relative to it. */
const built = [
  ".git",
  "node_modules",
  "internal/bench/peers/node_modules",
  "bin",
  "extension/dist",
  "internal/web/page",
];
/** Where the tests' pictures, bundles and logs go. */
const written = "extension/test/out";

/** The folders of one run of the tests, and the proof that nothing is left outside of them. */
export class Traces {
  #id = randomUUID();
  /** Sockets have short paths, so that of the folder is short. */
  #folder = mkdtempSync(
    path.join(tmpdir().length > 20 && process.platform !== "win32" ? "/tmp" : tmpdir(), "fu-"),
  );
  #before = snapshot();

  constructor() {
    // Whoever interrupts the tests is left nothing, either.
    for (const signal of ["SIGINT", "SIGTERM"]) {
      process.once(signal, () => void this.left().finally(() => process.exit(130)));
    }
  }

  /**
   * The environment of the tests: the one around us, but for the folders that programs write to.
   * @returns {NodeJS.ProcessEnv}
   */
  environment() {
    const folder = (/** @type {string} */ name) => {
      const made = path.join(this.#folder, name);
      mkdirSync(made, { recursive: true, mode: 0o700 });
      return made;
    };
    const home = folder("home");
    const temporary = folder("tmp");
    return {
      ...process.env,
      // Read before HOME is another: what Go has built and downloaded is not made again.
      ...goFolders(),
      FOLLOWUP_CACHE: cache,
      [mark]: this.#id,
      // The process that keeps an inbox ends soon behind the test that started it.
      FOLLOWUP_KEEPER_LINGER: "1s",
      HOME: home,
      USERPROFILE: home,
      APPDATA: folder("home/AppData/Roaming"),
      LOCALAPPDATA: folder("home/AppData/Local"),
      XDG_CONFIG_HOME: folder("home/.config"),
      XDG_CACHE_HOME: folder("home/.cache"),
      XDG_DATA_HOME: folder("home/.local/share"),
      XDG_STATE_HOME: folder("home/.local/state"),
      XDG_RUNTIME_DIR: folder("run"),
      TMPDIR: temporary,
      TEMP: temporary,
      TMP: temporary,
    };
  }

  /**
   * Gives what the tests have left behind, in words, and ends and removes it: processes, and the folders that they were given.
   * What is written in the repository's folder counts where CI is set, and is only told otherwise.
   * @returns {Promise<string[]>}
   */
  async left() {
    const processes = await this.#processes();
    for (const { pid } of processes) end(pid);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
    const written = changes(this.#before, snapshot());
    // Whoever works on the project meanwhile writes here, too.
    const own = written.filter(({ file }) => !process.env.CI && file.startsWith(root + path.sep));
    for (const { what } of own) console.log(`during the tests, by you or by them, ${what}`);
    return [
      ...processes.map(({ pid, command }) => `a process was left behind: ${pid} ${command}`),
      ...written.filter((one) => !own.includes(one)).map(({ what }) => `during the tests, ${what}`),
    ];
  }

  /** The processes of this run that do not end. */
  async #processes() {
    if (process.platform !== "linux") {
      console.log("processes that the tests leave behind are looked for on Linux only");
      return [];
    }
    const last = Date.now() + grace;
    for (;;) {
      const found = processes().filter(
        ({ command, environment }) =>
          environment.includes(`${mark}=${this.#id}`) || command.includes(`${this.#folder}/`),
      );
      if (found.length === 0 || Date.now() > last) return found;
      await wait(100);
    }
  }
}

/** All processes, with the environment that they were started with. One that has ended and is not collected has none. */
function processes() {
  const read = (/** @type {string} */ pid, /** @type {string} */ file) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, "utf8");
    } catch {
      return ""; // It has ended, or is another user's.
    }
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => ({
      pid: Number(pid),
      command: read(pid, "cmdline").replaceAll("\0", " ").trim(),
      environment: read(pid, "environ").split("\0"),
    }));
}

/** @param {number} pid */
function end(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** Where Go keeps what it has built and downloaded, as environment variables. */
function goFolders() {
  const names = ["GOCACHE", "GOENV", "GOMODCACHE", "GOPATH"];
  return JSON.parse(execFileSync("go", ["env", "-json", ...names], { cwd: root, encoding: "utf8" }));
}

/**
 * What tests could write to: the repository's folder whole, and of the user's folders the names that our programs and those of
 * the tests would make there. The temporary folder belongs to everything that runs on the machine, so it is looked at where
 * nothing else does: where CI is set.
 * @returns {Map<string, string>} by path; the value changes whenever the file is written
 */
function snapshot() {
  /** @type {Map<string, string>} */
  const found = new Map();
  const skipped = new Set([...built, written].map((name) => path.join(root, name)).concat(cache));
  const visit = (/** @type {string} */ folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      if (skipped.has(file) || (folder === root && entry.name.endsWith(".vsix"))) continue;
      if (entry.isDirectory()) visit(file);
      else found.set(file, state(file));
    }
  };
  visit(root);
  const folders = ["", ".config", ".cache", ".local/share", ".local/state"].map((name) =>
    path.join(homedir(), name),
  );
  for (const folder of process.env.CI ? [...folders, tmpdir()] : folders) {
    for (const name of names(folder).filter((each) => ours.test(each)))
      found.set(path.join(folder, name), "there");
  }
  return found;
}

const ours = /followup|code-server|playwright|chromium|vscode/i;

/** @param {string} folder */
function names(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** @param {string} file */
function state(file) {
  try {
    const { mtimeMs, size } = lstatSync(file);
    return `${mtimeMs} ${size}`;
  } catch {
    return "gone";
  }
}

/**
 * @param {Map<string, string>} before
 * @param {Map<string, string>} after
 */
function changes(before, after) {
  const differ = (/** @type {string} */ file) =>
    before.get(file) !== after.get(file) && (after.has(file) || file.startsWith(root + path.sep));
  return [...new Set([...before.keys(), ...after.keys()])].filter(differ).map((file) => {
    const how = !before.has(file) ? "made" : after.has(file) ? "written" : "removed";
    return { file, what: `${file} was ${how}` };
  });
}
