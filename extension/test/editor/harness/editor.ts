// A complete editor for a test file: server, browser, workbench and test agent, started and stopped together.

import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, chromium, type Frame, type Page } from "playwright-core";
import { inject, vi } from "vitest";
import { briefPageFlags, findShell } from "../../../scripts/lib/chromium.mjs";
import { prepareFolders, startCodeServer } from "../../../scripts/lib/code-server.mjs";
import { root } from "../../../scripts/lib/paths.mjs";
import { controlVariable } from "../agent/control";
import { TestAgent } from "./agent";
import { ControlServer } from "./control";
import { agentFolder } from "./install";
import { folderVariable, stopKeeper } from "./sidecar";
import { type WindowOptions, Workbench } from "./workbench";

/** The folder for screenshots and logs of failures. */
export const outputFolder = path.join(root, "extension/test/out");

/** How an editor is started. */
export interface EditorOptions extends WindowOptions {
  /** The workspace's folder (default: a new one). */
  workspace?: string;
  /** Files of the workspace, by name. */
  files?: Record<string, string | Uint8Array>;
  /** The user's settings. */
  settings?: Record<string, unknown>;
  /** More environment variables for the extension host. */
  env?: Record<string, string>;
}

type Cleanup = () => unknown;

/** How long the editor may take to save a chat. */
const chatSavedTimeout = 60_000;

/** A running editor with everything that a test needs. Stop it, even after a failure. */
export class Editor {
  private constructor(
    private readonly control: ControlServer,
    private readonly cleanups: Cleanup[],
    /** Contains all files that this editor writes. Its environment has it as FOLLOWUP_TEST_FOLDER, to identify its processes. */
    readonly folder: string,
    readonly workbench: Workbench,
    readonly agent: TestAgent,
    private readonly browser: Browser,
    private readonly restartServer: () => Promise<void>,
  ) {}

  /** Starts everything, and cleans up if a part of it fails. */
  static async start(options: EditorOptions = {}): Promise<Editor> {
    const folder = await mkdtemp(path.join(tmpdir(), "followup-editor-"));
    const cleanups: Cleanup[] = [
      () => stopKeeper(folder),
      () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
    ];
    let pictures = async () => {};
    try {
      const control = await ControlServer.start();
      cleanups.unshift(() => control.stop());
      const folders = prepareFolders(folder, {
        "editor.cursorBlinking": "solid",
        ...(options.copilot ? copilotSettings : {}),
        ...options.settings,
      });
      const installed = inject("extensions");
      const copied = options.development ? agentFolder : "";
      await cp(path.join(installed, copied), path.join(folders.extensions, copied), { recursive: true });
      const workspace = options.workspace ?? path.join(folder, "workspace");
      await mkdir(workspace, { recursive: true });
      for (const [name, text] of Object.entries(options.files ?? {}))
        await writeFile(path.join(workspace, name), text);
      const serverOptions = {
        folders,
        workspace,
        development: options.development !== undefined,
        env: { ...options.env, [controlVariable]: String(control.port), [folderVariable]: folder },
      };
      let server = await startCodeServer(serverOptions);
      const restart = async () => {
        const port = Number(new URL(server.url).port);
        await server.stop();
        server = await startCodeServer({ ...serverOptions, port });
      };
      cleanups.unshift(() => server.stop());
      const browser = await browserOfTests();
      cleanups.unshift(async () => {
        for (const context of browser.contexts()) await context.close();
      });
      pictures = () => savePictures(browser, "start");
      const workbench = await Workbench.open(browser, server.url, workspace, options);
      const editor = new Editor(
        control,
        cleanups,
        folder,
        workbench,
        new TestAgent(control),
        browser,
        restart,
      );
      await control.connected();
      return editor;
    } catch (error) {
      await runAll([() => keepLogs(folder, "start"), pictures, ...cleanups]).catch(() => {});
      throw error;
    }
  }

  /** Ends everything and removes its folders. */
  async stop(): Promise<void> {
    await runAll(this.cleanups);
  }

  /** Reloads the window, as "Developer: Reload Window" does, and waits for the new extension host's agent. */
  async reload(): Promise<void> {
    const next = this.control.next();
    await this.workbench.runCommand("Developer: Reload Window");
    await next;
  }

  /** Opens another window on the same folder, and waits for its extension host's agent, which gets all requests from then on. */
  async anotherWindow(): Promise<Page> {
    const next = this.control.next();
    const page = await this.workbench.page.context().newPage();
    await page.goto(this.workbench.page.url());
    await page.locator(".monaco-workbench").waitFor();
    await next;
    return page;
  }

  /** Stops the server with all its processes, starts it again and reopens the window. */
  async restart(): Promise<void> {
    const next = this.control.next();
    await this.restartServer();
    await this.workbench.load();
    await next;
  }

  /** The log of the extension host, and of Followup's output channel. */
  async logs(): Promise<string> {
    return await readLogs(this.folder);
  }

  /** Waits until the editor has saved a chat with all these texts, because a reload loses unsaved ones. */
  async chatSaved(...texts: string[]): Promise<void> {
    const storage = path.join(this.folder, "user-data/User/workspaceStorage");
    await vi.waitFor(
      async () => {
        const names = await readdir(storage, { recursive: true });
        const files = names.filter((name) => /chatSessions.*\.jsonl?$/.test(name));
        const chats = await Promise.all(files.map((name) => readFile(path.join(storage, name), "utf8")));
        if (!chats.some((chat) => texts.every((text) => chat.includes(text))))
          throw new Error(`no chat is saved with ${texts.join(" and ")}`);
      },
      { timeout: chatSavedTimeout, interval: 100 },
    );
  }

  /** Saves a screenshot under the given name; returns its path. */
  async screenshot(name: string): Promise<string> {
    const file = path.join(outputFolder, `${name}.png`);
    await mkdir(outputFolder, { recursive: true });
    await this.workbench.page.screenshot({ path: file });
    return file;
  }

  /** Saves logs and screenshots of a failure, and prints their paths. */
  async report(name: string): Promise<void> {
    await keepLogs(this.folder, name);
    await savePictures(this.browser, name);
  }
}

/** Runs all steps in order, even after failures; then throws the first failure. */
async function runAll(steps: Cleanup[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** The chat also asks its scripted model for titles, instead of offering to set up another one. */
const copilotSettings = { "chat.byokUtilityModelDefault": "mainAgent" };

let launched: Promise<Browser> | undefined;

/** The browser of all test files in this process, which ends with the process. Its flags keep it from using the network. */
export async function browserOfTests(): Promise<Browser> {
  const browser = await launched?.catch(() => undefined);
  if (browser?.isConnected()) return browser;
  const executablePath = findShell();
  if (!executablePath) throw new Error("Chromium is missing; run: node extension/scripts/install-editor.mjs");
  launched = chromium.launch({ executablePath, args: briefPageFlags });
  return await launched;
}

/** A picture of every page of a browser, and the interface's state in its frames. */
async function savePictures(browser: Browser, name: string): Promise<void> {
  const pages = browser.contexts().flatMap((context) => context.pages());
  for (const [index, page] of pages.entries()) {
    const file = path.join(outputFolder, `failed-${name}${index === 0 ? "" : `-${index}`}.png`);
    await mkdir(outputFolder, { recursive: true });
    // A hanging page cannot be captured; the test's own failure has more details.
    const picture = await page.screenshot({ path: file }).then(
      () => file,
      (error: Error) => error.message,
    );
    process.stderr.write(`screenshot: ${picture}\n`);
    for (const frame of page.frames()) process.stderr.write(await held(frame));
  }
}

/** A line for the interface and for each card in a frame, with its state. */
async function held(frame: Frame): Promise<string> {
  const lines = await frame
    .locator("followup-app, followup-card")
    .evaluateAll((all) =>
      all.map(({ localName, attributes, textContent }) =>
        [
          localName,
          ...[...attributes].map(({ name, value }) => `${name}="${value}"`),
          localName === "followup-card" ? (textContent ?? "").replace(/\s+/g, " ").slice(0, 60) : "",
        ].join(" "),
      ),
    )
    .catch(() => []);
  return lines.map((line) => `  ${line}\n`).join("");
}

async function readLogs(folder: string): Promise<string> {
  const logs = path.join(folder, "user-data/logs");
  const names = await readdir(logs, { recursive: true }).catch(() => []);
  // Each start of the server has a folder named after its time.
  const wanted = names.filter((name) => /remoteexthost\.log$|Followup[^/]*\.log$/.test(name)).sort();
  const texts = wanted.map(async (name) => `==== ${name}\n${await readFile(path.join(logs, name), "utf8")}`);
  return (await Promise.all(texts)).join("\n");
}

async function keepLogs(folder: string, name: string): Promise<void> {
  const file = path.join(outputFolder, `failed-${name}.log`);
  await mkdir(outputFolder, { recursive: true });
  await writeFile(file, await readLogs(folder));
  process.stderr.write(`extension host's log: ${file}\n`);
}
