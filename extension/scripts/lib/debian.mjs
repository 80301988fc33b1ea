// The system packages that the browser, the database and the editor's native modules need, and their installation with apt-get.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { findBrowser } from "./chromium.mjs";
import { findCommand } from "./paths.mjs";
import { runStep, StepError } from "./step.mjs";

/**
 * @typedef {object} SystemPackage
 * @property {string} name Debian's name of the package
 * @property {string} why the reason to install it
 * @property {string} [faster] a package that the tests prefer, installed along with it where Debian has it
 * @property {() => boolean} present reports whether it is installed, from any source
 * @property {{ file: string, content: string }} [meanwhile] a file that exists only during the installation
 */

const command = (/** @type {string[]} */ ...names) => findCommand(...names) !== undefined;
/** Where Debian installs the versions of PostgreSQL. */
const servers = "/usr/lib/postgresql";
const font = (/** @type {string} */ file) => existsSync(`/usr/share/fonts/${file}`);

/** @type {SystemPackage[]} */
export const browserPackages = [
  {
    name: "chromium",
    why: "the browser of the tests",
    faster: "chromium-headless-shell",
    present: () => findBrowser() !== undefined,
  },
  {
    name: "fonts-liberation",
    why: "Latin letters in screenshots",
    present: () => font("truetype/liberation"),
  },
  {
    name: "fonts-noto-cjk",
    why: "Chinese characters in screenshots",
    present: () => font("opentype/noto/NotoSansCJK-Regular.ttc"),
  },
  {
    name: "fonts-noto-color-emoji",
    why: "emoji in screenshots",
    present: () => font("truetype/noto/NotoColorEmoji.ttf"),
  },
];

/** @type {SystemPackage[]} */
export const databasePackages = [
  {
    name: "postgresql",
    why: "the database of the tests, which start a server of their own",
    present: () =>
      command("postgres") ||
      (existsSync(servers) &&
        readdirSync(servers).some((version) => existsSync(`${servers}/${version}/bin/postgres`))),
    // Otherwise the package starts a server.
    meanwhile: {
      file: "/etc/postgresql-common/createcluster.d/followup.conf",
      content: "create_main_cluster = false\n",
    },
  },
];

const compiling = "compiles the editor's native modules";

/** @type {SystemPackage[]} */
export const compilerPackages = [
  { name: "g++", why: compiling, present: () => command("g++", "c++") },
  { name: "make", why: compiling, present: () => command("make") },
  { name: "python3", why: compiling, present: () => command("python3") },
];

/** @type {SystemPackage[]} */
export const terminalPackages = [
  { name: "tmux", why: "the agents' terminal", present: () => command("tmux") },
  { name: "iproute2", why: "the agents' network", present: () => command("ip") },
];

/** @type {SystemPackage[]} */
export const picturePackages = [
  { name: "webp", why: "puts the README's picture together", present: () => command("img2webp") },
];

/**
 * Installs missing packages. If it cannot, throws a StepError with the command to run.
 * @param {SystemPackage[]} packages
 */
export async function installSystemPackages(packages) {
  const missing = packages.filter((item) => !item.present());
  if (missing.length === 0) return;
  const names = missing.map((item) => item.name);
  for (const item of missing) process.stderr.write(`missing: ${item.name} (${item.why})\n`);
  const prefix = becomeRoot(names);
  const asRoot = (/** @type {string[]} */ ...words) => {
    const [file, ...args] = [...prefix, ...words];
    return { file: /** @type {string} */ (file), args };
  };
  const apt = (/** @type {string[]} */ ...args) =>
    asRoot("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", ...args);
  const update = apt("update");
  await runStep("Reading Debian's package lists", update.file, update.args, { log: "apt-update" });
  const known = (/** @type {string} */ name) => spawnSync("apt-cache", ["show", name]).status === 0;
  const faster = missing.flatMap((item) => (item.faster && known(item.faster) ? [item.faster] : []));
  const install = apt("install", "-y", "--no-install-recommends", ...names, ...faster);
  const meanwhile = missing.flatMap((item) => item.meanwhile ?? []);
  const shell = (/** @type {string} */ script, /** @type {string[]} */ ...args) => {
    const command = asRoot("sh", "-c", script, "sh", ...args);
    spawnSync(command.file, command.args, { stdio: "inherit" });
  };
  for (const { file, content } of meanwhile) {
    shell('mkdir -p "$(dirname "$1")" && printf %s "$2" >"$1"', file, content);
  }
  try {
    await runStep(`Installing ${names.join(", ")}`, install.file, install.args, { log: "apt-install" });
  } finally {
    for (const { file } of meanwhile) shell('rm -f "$1"; rmdir "$(dirname "$1")" 2>/dev/null', file);
  }
  const still = missing.filter((item) => !item.present()).map((item) => item.name);
  if (still.length > 0) throw new StepError(`Installed, but still not found: ${still.join(", ")}.`);
}

/**
 * The words to put before a command so that root runs it; asks for sudo's password if there is a terminal to ask on.
 * @param {string[]} names
 * @returns {string[]}
 */
function becomeRoot(names) {
  const byHand = `apt-get install --no-install-recommends ${names.join(" ")}`;
  if (!command("apt-get")) {
    throw new StepError(
      `Please install with this system's package manager what Debian calls: ${names.join(", ")}. Then run this again.`,
    );
  }
  if (process.getuid?.() === 0) return [];
  if (command("sudo")) {
    const flags = process.stdin.isTTY ? ["-v"] : ["-n", "-v"];
    if (spawnSync("sudo", flags, { stdio: "inherit" }).status === 0) return ["sudo", "-n"];
  }
  throw new StepError(`These packages need root. Please run this as root, then try again:\n\n  ${byHand}\n`);
}
