// A conversation in Chromium: the reference host of MCP Apps, and the real `followup mcp`.

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser, FrameLocator, Page } from "playwright-core";
import { expect } from "vitest";
import type { Showing } from "./chatHost";
import type { Program } from "./web";

const bundles = new Map<string, Promise<string>>();

/** A file's script for Chromium. */
function script(name: string): Promise<string> {
  const bundle =
    bundles.get(name) ??
    build({
      entryPoints: [fileURLToPath(new URL(name, import.meta.url))],
      bundle: true,
      write: false,
      format: "iife",
      platform: "browser",
      define: { "process.env.NODE_ENV": '"production"' },
      logLevel: "warning",
    }).then(({ outputFiles: [file] }) => file?.text ?? "");
  bundles.set(name, bundle);
  return bundle;
}

/** Another origin, for a host that isolates apps. */
const sandbox = "http://sandbox.example/";

/** A conversation with an agent that has started `followup mcp`. */
export class Chat {
  private server: ChildProcess | undefined;
  /** Forbidden actions of the page. */
  readonly problems: string[] = [];

  private constructor(
    private readonly program: Program,
    private readonly storage: string,
    readonly page: Page,
  ) {}

  static async open(program: Program, browser: Browser, storage: string, options = {}): Promise<Chat> {
    const context = await browser.newContext({ viewport: { width: 420, height: 900 }, ...options });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    const chat = new Chat(program, storage, page);
    page.on("console", (message) => {
      if (message.type() === "error") {
        chat.problems.push(message.text());
      }
    });
    page.on("pageerror", (error) => chat.problems.push(String(error)));
    page.on("dialog", (dialog) => {
      chat.problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.exposeFunction("toServer", (line: string) => {
      chat.server?.stdin?.write(`${line}\n`);
    });
    await page.setContent('<!DOCTYPE html><body style="margin:12px">');
    await page.evaluate(await script("chatHost.ts"));
    await chat.start();
    return chat;
  }

  /** Starts the server, or a new one after it was killed. */
  async start(): Promise<void> {
    const server = this.program.mcp(this.storage);
    this.server = server;
    createInterface({ input: server.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      void this.page.evaluate((text) => window.fromServer?.(text), line).catch(() => {});
    });
    await this.page.evaluate(() => window.host.connect());
  }

  async killServer(): Promise<void> {
    const { server } = this;
    if (server !== undefined) {
      const exit = once(server, "exit");
      server.kill("SIGKILL");
      await exit;
      await this.page.evaluate(() => window.host.lose());
    }
  }

  /** The model asks, and the host shows the page. Returns the index of the call's result. */
  async ask(showing: Showing): Promise<number> {
    const index = await this.call(showing);
    await this.page.evaluate(([at, how]) => window.host.show(at, how), [index, showing] as const);
    return index;
  }

  /** Like ask, but MCP-UI's renderer shows the page. Also returns the page. */
  async askByMcpUi(showing: Showing): Promise<[call: number, app: FrameLocator]> {
    const body = await readFile(new URL("sandbox.html", import.meta.url), "utf8");
    await this.page
      .context()
      .route(`${sandbox}**`, (route) => route.fulfill({ contentType: "text/html", body }));
    await this.page.evaluate(await script("chatFrame.ts"));
    const index = await this.call(showing);
    await this.page.evaluate(([at, how, url]) => window.showByMcpUi(at, how, url), [
      index,
      showing,
      sandbox,
    ] as const);
    return [index, this.page.frameLocator("iframe").frameLocator("iframe")];
  }

  call(showing: Showing): Promise<number> {
    return this.page.evaluate((how) => window.host.call(how), showing);
  }

  /** The page in the frame at an index. */
  app(at = 0): FrameLocator {
    return this.page.frameLocator(`iframe >> nth=${at}`);
  }

  /** Waits until a card can be answered. */
  async answerable(at = 0): Promise<void> {
    await this.app(at).locator('followup-card[data-state="pending"]:not([data-fresh])').waitFor();
  }

  /** The model's result. */
  async result(index: number): Promise<string> {
    const handle = await this.page.waitForFunction((at) => window.host.results[at], index);
    const result = (await handle.jsonValue()) as { content: { text?: string }[] };
    return result.content.map(({ text = "" }) => text).join("\n");
  }

  /** Checks that no content of the page is higher than its frame. */
  async fits(at = 0): Promise<void> {
    await expect
      .poll(() =>
        this.app(at)
          .locator("html")
          .evaluate((root) => {
            const scrolls = [...root.querySelectorAll("followup-card *")].filter(
              (element) =>
                element.scrollHeight > element.clientHeight + 1 &&
                /auto|scroll/.test(getComputedStyle(element).overflowY),
            );
            const beyond = Math.ceil(document.body.getBoundingClientRect().height) - window.innerHeight;
            return { beyond, scrolls: scrolls.map(({ outerHTML }) => outerHTML.slice(0, 80)) };
          }),
      )
      .toEqual({ beyond: 0, scrolls: [] });
  }

  /** Waits until every frame is drawn in its current state. */
  async painted(): Promise<void> {
    for (const frame of this.page.frames()) {
      await frame.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
      );
    }
  }

  async close(): Promise<void> {
    await this.page.context().close();
    const { server } = this;
    if (server !== undefined && server.exitCode === null && server.signalCode === null) {
      const exit = once(server, "exit");
      server.stdin?.end();
      await exit;
    }
  }
}
