// A running sidecar process, as three streams and an end.

import { spawn } from "node:child_process";
import { messageOf } from "./errors";

/** The part of a process that a connection uses. */
export interface Transport {
  readonly stdin: NodeJS.WritableStream;
  readonly stdout: NodeJS.ReadableStream;
  readonly stderr: NodeJS.ReadableStream;
  /** Settles when the process has exited and its output is read; returns its exit status, signal or error. */
  readonly ended: Promise<string>;
  /** Kills the process. */
  kill(): void;
}

/** A command to run. */
export interface Launch {
  command: string;
  args: readonly string[];
}

/** Starts a process. It never throws: a process that cannot be started counts as exited. */
export function startProcess(launch: Launch): Transport {
  const child = spawn(launch.command, launch.args, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
  const ended = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(messageOf(error)));
    child.once("close", (code, signal) => resolve(signal ? `signal ${signal}` : `exit status ${code}`));
  });
  // The process's exit reports a broken pipe. Without a listener, it would crash the extension host.
  child.stdin.on("error", () => {});
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    kill: () => void child.kill("SIGKILL"),
  };
}
