// One budget for all suites of a run: a command, a vitest file or a Go package holds a slot while it works, and there are as many slots
// as cores, and one. Otherwise each suite would use all cores, and every test would wait for the others.

import { once } from "node:events";
import { createConnection, createServer } from "node:net";
import { availableParallelism } from "node:os";
import path from "node:path";

/** The variable with the address of a run's slots. Without it, nothing waits. */
const variable = "FOLLOWUP_SLOTS";

/** The slots of a run. Other processes take one by connecting, and release it by their connection's end, so a killed process holds none. */
export class Slots {
  /** @type {(() => void)[]} */
  #waiting = [];
  #free;
  #server = createServer({ pauseOnConnect: false }, async (socket) => {
    let release = () => socket.destroy();
    socket.on("error", () => {}); // the process was killed
    socket.once("close", () => release());
    const taken = await this.take();
    if (socket.destroyed) return taken();
    release = taken;
    socket.resume().write("taken\n");
  });

  /** @param {number} [count] how many there are */
  constructor(count = availableParallelism() + 1) {
    this.#free = count;
  }

  /**
   * Serves the slots to other processes.
   * @param {string} folder for the socket; its path must be short
   * @returns {Promise<NodeJS.ProcessEnv>} the variable for these processes
   */
  async serve(folder) {
    const address =
      process.platform === "win32"
        ? `\\\\.\\pipe\\followup-slots-${process.pid}`
        : path.join(folder, "slots");
    await new Promise((resolve) => this.#server.listen(address, () => resolve(undefined)));
    this.#server.unref();
    return { [variable]: address };
  }

  /** How many wait for a slot. */
  get waiting() {
    return this.#waiting.length;
  }

  /** Waits for a slot, in order. Returns the function that releases it. */
  async take() {
    if (this.#free > 0) this.#free--;
    else await new Promise((/** @type {(value: void) => void} */ resolve) => this.#waiting.push(resolve));
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    };
  }

  close() {
    this.#server.close();
  }
}

/** Whether processes with this environment belong to a run with slots. @param {NodeJS.ProcessEnv} env */
export const hasSlots = (env) => env[variable] !== undefined;

/**
 * Waits for a slot of the run that this process belongs to, if any. Returns the function that releases it.
 * @returns {Promise<() => void>}
 */
export async function takeSlot() {
  const address = process.env[variable];
  if (!address) return () => {};
  const socket = createConnection(address);
  await once(socket, "data");
  socket.unref();
  return () => socket.destroy();
}
