// A running sidecar process, seen as three streams and an end.

import { spawn } from "node:child_process";
import { messageOf } from "./errors";

/** What a connection needs of a process. */
export interface Transport {
  readonly stdin: NodeJS.WritableStream;
  readonly stdout: NodeJS.ReadableStream;
  readonly stderr: NodeJS.ReadableStream;
  /** Settles when the process is gone and its output is read; returns its exit status, signal or error. */
  readonly ended: Promise<string>;
  /** Ends the process at once. */
  kill(): void;
}

/** A command to run. */
export interface Launch {
  command: string;
  args: readonly string[];
}

/** Starts a process. It never throws: a process that cannot be started has ended. */
export function startProcess(launch: Launch): Transport {
  const child = spawn(launch.command, launch.args, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
  const ended = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(messageOf(error)));
    child.once("close", (code, signal) => resolve(signal ? `signal ${signal}` : `exit status ${code}`));
  });
  // The end of the process reports a broken pipe; without a listener it would end the extension host.
  child.stdin.on("error", () => {});
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    kill: () => void child.kill("SIGKILL"),
  };
}
