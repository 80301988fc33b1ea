// Nothing moves unless the user moves it, and one gesture decides one question.

import { describe, expect, it } from "vitest";
import { openView, useBrowser, type View } from "./harness";
import { ask, askAll, checks, database, styling } from "./questions";
import type { Heard, Posted } from "./script";

useBrowser();

const chosen = { outcome: "answered", provenance: "clicked", suggestion: 0, at: 1 } as const;
const withdrawn = { outcome: "withdrawn", at: 1 } as const;
const dangerous = {
  question: "Delete the production database?",
  suggest: [{ answer: "Yes, delete it" }, { answer: "Keep it" }],
};
const other = (state: "pending" | "queued" = "pending") =>
  ask("b", state, { order: 2, agent: "Kilo", payload: dangerous });
const over = (outcome: NonNullable<Extract<Posted, { type: "ask" }>["meta"]["outcome"]> = chosen) =>
  ask("a", "closed", { outcome });

/** The user's decisions, in the messages that would reach an agent. */
async function decided(view: View): Promise<string[]> {
  const kinds: Heard["type"][] = ["answer", "answerQuestions", "reply", "dismiss"];
  return (await view.sent()).flatMap((each) => (kinds.includes(each.type) && "id" in each ? each.id : []));
}

async function middle(view: View, selector: string): Promise<[number, number]> {
  const box = await view.page.locator(selector).boundingBox();
  return [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
}

const first = '[data-id="a"] .choose[data-index="0"]';

/** Acts a number of times, with a time between the events' timestamps; after the first act the sidecar sends its outcome. */
async function repeat(
  view: View,
  times: number,
  apart: number,
  act: () => Promise<void>,
  ...posted: Posted[]
) {
  await view.stopClock();
  for (let time = 0; time < times; time++) {
    await act();
    if (time === 0) {
      await view.postNow(...posted);
    }
    await view.advance(apart);
  }
}

describe("one gesture", () => {
  it.each([
    ["three clicks 250 ms apart", 3, 250],
    ["five clicks 400 ms apart", 5, 400],
    ["a double-click of 490 ms", 2, 490],
  ])("answers one question: %s", async (_, times, apart) => {
    const view = await openView();
    await view.post(ask("a"), other());
    const [x, y] = await middle(view, first);
    await repeat(view, times, apart, () => view.page.mouse.click(x, y), over());
    expect(await decided(view)).toEqual(["a"]);
  });

  it("answers one question of a queue", async () => {
    const view = await openView();
    await view.post(ask("a"), other("queued"));
    const [x, y] = await middle(view, first);
    await repeat(view, 2, 490, () => view.page.mouse.click(x, y), over(), other());
    expect(await decided(view)).toEqual(["a"]);
  });

  it("declines one question: three clicks on Dismiss", async () => {
    const view = await openView();
    await view.post(ask("a"), ask("b", "pending", { order: 2 }));
    const [x, y] = await middle(view, '[data-id="a"] .dismiss');
    await repeat(view, 3, 250, () => view.page.mouse.click(x, y), over({ outcome: "dismissed", at: 1 }));
    expect(await decided(view)).toEqual(["a"]);
  });

  it.each(["1", "Enter"])("answers one question: %s pressed three times", async (key) => {
    const view = await openView();
    await view.post(ask("a"), other());
    await view.suggestion("a", 0).focus();
    await repeat(view, 3, 250, () => view.page.keyboard.press(key), over());
    expect(await decided(view)).toEqual(["a"]);
  });

  it("ends once the pointer has moved, or after a second", async () => {
    const view = await openView({ height: 1200 });
    await view.post(ask("a"), other(), ask("c", "pending", { order: 3 }));
    await view.stopClock();
    await view.suggestion("a", 0).click();
    await view.suggestion("b", 0).click();
    expect(await decided(view)).toEqual(["a", "b"]);
    await view.suggestion("c", 0).focus();
    await view.page.keyboard.press("Enter");
    await view.advance(999);
    await view.page.keyboard.press("Enter");
    expect(await decided(view)).toEqual(["a", "b"]);
    await view.advance(1000);
    await view.page.keyboard.press("Enter");
    expect(await decided(view)).toEqual(["a", "b", "c"]);
  });

  it("never shows a request to try again", async () => {
    const view = await openView();
    await view.post(ask("a"), other());
    const [x, y] = await middle(view, first);
    await repeat(view, 3, 250, () => view.page.mouse.click(x, y), over());
    expect(await view.page.locator(".toast").textContent()).toBe("");
  });

  it("that moves from Next to Submit does not submit", async () => {
    const view = await openView();
    await view.post(askAll("a", [database, checks]));
    await view.option("a", 0).click();
    await view.control("a", "next").click();
    const [x, y] = await middle(view, '[data-id="a"] .next');
    await repeat(view, 3, 300, () => view.page.mouse.click(x, y));
    expect(await decided(view)).toEqual([]);
  });
});

/** A card's position in the view. */
const top = async (view: View, id: string) => (await view.card(id).boundingBox())?.y;

/** Host messages while the user is about to answer a question. */
const changes: [string, Posted[], Posted[]][] = [
  ["the question above was withdrawn", [ask("a"), other()], [{ type: "remove", id: "a" }]],
  ["the question above was answered elsewhere", [ask("a"), other()], [over()]],
  ["the question above became pending", [ask("a", "queued"), other()], [ask("a")]],
  [
    "the question above streams in",
    [ask("a", "streaming", { order: 0, payload: { question: "Which", suggest: [] } }), other()],
    [{ type: "append", id: "a", text: " of these?\n".repeat(9), suggest: [{ answer: "This" }] }, ask("a")],
  ],
  ["a bar appeared", [other()], [{ type: "storage", problem: "The disk is full. ".repeat(8) }]],
  ["an older question arrived", [other()], [ask("a", "pending", { order: 1 })]],
];

describe("the user's target keeps its position on the screen", () => {
  it.each(changes)("under the pointer: %s", async (_, before, change) => {
    const view = await openView({ height: 700 });
    for (const posted of before) {
      await view.post(posted);
    }
    const [x, y] = await middle(view, '[data-id="b"] .choose[data-index="0"]');
    await view.page.mouse.move(x, y);
    const stood = await top(view, "b");
    await view.post(...change);
    expect(await top(view, "b")).toBeCloseTo(stood ?? 0, 0);
    await view.page.mouse.click(x, y);
    expect(await decided(view)).toEqual(["b"]);
  });

  it.each(changes)("with the keyboard: %s", async (_, before, change) => {
    const view = await openView({ height: 700 });
    for (const posted of before) {
      await view.post(posted);
    }
    await view.box("b").pressSequentially("not ");
    const stood = await view.box("b").boundingBox();
    await view.post(...change);
    await view.page.keyboard.type("yet");
    expect(await view.box("b").inputValue()).toBe("not yet");
    expect((await view.box("b").boundingBox())?.y).toBeCloseTo(stood?.y ?? 0, 0);
  });
});

describe("a closing card", () => {
  it("stays in place as a line with question and answer, until unfolded", async () => {
    const view = await openView();
    await view.post(ask("a"), other());
    const stood = await top(view, "a");
    await view.post(over());
    expect(await top(view, "a")).toBe(stood);
    expect((await view.card("a").boundingBox())?.height).toBeLessThan(60);
    const line = view.card("a").locator(".closed-line");
    expect(await line.textContent()).toContain(styling.question);
    expect(await line.textContent()).toContain(styling.suggest[0]?.answer ?? "");
    await line.locator(".folded-title").click();
    expect(await view.card("a").locator(".outcome-line").textContent()).toContain("You chose suggestion 1");
  });

  it("releases its room when the pointer leaves, or nothing is open below it", async () => {
    const view = await openView({ height: 1200 });
    await view.post(ask("a"), other());
    const stood = (await top(view, "b")) ?? 0;
    await view.post(over());
    expect(await top(view, "b")).toBeCloseTo(stood, 0);
    await view.post(ask("b", "closed", { order: 2, payload: dangerous, outcome: withdrawn }));
    expect(await top(view, "b")).toBeLessThan(80);
    await view.post(ask("c", "pending", { order: 3 }), ask("d", "pending", { order: 4 }));
    await view.post(ask("c", "closed", { order: 3, outcome: withdrawn }));
    const apart = async () => ((await top(view, "d")) ?? 0) - ((await top(view, "c")) ?? 0);
    expect(await apart()).toBeGreaterThan(100);
    await view.page.evaluate(() => document.documentElement.dispatchEvent(new MouseEvent("mouseleave")));
    expect(await apart()).toBeLessThan(80);
  });

  it("releases its room if no open card is in view", async () => {
    const view = await openView({ height: 250 });
    await view.post(ask("a"), other());
    expect(await top(view, "b")).toBeGreaterThan(250);
    await view.post(over());
    await expect.poll(() => top(view, "b")).toBeLessThan(100);
  });

  it("stays in view if its upper part was scrolled away, and moves no other card", async () => {
    const view = await openView({ height: 400 });
    await view.post(ask("a"), other());
    await view.page.evaluate(() => window.scrollBy(0, 150));
    const stood = (await top(view, "b")) ?? 0;
    await view.post(over());
    expect(await top(view, "a")).toBeCloseTo(0, 0);
    expect(await top(view, "b")).toBeCloseTo(stood, 0);
  });

  it("stays with the other cards when new questions arrive at the end", async () => {
    const view = await openView({ height: 1200 });
    await view.post(ask("b", "pending", { order: 5 }), ask("c", "queued", { order: 6 }));
    await view.post(ask("b", "closed", { order: 5, outcome: withdrawn }));
    await view.post(ask("d", "pending", { order: 1 }));
    expect(await order(view)).toEqual(["b", "c", "d"]);
  });

  it("goes when the user leaves the view, unless it has unsent text", async () => {
    const view = await openView();
    view.spoil();
    await view.post(ask("a"), other(), ask("c", "pending", { order: 3 }));
    await view.box("c").fill("my words");
    await view.post(over(), ask("c", "closed", { order: 3, outcome: withdrawn }));
    await view.page.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: true, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    expect(await order(view)).toEqual(["b", "c"]);
    expect(await view.card("c").locator(".unsent-text").textContent()).toBe("my words");
  });
});

const order = (view: View) =>
  view.page
    .locator("followup-card")
    .evaluateAll((all) => all.map((card) => (card as HTMLElement).dataset.id));

describe("after an answer", () => {
  it.each<[string, (view: View) => Promise<void>]>([
    ["a click", (view) => view.suggestion("a", 0).click()],
    ["a dismissal", (view) => view.card("a").locator(".dismiss").click()],
    [
      "own words",
      async (view) => {
        await view.box("a").fill("mine");
        await view.box("a").press("Enter");
      },
    ],
  ])("by %s the focus is where digits act next", async (_, answer) => {
    const view = await openView();
    await view.post(ask("a"), other(), ask("c", "pending", { order: 3 }));
    await answer(view);
    await view.post(over());
    expect(await view.card("b").locator(".suggestion .digit").allTextContents()).toEqual(["1", "2"]);
    await view.page.keyboard.press("2");
    expect(await decided(view)).toEqual(["a", "b"]);
  });

  it.each([true, false])(
    "the next question scrolls into view, but not under the pointer: %s",
    async (byPointer) => {
      const view = await openView({ height: 300 });
      await view.post(ask("a"), other());
      await view.suggestion("a", 0).scrollIntoViewIfNeeded();
      await (byPointer ? view.suggestion("a", 0).click() : view.suggestion("a", 0).press("Enter"));
      const stood = await view.page.evaluate(() => window.scrollY);
      await view.post(over());
      const card = await view.card("b").boundingBox();
      if (byPointer) {
        expect(await view.page.evaluate(() => window.scrollY)).toBe(stood);
      } else {
        expect((card?.y ?? 0) + (card?.height ?? 0)).toBeLessThanOrEqual(300);
      }
    },
  );

  it("digits answer the next question, however late it arrives", async () => {
    const view = await openView();
    await view.post(ask("a"));
    await view.suggestion("a", 0).click();
    await view.post(over());
    await view.post(other());
    await view.page.keyboard.press("1");
    expect(await decided(view)).toEqual(["a", "b"]);
  });
});

it("an ambiguous digit says so", async () => {
  const view = await openView();
  await view.post(ask("a"), other());
  await view.page.keyboard.press("1");
  expect(await decided(view)).toEqual([]);
  expect(await view.page.locator(".toast").textContent()).toContain("Several questions are open");
});

it("a card ignores acts just after it became answerable by itself", async () => {
  const view = await openView();
  await view.post(ask("a", "queued"));
  await view.stopClock();
  await view.postNow(ask("a"));
  await view.advance(399);
  await view.suggestion("a", 0).click();
  await view.page.keyboard.press("1");
  expect(await decided(view)).toEqual([]);
  await view.advance(400);
  await view.suggestion("a", 0).click();
  expect(await decided(view)).toEqual(["a"]);
});
