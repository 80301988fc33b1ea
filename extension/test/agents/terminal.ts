// An agent's own interface in a terminal that a test controls: tmux.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { World } from "./world";

const run = promisify(execFile);

export class Terminal {
  private constructor(
    private readonly world: World,
    private readonly socket: string,
  ) {}

  /** Starts the agent with its interface. */
  static async start(world: World, args: string[]): Promise<Terminal> {
    const terminal = new Terminal(world, join(world.folder, "tmux"));
    world.onEnd(() => terminal.tmux("kill-server").catch(() => {}));
    world.reports.push(() => terminal.screen());
    const size = ["-x", "150", "-y", "50"];
    await terminal.tmux("new-session", "-d", ...size, "-c", world.project, ...world.command(args));
    return terminal;
  }

  private async tmux(...args: string[]): Promise<string> {
    const all = ["-S", this.socket, "-f", "/dev/null", ...args];
    return (await run("tmux", all, { env: this.world.environment })).stdout;
  }

  /** The text on the screen. */
  screen(): Promise<string> {
    return this.tmux("capture-pane", "-p");
  }

  /** Waits until the screen shows a text, or no longer does. */
  async until(text: string | RegExp, there = true): Promise<void> {
    const screen = expect.poll(() => this.screen(), { timeout: 300_000, interval: 200 });
    await (there ? screen.toMatch(text) : screen.not.toMatch(text));
  }

  /** Presses keys, as tmux names them. */
  async press(...keys: string[]): Promise<void> {
    await this.tmux("send-keys", ...keys);
  }
}
