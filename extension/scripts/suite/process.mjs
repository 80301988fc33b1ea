// The suites' child processes, started in the repository's root.

import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { root } from "../lib/paths.mjs";

/**
 * Runs a command to its end and returns its exit status, 1 if it has none.
 * @param {string[]} command the program and its arguments
 * @param {{env?: NodeJS.ProcessEnv, onLine?: (line: string) => void}} [options] onLine gets each line of its output, which is otherwise
 *   printed
 * @returns {Promise<number>}
 */
export function run([program = "", ...args], { env = process.env, onLine } = {}) {
  return new Promise((resolve, reject) => {
    const output = onLine ? "pipe" : "inherit";
    const child = spawn(program, args, {
      cwd: root,
      env,
      stdio: ["ignore", output, output],
      shell: process.platform === "win32" && !program.includes("\\"),
    });
    child.on("error", reject);
    for (const input of [child.stdout, child.stderr]) {
      if (input && onLine) createInterface({ input }).on("line", onLine);
    }
    child.on("close", (status) => resolve(status ?? 1));
  });
}

/** The command that runs a script of the repository. @param {string} file @param {string[]} args */
export const node = (file, ...args) => [process.execPath, path.join(root, file), ...args];

/** A regular expression that matches exactly this text. @param {string} text */
export const exactly = (text) => `^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`;

/** A quoted word for a shell command. @param {string} text */
export const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
