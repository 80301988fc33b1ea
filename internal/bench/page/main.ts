// The page in Chromium as `followup web` serves it, driven over standard input one turn at a time. Package bench says how, and
// builds the program. A time ends when the browser has painted: in the first task behind a frame.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import type { BrowserContext, Page } from "playwright-core";
import { uuidv7 } from "../../../extension/src/agents/api";
import {
  inboxSubscribe,
  questionAsk,
  sessionClose,
  sessionGet,
  sessionOpen,
  streamAppend,
  streamEnd,
} from "../../../extension/src/protocol.gen";
import { Connection } from "../../../extension/src/sidecar/connection";
import type { Log } from "../../../extension/src/sidecar/log";
import { startProcess } from "../../../extension/src/sidecar/transport";

/** The project's packages and scripts stand where this is run, not where it is bundled to. */
const { chromium }: typeof import("playwright-core") = createRequire(resolve("package.json"))(
  "playwright-core",
);
const chromiumScript = pathToFileURL(resolve("extension/scripts/lib/chromium.mjs")).href;

/** What the script in the page knows. Times are in milliseconds since 1970. */
interface Watched {
  /** Expects a card that can be answered; the page's load does, too. */
  expect(): void;
  /** When the expected card was painted with buttons that can be clicked. */
  clickable: Promise<number>;
  /** How long the frames of a second are, from one to the next. */
  frames(): Promise<number[]>;
  /** How long each key took until it was painted, since this was last asked. */
  keys(): number[];
  /** How long the last click took until its card was painted closed. */
  closed: Promise<number>;
}

declare global {
  interface Window {
    watched: Watched;
  }
}

const silent: Log = {
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error: (message) => console.error(message),
};

/** Runs in the page before its script. */
function watch(): void {
  const now = () => performance.timeOrigin + performance.now();
  const painted = () =>
    new Promise<number>((done) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => done(now());
        port2.postMessage(null);
      }),
    );
  const buttons = 'followup-card[data-state="pending"] .choose:not(:disabled)';
  const keys: number[] = [];
  const watched: Watched = {
    clickable: Promise.resolve(0),
    expect: () => {
      watched.clickable = new Promise<number>((done) => {
        const observer = new MutationObserver(() => {
          if (document.querySelector(buttons) !== null) {
            observer.disconnect();
            void painted().then(done);
          }
        });
        observer.observe(document, {
          subtree: true,
          childList: true,
          attributeFilter: ["data-state", "disabled"],
        });
      });
    },
    frames: async () => {
      const times: number[] = [];
      while (times.length < 61) {
        times.push(await new Promise<number>((frame) => requestAnimationFrame(frame)));
      }
      return times.slice(1).map((time, index) => time - (times[index] ?? 0));
    },
    keys: () => keys.splice(0),
    closed: Promise.resolve(0),
  };
  window.watched = watched;
  watched.expect();
  window.addEventListener(
    "keydown",
    ({ timeStamp }) => void painted().then((time) => keys.push(time - performance.timeOrigin - timeStamp)),
    { capture: true },
  );
  window.addEventListener(
    "click",
    ({ target, timeStamp }) => {
      const card = (target as Element).closest<HTMLElement>("followup-card");
      if (card === null) {
        return;
      }
      watched.closed = new Promise<number>((done) => {
        new MutationObserver((_, observer) => {
          if (card.dataset.state === "closed") {
            observer.disconnect();
            void painted().then((time) => done(time - performance.timeOrigin - timeStamp));
          }
        }).observe(card, { attributeFilter: ["data-state"] });
      });
    },
    { capture: true },
  );
}

/** `followup web` on a store, an agent's sidecar beside it, and a page that is let in. */
class Place {
  private constructor(
    private readonly url: string,
    private readonly context: BrowserContext,
    private readonly sidecar: Connection,
    readonly page: Page,
    private asked: number,
    private readonly end: () => Promise<void>,
  ) {}

  static async open(followup: string, context: BrowserContext, questions: number): Promise<Place> {
    const storageFolder = mkdtempSync(join(tmpdir(), "followup-bench-page-"));
    const greeting = {
      processId: process.pid,
      clientInfo: { name: "bench" },
      initializationOptions: { storageFolder },
    };
    const transport = startProcess({ command: followup, args: ["serve", "--log-level", "error"] });
    const sidecar = new Connection(transport, silent);
    await sidecar.initialize(followup, greeting, "off");
    await sidecar.request(inboxSubscribe, {}); // as an editor's window does: there is somebody to see the questions
    const asked = Array.from({ length: questions }, (_, index) => Place.ask(sidecar, index));
    await Promise.all(asked);
    const args = ["web", "--json", "--storage", storageFolder, "--parent", String(process.pid)];
    const web = spawn(followup, args, { stdio: ["ignore", "pipe", "ignore"] });
    const [line] = (await once(createInterface({ input: web.stdout }), "line")) as [string];
    const { url } = JSON.parse(line) as { url: string };
    const page = await context.newPage();
    await page.goto(url);
    await page.locator("followup-card, .empty").first().waitFor();
    return new Place(url, context, sidecar, page, questions, async () => {
      await Promise.all([page.close(), sidecar.close()]);
      const ended = once(web, "exit");
      web.kill();
      await ended;
      spawnSync(followup, ["keeper", "stop", "--storage", storageFolder]); // it writes there for as long as it lingers
      rmSync(storageFolder, { recursive: true, force: true });
    });
  }

  /** An agent asks; settles when the question is there. */
  private static async ask(sidecar: Connection, index: number): Promise<void> {
    const { session } = await sidecar.request(sessionOpen, { agent: "bench", key: `waits ${index}` });
    const follow_up = ["Yes", "No", "Ask the others first"].map((text) => ({ text }));
    const input = { question: `Shall **step ${index}** of the plan be taken now, or later?`, follow_up };
    const params = { session, questionId: uuidv7(), tool: "ask_followup_question", input };
    sidecar.request(questionAsk, params).catch(() => {}); // nobody answers
    await sidecar.request(sessionGet, { session });
  }

  /** Streams a call and gives the milliseconds from its last byte to its buttons. */
  async stream(text: string): Promise<number> {
    const { sidecar, page } = this;
    const streamId = uuidv7();
    const { session } = await sidecar.request(sessionOpen, { agent: "bench", key: streamId });
    await sidecar.notify(streamAppend, { session, streamId, offset: 0, text: text.slice(0, -1) });
    await sidecar.request(sessionGet, { session });
    await page.evaluate(() => window.watched.expect());
    const begin = performance.timeOrigin + performance.now();
    const offset = Buffer.byteLength(text.slice(0, -1));
    await sidecar.notify(streamAppend, { session, streamId, offset, text: text.slice(-1) });
    const end = await page.evaluate(() => window.watched.clickable);
    await sidecar.request(streamEnd, { session, streamId, reason: "aborted" });
    await sidecar.request(sessionClose, { session });
    await page.locator('followup-card[data-state="pending"]').waitFor({ state: "detached" });
    return end - begin;
  }

  /** Reloads the page; returns the milliseconds from then to the first card. */
  async load(): Promise<number> {
    const page = await this.context.newPage();
    await page.goto(this.url.replace(/#.*/, ""));
    const took = await page.evaluate(async () => (await window.watched.clickable) - performance.timeOrigin);
    await page.close();
    return took;
  }

  /** Types into the first card's box; gives the milliseconds of the keys. */
  async type(count: number): Promise<number[]> {
    const box = this.page.locator("followup-card textarea").first();
    await box.click();
    await this.page.evaluate(() => window.watched.keys());
    for (let i = 0; i < count; i++) {
      await this.page.keyboard.press("x");
      await this.page.evaluate(() => new Promise((frame) => requestAnimationFrame(() => setTimeout(frame))));
    }
    await box.fill("");
    return (await this.page.evaluate(() => window.watched.keys())).slice(0, count);
  }

  /** Clicks on the first card's first answer; gives the milliseconds until the card is closed. Another question takes its place. */
  async answer(): Promise<number> {
    const { page, sidecar } = this;
    // A card that has just appeared takes no clicks.
    const settled = "followup-app:not(:has([data-fresh]))";
    const button = `${settled} followup-card[data-state="pending"] .choose:not(:disabled)`;
    await page.mouse.move(0, 0); // two clicks at one place are one gesture
    await page.locator(button).first().click();
    const took = await page.evaluate(() => window.watched.closed);
    await Place.ask(sidecar, this.asked++);
    return took;
  }

  close(): Promise<void> {
    return this.end();
  }
}

/** The value that so much of the sorted values lie below, in nanoseconds. */
function quantile(milliseconds: readonly number[], part: number): number {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) * 1e6);
}

async function repeated(times: number, once: () => Promise<number>): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < times; i++) {
    all.push(await once());
  }
  return all;
}

async function main(followup: string): Promise<void> {
  const { browserFlags, findBrowser }: typeof import("../../../extension/scripts/lib/chromium.mjs") =
    await import(chromiumScript);
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags });
  const places = new Map<number, Place>();
  /** The place with so many open questions. */
  const place = async (questions: number) => {
    const known = places.get(questions);
    if (known !== undefined) {
      await known.page.bringToFront();
      return known;
    }
    const context = await browser.newContext({ viewport: { width: 400, height: 800 } });
    await context.addInitScript(watch);
    const opened = await Place.open(followup, context, questions);
    places.set(questions, opened);
    return opened;
  };
  let text = "";
  const contenders: Readonly<Record<string, (times: number, questions: number) => Promise<number>>> = {
    frame: async () => quantile(await (await place(0)).page.evaluate(() => window.watched.frames()), 0.5),
    p50: async (times) => quantile(await repeated(times, async () => (await place(0)).stream(text)), 0.5),
    p95: async (times) => quantile(await repeated(times, async () => (await place(0)).stream(text)), 0.95),
    load: async (_, questions) => quantile([await (await place(questions)).load()], 0.5),
    key: async (times, questions) => quantile(await (await place(questions)).type(times), 0.5),
    answer: async (times, questions) =>
      quantile(await repeated(times, async () => (await place(questions)).answer()), 0.5),
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const order: { text?: string; run: string; times: number } = JSON.parse(line);
    if (order.text !== undefined) {
      text = order.text;
      continue;
    }
    const [name = "", questions] = order.run.split(" ");
    const answer = await contenders[name]?.(order.times, Number(questions ?? 0)).then(
      (ns) => ({ ns }),
      (error: unknown) => ({ error: String(error) }),
    );
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
  for (const each of places.values()) {
    await each.close();
  }
  await browser.close();
}

void main(process.argv[2] ?? "");
