// The pages that the cases of a file share: one browser, usually with a single page, which is reset for each
// case, with an empty storage and the settings of a new page.

import type { Browser, Page } from "playwright-core";
import { browserOfWorker } from "./browsers";
import { installClock } from "./clock";
import { editorFrame, type Platform } from "./frame";
import { installRenewal } from "./renewal";
import type { Line, Message } from "./script";
import { type AppName, type Server, serve } from "./server";
import { bodyClasses, installThemes, type ThemeName } from "./themes";

/** The fake editor and sidecar, as the page sees them. */
declare global {
  interface Window {
    /** All messages that the page has sent. */
    sentMessages: Message[];
    /** Sends the page something, or responds to it. */
    play(lines: readonly Line[]): void;
    policyViolations: string[];
    /** Where the last click was, and when by its own clock. */
    lastClickAt: { x: number; y: number; time: number };
    /** Passes a case's message to the test when it is sent. */
    tellHost(message: Message, number: number): void;
  }
}

/** How a page is opened. */
export interface PageSettings {
  /** The interface to open; by default the questions'. */
  app?: AppName;
  theme?: ThemeName;
  width?: number;
  height?: number;
  reducedMotion?: Motion;
  /** Where the editor runs; by default as a program on Linux or Windows. */
  platform?: Platform;
}

type Motion = "reduce" | "no-preference";

/** A page, and the state of its case. */
export interface Turn {
  readonly page: Page;
  /** Identifies the case among those of a page. */
  number: number;
  /** The case has changed something that a later case would see: no other case gets the page. */
  spoiled?: boolean;
  /** The page's properties for as long as it is loaded; undefined before. */
  loaded?: { app: AppName; platform: Platform; reducedMotion: Motion };
  /** The page's errors. */
  problems: string[];
  /** The messages that the interface has sent. */
  readonly received: Message[];
  /** Receives the interface's messages. */
  listener: (message: Message) => void;
  /** The case has ended; another one may have the page. */
  over: boolean;
}

/** The pages of a worker's browser. */
export class Stage {
  private readonly free: Turn[] = [];
  private readonly taken: Turn[] = [];
  /** The pages in which something may be pressed. */
  private readonly pressed = new WeakSet<Page>();
  private cases = 0;

  private constructor(
    private readonly browser: Browser,
    private readonly server: Server,
  ) {}

  static async open(): Promise<Stage> {
    const [browser, server] = await Promise.all([browserOfWorker(), serve()]);
    return new Stage(browser, server);
  }

  async close(): Promise<void> {
    await Promise.all([...this.free, ...this.taken].map(({ page }) => page.context().close()));
    await this.server.close();
  }

  /** Loads the interface in a page that no case uses. */
  async take(settings: PageSettings): Promise<Turn> {
    const { app = "questions", platform = "desktop", theme = "dark", width = 320, height = 700 } = settings;
    const { reducedMotion = "no-preference" } = settings;
    const turn = this.free.pop() ?? (await this.newPage());
    this.taken.push(turn);
    const { page } = turn;
    turn.number = ++this.cases;
    const { number, loaded } = turn;
    // Each call to the browser costs as much as a small case, so unchanged settings are not sent again.
    const size = page.viewportSize();
    if (size?.width !== width || size.height !== height) {
      await page.setViewportSize({ width, height });
    }
    if (loaded?.reducedMotion !== reducedMotion) {
      await page.emulateMedia({
        reducedMotion,
        forcedColors: "none",
        colorScheme: "light",
        contrast: "no-preference",
      });
    }
    if (loaded?.app === app && loaded.platform === platform) {
      await page.evaluate(
        async ({ theme, number }) => {
          await navigator.clipboard.writeText(""); // all pages share the browser's clipboard
          await window.wearTheme(theme);
          window.renewPage(number);
        },
        { theme, number },
      );
    } else {
      await page.goto(`${this.server.url(theme, app)}&platform=${platform}&case=${number}`);
      await page.evaluate(() => navigator.clipboard.writeText(""));
    }
    turn.loaded = { app, platform, reducedMotion };
    return turn;
  }

  /**
   * Ends the turns of a case, or one of them, and returns the problems of their pages. A page is reused only if it had no
   * problem, the case passed, and the page was not spoiled.
   */
  async end(passed: boolean, only?: Turn): Promise<string[]> {
    const turns = this.taken.filter((turn) => only === undefined || turn === only);
    const found = await Promise.all(turns.map(problemsOf));
    const problems = found.flat();
    for (const turn of turns) {
      turn.over = true;
      this.taken.splice(this.taken.indexOf(turn), 1);
    }
    await Promise.all(
      turns.map((turn) => this.leave(turn, passed && !turn.spoiled && problems.length === 0)),
    );
    return problems;
  }

  private async leave(turn: Turn, keep: boolean): Promise<void> {
    const { page } = turn;
    if (page.isClosed()) {
      return;
    }
    if (!keep || this.free.length > 0 || page.context().pages().length > 1 || !(await this.released(page))) {
      await page.context().close();
      return;
    }
    for (const event of heardEvents) {
      page.removeAllListeners(event);
    }
    this.free.push(newTurn(page, turn.loaded));
  }

  /** Releases the keys and moves the mouse away; reports whether the page reacted in time, which a busy one does not. */
  private async released(page: Page): Promise<boolean> {
    const release = async () => {
      if (this.pressed.delete(page)) {
        for (const key of heldKeys) {
          await page.keyboard.up(key);
        }
        await page.mouse.up();
      }
      // The mouse has no position until it is moved.
      await page.mouse.move(-1, -1);
      return true;
    };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, 10_000, false);
    });
    return Promise.race([release().catch(() => false), late]).finally(() => clearTimeout(timer));
  }

  /** Records that a case presses something without releasing it at once. */
  private watchPresses(page: Page): void {
    const { keyboard, mouse } = page;
    const [key, button] = [keyboard.down.bind(keyboard), mouse.down.bind(mouse)];
    keyboard.down = (...args) => {
      this.pressed.add(page);
      return key(...args);
    };
    mouse.down = (...args) => {
      this.pressed.add(page);
      return button(...args);
    };
  }

  private async newPage(): Promise<Turn> {
    const context = await this.browser.newContext({ locale: "en-US", timezoneId: "UTC" });
    context.setDefaultTimeout(60_000);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await context.addInitScript(installClock);
    await context.addInitScript(standIn);
    await context.addInitScript(editorFrame);
    await context.addInitScript(installRenewal);
    await context.addInitScript(installThemes, bodyClasses);
    const page = await context.newPage();
    this.watchPresses(page);
    await page.exposeFunction("tellHost", (message: Message, number: number) => {
      const turn = this.taken.find((each) => each.page === page && each.number === number);
      turn?.received.push(message);
      turn?.listener(message);
    });
    return newTurn(page);
  }
}

/** Changes an open page's theme, like the editor when the user does. */
export async function wearTheme(page: Page, name: ThemeName): Promise<void> {
  await page.evaluate((name) => window.wearTheme(name), name);
}

/** A new turn of a page, with its report. */
function newTurn(page: Page, loaded?: Turn["loaded"]): Turn {
  const turn: Turn = { page, number: 0, loaded, problems: [], received: [], listener: () => {}, over: false };
  page.on("pageerror", (error) => turn.problems.push(`error in the page: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") {
      turn.problems.push(`${message.type()} in the console: ${message.text()}`);
    }
  });
  return turn;
}

/** The events to which a case may listen. */
const heardEvents = ["console", "dialog", "framenavigated", "pageerror", "popup", "request", "response"];

/** The keys that a case may have left pressed. */
const heldKeys = ["Shift", "Control", "Alt", "Meta", "Enter"];

async function problemsOf({ page, problems }: Turn): Promise<string[]> {
  const violations = page.isClosed() ? [] : await page.evaluate(() => window.policyViolations);
  return [...problems, ...violations];
}

/**
 * Runs in the page before its script: the editor's side of a webview. The state of setState() survives a
 * reload, but not the case.
 */
function standIn(): void {
  document.addEventListener("securitypolicyviolation", (event) => {
    window.policyViolations.push(`${event.violatedDirective} blocked ${event.blockedURI} ${event.sample}`);
  });
  window.addEventListener(
    "click",
    (event) => {
      window.lastClickAt = { x: event.clientX, y: event.clientY, time: event.timeStamp };
    },
    true,
  );
  // A page that was loaded for one case may be reloaded by a later one.
  const number = () => Number(sessionStorage.getItem("case"));
  const loadedFor = Number(new URL(location.href).searchParams.get("case"));
  if (number() < loadedFor) {
    sessionStorage.clear();
    localStorage.clear();
    sessionStorage.setItem("case", String(loadedFor));
  }
  // The part of the sidecar that every page needs: it saves drafts with their images, which survive a reload of the page.
  type Draft = { images?: { hash?: string; data?: string }[] } & Record<string, unknown>;
  type Item = { questionId: string; state: string; draft?: Draft };
  let saved: Record<string, Draft>;
  const open = new Map<number, Message>();
  const forget = () => {
    saved = JSON.parse(sessionStorage.getItem("drafts") ?? "{}");
    open.clear();
    window.sentMessages = [];
    window.policyViolations = [];
  };
  forget();
  window.forgetCase.push(forget);
  const store = () => sessionStorage.setItem("drafts", JSON.stringify(saved));
  const post = (message: unknown) => window.dispatchEvent(new MessageEvent("message", { data: message }));
  const reply = (id: number, outcome: object) => {
    open.delete(id);
    post({ jsonrpc: "2.0", id, ...outcome });
  };
  const save = ({ questionId, draft }: { questionId: string; draft: Draft }) => {
    const known = saved[questionId]?.images ?? [];
    const dataOf = (hash?: string) => known.find((image) => image.hash === hash)?.data;
    const images = draft.images?.map((image) => ({ ...image, data: image.data ?? dataOf(image.hash) }));
    const missing = images?.filter(({ data }) => data === undefined).map(({ hash }) => hash);
    if (missing?.length) {
      return { missing };
    }
    saved[questionId] = { ...draft, images };
    if (Object.keys(draft).length === 1) {
      delete saved[questionId];
    }
    store();
    return {};
  };
  const withDraft = (item: Item): Item => {
    if (item.state === "closed") {
      delete saved[item.questionId];
      store();
    }
    const draft = item.draft ?? saved[item.questionId];
    return draft ? { ...item, draft } : item;
  };
  const play = (line: Line): void => {
    if ("tell" in line) {
      const params = line.params as { items?: Item[] };
      const posted = params.items ? { ...params, items: params.items.map(withDraft) } : params;
      post({ jsonrpc: "2.0", method: line.tell, params: posted });
    } else if ("drafts" in line) {
      Object.assign(saved, line.drafts);
    } else {
      const fits = ([, { method = "", params }]: [number, Message]) =>
        line.answer.includes(method) &&
        Object.entries(line.where ?? {}).every(
          ([name, value]) => (params as Record<string, unknown>)[name] === value,
        );
      // A request with a given id may get two responses.
      const [id] =
        line.where?.id === undefined ? ([...open].findLast(fits) ?? []) : [line.where.id as number];
      if (id !== undefined) {
        reply(id, line.error ? { error: line.error } : { result: line.result });
      } else if (line.otherwise) {
        play(line.otherwise);
      } else {
        throw new Error(`the page has asked nothing by ${line.answer}`);
      }
    }
  };
  window.play = (lines) => lines.forEach(play);
  const apiOf = (mine: number) => ({
    postMessage: (sent: Message) => {
      if (mine !== number()) {
        return; // an earlier case's interface
      }
      const message = structuredClone(sent);
      const { id, method } = message;
      window.sentMessages.push(message);
      if (id !== undefined) {
        open.set(id, message);
      }
      if (id !== undefined && method === "inbox/subscribe") {
        queueMicrotask(() => reply(id, { result: { items: [] } }));
      } else if (id !== undefined && method === "question/saveDraft") {
        queueMicrotask(() => reply(id, { result: save(message.params as Parameters<typeof save>[0]) }));
      }
      window.tellHost(message, mine);
    },
  });
  Object.assign(window, { acquireVsCodeApi: () => apiOf(number()) });
}
