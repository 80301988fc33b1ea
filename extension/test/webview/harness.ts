// Opens the built interface in Chromium, with a stand-in for the editor's side of it.

import type { Locator, Page } from "playwright-core";
import { afterEach, beforeAll, expect } from "vitest";
import type { Draft } from "../../src/protocol.gen";
import { passes } from "../wait";
import { type Heard, heardIn, linesOf, type Message, type Posted } from "./script";
import { type PageSettings, Stage, type Turn } from "./stage";

/** What tests keep in the page. */
declare global {
  interface Window {
    /** How many characters of text were put into the page and taken away, for tests that count them. */
    written: { characters: number; removed: number };
    /** How often the focus has moved, for tests that count it. */
    focusMoves: number;
  }
}

export interface ViewOptions extends PageSettings {
  /** The drafts that come with the host's first message. */
  drafts?: Record<string, Draft>;
  strings?: Record<string, string>;
  locale?: string;
  /** The host has a diff view. */
  diffs?: boolean;
  /** Leave out the host's first message. */
  silent?: boolean;
}

/** What the page shows. It is never called: by these imports, `vitest --changed` knows the tests that open the page. */
export const shown = () => [import("../../webview/components/app"), import("../../webview/controller")];

let stage: Stage;
/** The browser of all test files that this process runs, one after the other; it ends with the process. */
let opened: Promise<Stage> | undefined;

/**
 * Has the browser for a test file; a test fails when the page reports an error or breaks its content
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

  /** Gives the page back before the case ends. */
  async close(): Promise<void> {
    expect(await stage.end(true, this.turn)).toEqual([]);
  }

  /** The case that opened it has not ended. */
  get isOpen(): boolean {
    return !this.turn.over;
  }

  /** Has a function called with each message that the interface has sent and will send. */
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

  /** Sends the page something, and lets the user look at the change before they act. */
  post(...messages: Posted[]): Promise<void> {
    return this.tell(messages, 1000);
  }

  /** Sends the page something; what follows comes at the same moment. */
  postNow(...messages: Posted[]): Promise<void> {
    return this.tell(messages, 0);
  }

  /** Sends the page something, and lets so many milliseconds pass. */
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

  /** All that the interface has sent. */
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

  /** Has no other case get the page: something of the browser's own is about to be changed in it. */
  spoil(): void {
    this.turn.spoiled = true;
  }

  /** Lets the test pass although the page reported a problem that it provoked. */
  forgive(problem: RegExp): void {
    this.turn.problems = this.turn.problems.filter((each) => !problem.test(each));
  }

  card(id: string): Locator {
    return this.page.locator(`followup-card[data-id="${id}"]`);
  }

  state(id: string): Promise<string | null> {
    return this.card(id).getAttribute("data-state");
  }

  /** Shows all of a card that is closed. */
  async unfold(id: string): Promise<void> {
    await this.card(id).locator(".closed-line .folded-title").click();
  }

  box(id: string): Locator {
    return this.card(id).locator(".composer textarea");
  }

  suggestion(id: string, index: number): Locator {
    return this.card(id).locator(`.choose[data-index="${index}"]`);
  }

  /** A button of a card's by its name. */
  button(id: string, name: string): Locator {
    return this.card(id).getByRole("button", { name, exact: true });
  }

  /** A button of a questionnaire's in whatever language. */
  control(id: string, name: "back" | "next" | "leave-out" | "submit" | "add-note" | "reply"): Locator {
    return this.card(id).locator(`.${name}`);
  }

  /** The input or the button of a questionnaire's option. */
  option(id: string, index: number): Locator {
    return this.card(id).locator(`.option[data-index="${index}"] :is(.marker input, .choose)`);
  }

  /** The box for the user's own words beside the options of a question. */
  own(id: string): Locator {
    return this.card(id).locator(".option.other textarea");
  }

  tab(id: string, index: number): Locator {
    return this.card(id).getByRole("tab").nth(index);
  }

  /** Has the question dismissed, and the dismissal refused; the keyboard focus does not move. */
  async refuse(id: string, message: string): Promise<void> {
    await this.card(id)
      .locator(".dismiss")
      .evaluate((button: HTMLElement) => button.click());
    await this.post({ type: "refused", id, message });
  }

  /** Lets that much time pass for the events of the page, in milliseconds. */
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

  /** Stops the clock of the page's events, which the test then advances. */
  async stopClock(): Promise<void> {
    await this.page.evaluate(() => window.clock.stop());
  }

  /** What the user does next is no part of the gesture before it any more. */
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

  /** Loads the page again, as the editor does, and sends the first message. */
  async reload(init: Partial<ViewOptions> = {}): Promise<void> {
    await this.page.reload();
    await this.waitFor("ready");
    await this.post(initMessage(init));
  }
}

/** Opens the interface in a page of its own; the earlier one of the test stays. */
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
