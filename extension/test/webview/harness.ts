// Opens the built interface in Chromium, with a fake for the editor's side of it.

import type { Locator, Page } from "playwright-core";
import { afterEach, beforeAll, expect } from "vitest";
import type { Draft } from "../../src/protocol.gen";
import { passes } from "../wait";
import { type Heard, heardIn, linesOf, type Message, type Posted } from "./script";
import { type PageSettings, Stage, type Turn } from "./stage";

/** Data that tests store in the page. */
declare global {
  interface Window {
    /** How many characters of text were inserted into the page and removed from it, for tests that count them. */
    written: { characters: number; removed: number };
    /** How often the focus has moved, for tests that count it. */
    focusMoves: number;
  }
}

export interface ViewOptions extends PageSettings {
  /** The drafts in the host's first message. */
  drafts?: Record<string, Draft>;
  strings?: Record<string, string>;
  locale?: string;
  /** The host has a diff view. */
  diffs?: boolean;
  /** Omits the host's first message. */
  silent?: boolean;
}

/** The page's imports. Never called: they tell `vitest --changed` which tests open the page. */
export const shown = () => [import("../../webview/components/app"), import("../../webview/controller")];

let stage: Stage;
/** The browser of all test files in this process; it ends with the process. */
let opened: Promise<Stage> | undefined;

/**
 * Starts the browser for a test file. A test fails if the page reports an error or violates its content
 * security policy.
 */
export function useBrowser(): void {
  beforeAll(async () => {
    opened ??= Stage.open();
    stage = await opened;
  });
  afterEach(async ({ task }) => {
    expect(await stage.end(task.result?.state !== "fail")).toEqual([]);
  });
}

/** The interface in the browser, and the host's side of it. */
export class View {
  readonly page: Page;

  constructor(private readonly turn: Turn) {
    this.page = turn.page;
  }

  /** Releases the page before the case ends. */
  async close(): Promise<void> {
    expect(await stage.end(true, this.turn)).toEqual([]);
  }

  /** Whether the case that opened it is still running. */
  get isOpen(): boolean {
    return !this.turn.over;
  }

  /** Calls a function with each message that the interface has sent and will send. */
  listen(listener: (message: Heard) => void): void {
    const hear = (message: Message) => {
      const heard = heardIn(message);
      if (heard) {
        listener(heard);
      }
    };
    this.turn.received.forEach(hear);
    this.turn.listener = hear;
  }

  /** Sends messages to the page, and then waits as long as a user looks at a change before acting. */
  post(...messages: Posted[]): Promise<void> {
    return this.tell(messages, 1000);
  }

  /** Sends messages to the page; the next act follows at the same moment. */
  postNow(...messages: Posted[]): Promise<void> {
    return this.tell(messages, 0);
  }

  /** Sends messages to the page, and lets a number of milliseconds pass. */
  private async tell(messages: Posted[], time: number): Promise<void> {
    if (this.turn.over) {
      throw new Error("the case has ended");
    }
    await this.page.evaluate(
      async ({ lines, time }) => {
        window.play(lines);
        // The page draws in the first frame, and knows in the third that the screen shows it.
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        await frame();
        await frame();
        await frame();
        await new Promise((resolve) => setTimeout(resolve));
        window.clock.advance(time);
      },
      { lines: messages.flatMap(linesOf), time },
    );
  }

  /** All messages that the interface has sent. */
  async sent(): Promise<Heard[]> {
    const messages = await this.page.evaluate(() => window.sentMessages);
    return messages.flatMap((message) => heardIn(message) ?? []);
  }

  /** The messages of one type that the interface has sent. */
  async sentOf<Type extends Heard["type"]>(type: Type): Promise<Extract<Heard, { type: Type }>[]> {
    const sent = await this.sent();
    return sent.filter((message): message is Extract<Heard, { type: Type }> => message.type === type);
  }

  /** Waits for the newest message of a type to satisfy the check. */
  async waitFor<Type extends Heard["type"]>(
    type: Type,
    check: (message: Extract<Heard, { type: Type }>) => boolean = () => true,
  ): Promise<Extract<Heard, { type: Type }>> {
    return until(async () => {
      const message = (await this.sentOf(type)).at(-1);
      return message !== undefined && check(message) ? message : undefined;
    });
  }

  /** Reserves the page for this case, which is about to change something of the browser in it. */
  spoil(): void {
    this.turn.spoiled = true;
  }

  /** Lets the test pass despite a problem of the page that it provoked. */
  forgive(problem: RegExp): void {
    this.turn.problems = this.turn.problems.filter((each) => !problem.test(each));
  }

  card(id: string): Locator {
    return this.page.locator(`followup-card[data-id="${id}"]`);
  }

  state(id: string): Promise<string | null> {
    return this.card(id).getAttribute("data-state");
  }

  /** Unfolds a closed card. */
  async unfold(id: string): Promise<void> {
    await this.card(id).locator(".closed-line .folded-title").click();
  }

  box(id: string): Locator {
    return this.card(id).locator(".composer textarea");
  }

  suggestion(id: string, index: number): Locator {
    return this.card(id).locator(`.choose[data-index="${index}"]`);
  }

  /** A card's button with a name. */
  button(id: string, name: string): Locator {
    return this.card(id).getByRole("button", { name, exact: true });
  }

  /** A questionnaire's button, in any language. */
  control(id: string, name: "back" | "next" | "leave-out" | "submit" | "add-note" | "reply"): Locator {
    return this.card(id).locator(`.${name}`);
  }

  /** The input or the button of a questionnaire's option. */
  option(id: string, index: number): Locator {
    return this.card(id).locator(`.option[data-index="${index}"] :is(.marker input, .choose)`);
  }

  /** The box for the user's own words next to a question's options. */
  own(id: string): Locator {
    return this.card(id).locator(".option.other textarea");
  }

  tab(id: string, index: number): Locator {
    return this.card(id).getByRole("tab").nth(index);
  }

  /** Dismisses the question and refuses that; the keyboard focus does not move. */
  async refuse(id: string, message: string): Promise<void> {
    await this.card(id)
      .locator(".dismiss")
      .evaluate((button: HTMLElement) => button.click());
    await this.post({ type: "refused", id, message });
  }

  /** Lets a number of milliseconds pass for the page's events. */
  async advance(time: number): Promise<void> {
    await this.page.evaluate((by) => window.clock.advance(by), time);
  }

  /** Waits until the screen shows the current page. */
  async shown(): Promise<void> {
    await this.page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame++) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    });
  }

  /** Stops the clock of the page's events; the test then advances it. */
  async stopClock(): Promise<void> {
    await this.page.evaluate(() => window.clock.stop());
  }

  /** Waits until the user's next act starts a new gesture. */
  async gestureOver(): Promise<void> {
    await this.advance(1000);
  }

  /** Pastes a text into the focused element. */
  async paste(text: string): Promise<void> {
    await this.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await this.page.keyboard.press("Control+v");
    await this.page.evaluate(() => window.editorDone);
  }

  /** A short name of the focused element. */
  focus(): Promise<string> {
    return this.page.evaluate(() => {
      const element = document.activeElement;
      if (element === document.body) {
        return "body";
      }
      const index = element?.getAttribute("data-index");
      return `${element?.localName}${element?.className ? `.${element.className.split(" ").at(-1)}` : ""}${index ? `[${index}]` : ""}`;
    });
  }

  /** Reloads the page, as the editor does, and sends the first message. */
  async reload(init: Partial<ViewOptions> = {}): Promise<void> {
    await this.page.reload();
    await this.waitFor("ready");
    await this.post(initMessage(init));
  }
}

/** Opens the interface in another page; the test's earlier pages stay. */
export async function openView(options: ViewOptions = {}): Promise<View> {
  const view = new View(await stage.take(options));
  await view.waitFor("ready");
  if (!options.silent) {
    await view.post(initMessage(options));
  }
  return view;
}

export function initMessage(options: ViewOptions): Posted {
  const { drafts = {}, strings = {}, locale = "en", diffs } = options;
  return { type: "init", strings, locale, drafts, diffs };
}

/** Waits until `probe` returns something. */
export function until<Value>(probe: () => Promise<Value | undefined>): Promise<Value> {
  return passes(async () => {
    const value = await probe();
    if (value === undefined) {
      throw new Error("what was waited for did not come");
    }
    return value;
  });
}
