// One long step of an installation: a child process whose output goes to a log while its progress is shown.

import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { logFolder } from "./paths.mjs";

/** A failure with a message for the user, without a stack trace. */
export class StepError extends Error {}

/**
 * Runs a script. If it fails, the process prints the error and exits with status 1.
 * @param {() => unknown} main
 */
export async function runScript(main) {
  try {
    await main();
  } catch (error) {
    const { message, stack } = /** @type {Error} */ (error);
    process.stderr.write(`${error instanceof StepError ? message : (stack ?? error)}\n`);
    process.exitCode = 1;
  }
}

const tailLines = 25;
const quietInterval = 10_000;

/**
 * Runs a command to its end and shows its title with the elapsed seconds: on a terminal in one line that counts,
 * elsewhere one line every ten seconds. Throws a StepError with the end of the log if the command fails.
 * @param {string} title the step as shown, e.g. "Compiling native modules"
 * @param {string} command
 * @param {string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, log: string}} options log is a name for the log file
 */
export async function runStep(title, command, args, options) {
  mkdirSync(logFolder, { recursive: true });
  const logFile = path.join(logFolder, `${options.log}.log`);
  const log = openSync(logFile, "w");
  const progress = startProgress(title);
  try {
    const child = spawn(command, args, { cwd: options.cwd, env: options.env, stdio: ["ignore", log, log] });
    const stop = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
    process.on("SIGINT", stop).on("SIGTERM", stop);
    const how = await new Promise((resolve) => {
      child.once("error", (error) => resolve(error.message));
      child.once("exit", (code, signal) => resolve(signal ? `ended by ${signal}` : code));
    });
    process.off("SIGINT", stop).off("SIGTERM", stop);
    if (how === 0) return progress.end("done");
    progress.end("failed");
    const shown = [command, ...args].join(" ");
    const why = typeof how === "number" ? `exit status ${how}` : how;
    throw new StepError(`${title} failed (${why}): ${shown}\n${tail(logFile)}\nThe whole log: ${logFile}`);
  } finally {
    closeSync(log);
  }
}

/** @param {string} title */
function startProgress(title) {
  const start = Date.now();
  const tty = process.stderr.isTTY;
  const show = (/** @type {string} */ state, /** @type {string} */ end) => {
    const seconds = String(Math.round((Date.now() - start) / 1000)).padStart(3);
    process.stderr.write(`${tty ? "\r\x1b[K" : ""}[${seconds} s] ${title}${state}${end}`);
  };
  show(" …", tty ? "" : "\n");
  const timer = setInterval(() => show(" …", tty ? "" : "\n"), tty ? 1000 : quietInterval);
  return {
    end(/** @type {string} */ state) {
      clearInterval(timer);
      show(`: ${state}`, "\n");
    },
  };
}

/** @param {string} file */
function tail(file) {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n").filter(Boolean);
  return lines
    .slice(-tailLines)
    .map((line) => `  | ${line}`)
    .join("\n");
}
