// A running sidecar process, seen as three streams and an end.

import { spawn } from "node:child_process";
import { messageOf } from "./errors";

/** What a connection needs of a process. */
export interface Transport {
  readonly stdin: NodeJS.WritableStream;
  readonly stdout: NodeJS.ReadableStream;
  readonly stderr: NodeJS.ReadableStream;
  readonly pid: number | undefined;
  /** Settles when the process is gone and its output is read, or when it could not be started; says how it ended. */
  readonly ended: Promise<Ending>;
  /** Ends the process at once. */
  kill(): void;
}

/** How a process ended. */
export interface Ending {
  /** Whether there was a process at all. */
  started: boolean;
  /** Exit status, signal or error, for the log and the user. */
  detail: string;
}

/** A command to run. */
export interface Launch {
  command: string;
  args: readonly string[];
}

/** Starts a process. It never throws: a process that cannot be started has ended. */
export function startProcess(launch: Launch): Transport {
  const child = spawn(launch.command, launch.args, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
  const ended = new Promise<Ending>((resolve) => {
    child.on("error", (error) => resolve({ started: child.pid !== undefined, detail: messageOf(error) }));
    child.once("close", (code, signal) =>
      resolve({ started: true, detail: signal ? `signal ${signal}` : `exit status ${code}` }),
    );
  });
  // A broken pipe is told by the end of the process; without a listener it would end the extension host.
  child.stdin.on("error", () => {});
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    pid: child.pid,
    ended,
    kill: () => void child.kill("SIGKILL"),
  };
}
