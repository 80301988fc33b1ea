// Child processes of the suites: started in the repository's root, with their output read line by line.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { root } from "../lib/paths.mjs";

/**
 * Runs a command to its end and gives its exit status, 1 where it has none.
 * @param {string[]} command the program and its arguments
 * @param {{
 *   env?: NodeJS.ProcessEnv,
 *   onLine?: (line: string) => void,
 *   onEvent?: (line: string) => void,
 *   yields?: boolean,
 * }} [options] onLine gets what it writes, which is shown as it is otherwise; onEvent the lines of file descriptor 3;
 *   yields: it works while nothing else has to
 * @returns {Promise<number>}
 */
export function run(command, { env = process.env, onLine, onEvent, yields = false } = {}) {
  const polite = yields && process.platform !== "win32" ? ["nice", ...command] : command;
  const [program = "", ...args] = polite;
  return new Promise((resolve, reject) => {
    const output = onLine ? "pipe" : "inherit";
    const child = spawn(program, args, {
      cwd: root,
      env,
      stdio: ["ignore", output, output, ...(onEvent ? [/** @type {const} */ ("pipe")] : [])],
      shell: process.platform === "win32" && !program.includes("\\"),
    });
    child.on("error", reject);
    for (const [index, listener] of [onLine, onLine, onEvent].entries()) {
      const stream = child.stdio[index + 1];
      if (stream && listener) {
        createInterface({ input: /** @type {import("node:stream").Readable} */ (stream) }).on(
          "line",
          listener,
        );
      }
    }
    child.on("close", (status) => resolve(status ?? 1));
  });
}
