// An editor's window without the editor: the page in Chromium, the host's end of its pipe in this process,
// and the real sidecar. For a question's path between the agent, the sidecar and the page.

import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { Agents } from "../../src/agents/agents";
import type { FollowupSession } from "../../src/agents/api";
import { uuidv7 } from "../../src/agents/api";
import { Pages, type PagesOptions, type Port } from "../../src/page/pages";
import { hostClearClosed } from "../../src/protocol.gen";
import { Sidecar } from "../../src/sidecar/sidecar";
import { FakeLog } from "../unit/fake/log";
import { browserOfWorker } from "./browsers";
import { installClock } from "./clock";
import { editorFrame } from "./frame";
import { type Server, serve } from "./server";
import { Program } from "./web";

declare global {
  interface Window {
    /** Passes a message of the page to the host. */
    postToHost(message: unknown): void;
  }
}

/** What windows need to be opened. */
interface Surroundings {
  program: Program;
  browser: Browser;
  server: Server;
  storage: string;
  begun: Begun;
}

/** The cleanups of everything that was started, so that nothing is left if a later step fails. */
type Begun = (() => Promise<unknown>)[];

/** How long a page may take to draw a change, in milliseconds. Only a hanging page takes that long. */
const drawLimit = 60_000;

/** The page of a window, and its agents. */
export class EditorWindow {
  /** The page's errors. */
  readonly problems: string[] = [];
  private readonly sessions: FollowupSession[] = [];
  private listener: (message: unknown) => void = () => {};
  /** Called with each message of the page, and passes it on. */
  between: (message: unknown, handOn: () => void) => void = (_, handOn) => handOn();

  private constructor(
    readonly page: Page,
    readonly sidecar: Sidecar,
    private readonly agents: Agents,
    private readonly pages: Pages,
  ) {}

  /** Opens a window, which is closed with its surroundings. */
  static async open({ program, browser, server, storage, begun }: Surroundings): Promise<EditorWindow> {
    const context = await browser.newContext({ locale: "en-US", viewport: { width: 400, height: 700 } });
    begun.push(() => context.close());
    context.setDefaultTimeout(60_000);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const log = new FakeLog();
    const sidecar = new Sidecar({
      launch: () => ({ command: program.binary, args: ["serve"] }),
      greeting: () => ({
        processId: process.pid,
        initializationOptions: { locale: "en", storageFolder: storage },
      }),
      trace: () => "off",
      log,
    });
    const agents = new Agents(sidecar);
    const pages = new Pages({
      state: { strings: {}, locale: "en", folders: [], keep: true, phrases: [], commands: [], trouble: null },
      sidecar,
      host: new Proxy({} as PagesOptions["host"], { get: () => async () => ({}) }),
      log,
    });
    sidecar.onDidChangeState(({ kind }) =>
      pages.change({
        trouble:
          kind === "running" ? null : { message: "The sidecar is away.", restarting: kind === "restarting" },
      }),
    );
    const page = await context.newPage();
    const opened = new EditorWindow(page, sidecar, agents, pages);
    page.on("pageerror", (error) => opened.problems.push(`error in the page: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") {
        opened.problems.push(`${message.type()} in the console: ${message.text()}`);
      }
    });
    await page.exposeFunction("postToHost", (message: unknown) =>
      opened.between(message, () => opened.listener(message)),
    );
    await page.addInitScript(installClock);
    await page.addInitScript(editorFrame);
    await page.addInitScript(() => {
      const api = { postMessage: (message: unknown) => window.postToHost(message) };
      Object.assign(window, { acquireVsCodeApi: () => api });
    });
    pages.create().connect(opened.port());
    begun.push(() => sidecar.stop());
    sidecar.start();
    await page.goto(`${server.url("dark")}&platform=desktop`);
    await page.locator(".empty").waitFor();
    return opened;
  }

  /** Opens an agent's session, which is closed after the case. */
  async openSession(agent = "Harbour"): Promise<FollowupSession> {
    const session = await this.agents.openSession({ agent, key: uuidv7() });
    this.sessions.push(session);
    return session;
  }

  /** The card of a question, by a part of a text on it; waits until it is there. It stays that card when the text goes. */
  async card(text: string): Promise<Locator> {
    const id = await this.page.locator("followup-card", { hasText: text }).getAttribute("data-id");
    return this.page.locator(`followup-card[data-id="${id}"]`);
  }

  /** Waits until the cards on the page accept acts. */
  async rest(): Promise<void> {
    await this.page.evaluate(async (limit) => {
      await new Promise<unknown>((resolve, reject) => {
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        setTimeout(() => reject(new Error("the page draws nothing")), limit);
      });
      window.clock.advance(1000);
    }, drawLimit);
  }

  /** Clicks the button that answers the question once it accepts acts, and waits until the question is closed. */
  async answer(card: Locator, button: Locator, act: "click" | "Enter" = "click"): Promise<void> {
    const state = () => card.getAttribute("data-state");
    await expect.poll(state).toBe("pending");
    await expect.poll(() => button.isEnabled()).toBe(true);
    await this.rest();
    await (act === "click" ? button.click() : button.press(act));
    await expect.poll(state, { interval: 10 }).toBe("closed");
  }

  /** Closes the sessions of a case, and clears their cards. */
  async endCase(): Promise<void> {
    await Promise.all(this.sessions.splice(0).map((session) => session.close()));
    await expect.poll(() => this.page.locator('followup-card:not([data-state="closed"])').count()).toBe(0);
    await this.page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
      window.clock.start();
    });
    const left = async () => {
      this.pages.send(hostClearClosed, {});
      // All windows have a draft, and each keeps its unsent text on the card until the user clears it.
      for (const name of ["Clear from this view", "Clear Anyway"]) {
        await this.rest();
        for (const button of await this.page.getByRole("button", { name }).all()) {
          await button.click({ timeout: 1000 }).catch(() => {});
        }
      }
      return await this.page.locator("followup-card").count();
    };
    await expect.poll(left).toBe(0);
    expect(this.problems).toEqual([]);
  }

  private port(): Port {
    return {
      // A closed page gets nothing.
      post: (data) => {
        const tell = (data: unknown) => void window.dispatchEvent(new MessageEvent("message", { data }));
        void this.page.evaluate(tell, data).catch(() => {});
      },
      onMessage: (listener) => {
        this.listener = listener;
        return { dispose: () => {} };
      },
    };
  }
}

/** Opens windows on one store before the file's cases, which share them, and closes them after the last. */
export function useWindows(count: number): () => EditorWindow[] {
  const begun: Begun = [];
  const windows: EditorWindow[] = [];
  beforeAll(async () => {
    const begin = async <T>(thing: Promise<T>, end: (thing: T) => Promise<unknown>): Promise<T> => {
      const it = await thing;
      begun.push(() => end(it));
      return it;
    };
    const all = [
      begin(Program.build(), (it) => it.remove()),
      browserOfWorker(),
      begin(serve(), (it) => it.close()),
    ] as const;
    await Promise.allSettled(all); // if one fails, the others are still cleaned up
    const [program, browser, server] = await Promise.all(all);
    const surroundings = { program, browser, server, storage: await program.storage(), begun };
    while (windows.length < count) {
      windows.push(await EditorWindow.open(surroundings));
    }
  });
  afterEach(async () => {
    for (const window of windows) {
      await window.endCase();
    }
  });
  afterAll(async () => {
    for (const end of begun.splice(0).reverse()) {
      await end();
    }
  });
  return () => windows;
}
