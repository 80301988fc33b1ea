// A conversation in Chromium: the reference host of MCP Apps, and `followup mcp` as it is.

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser, FrameLocator, Page } from "playwright-core";
import { expect } from "vitest";
import type { Showing } from "./chatHost";
import type { Program } from "./web";

let bundled: Promise<string> | undefined;

/** The host's script. */
function hostScript(): Promise<string> {
  bundled ??= build({
    entryPoints: [fileURLToPath(new URL("chatHost.ts", import.meta.url))],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    logLevel: "warning",
  }).then(({ outputFiles: [file] }) => file?.text ?? "");
  return bundled;
}

/** A conversation with an agent that has started `followup mcp`. */
export class Chat {
  private server: ChildProcess | undefined;
  /** What the page did that it must not. */
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
    await page.evaluate(await hostScript());
    await chat.start();
    return chat;
  }

  /** Starts the server, or another one after it was killed. */
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

  /** The model asks, and the host shows the page; gives the call's place among the results. */
  async ask(showing: Showing): Promise<number> {
    const index = await this.call(showing);
    await this.page.evaluate(([at, how]) => window.host.show(at, how), [index, showing] as const);
    return index;
  }

  call(showing: Showing): Promise<number> {
    return this.page.evaluate((how) => window.host.call(how), showing);
  }

  /** The page in the frame at a place. */
  app(at = 0): FrameLocator {
    return this.page.frameLocator(`iframe >> nth=${at}`);
  }

  /** Waits until a card can be answered. */
  async answerable(at = 0): Promise<void> {
    await this.app(at).locator('followup-card[data-state="pending"]:not([data-fresh])').waitFor();
  }

  /** What the model is given. */
  async result(index: number): Promise<string> {
    const handle = await this.page.waitForFunction((at) => window.host.results[at], index);
    const result = (await handle.jsonValue()) as { content: { text?: string }[] };
    return result.content.map(({ text = "" }) => text).join("\n");
  }

  /** Checks that nothing in the page is higher than its frame. */
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

  /** Waits until every frame is drawn as it is now. */
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
