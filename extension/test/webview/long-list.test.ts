// More questions than the page draws in full.

import { expect, test } from "vitest";
import { openView, until, useBrowser, type View } from "./harness";
import type { Posted } from "./script";

useBrowser();

const count = 80;
const ids = Array.from({ length: count }, (_, index) => `card-${index}`);

function question(index: number): Posted {
  const id = ids[index] ?? "";
  const meta = { id, agent: "Harbour", state: "pending", askedAt: 1_700_000_000_000, order: index } as const;
  return {
    type: "ask",
    payload: {
      question: `Question ${index} of many?`,
      suggest: [{ answer: `Yes, ${index}` }, { answer: "No" }],
    },
    meta,
  };
}

async function openMany(): Promise<View> {
  const view = await openView();
  await view.post(...ids.map((_, index) => question(index)));
  return view;
}

const drawn = (view: View) =>
  view.page
    .locator("followup-card:has(followup-form)")
    .evaluateAll((cards: HTMLElement[]) => cards.map(({ dataset }) => dataset.id ?? ""));

test("draws only near cards in full, while a screen reader gets the number and all texts", async () => {
  const view = await openMany();
  expect((await drawn(view)).slice(0, 20)).toEqual(ids.slice(0, 20));
  expect((await drawn(view)).length).toBeLessThan(40);
  const last = view.card("card-79");
  expect(await last.getAttribute("aria-posinset")).toBe("80");
  expect(await last.getAttribute("aria-setsize")).toBe("80");
  expect(await last.locator(".sketch").allTextContents()).toEqual(["Question 79 of many?", "Yes, 79", "No"]);
});

test("draws a card that comes near, and accepts acts once it was seen", async () => {
  const view = await openMany();
  await view.stopClock();
  await view.page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  const choose = view.suggestion("card-79", 0);
  await choose.waitFor();
  await choose.evaluate((button: HTMLElement) => button.click());
  expect(await view.sentOf("answer")).toEqual([]);
  await view.page.locator("followup-app:not(:has([data-fresh]))").waitFor();
  await view.advance(500);
  await choose.evaluate((button: HTMLElement) => button.click());
  expect(await view.waitFor("answer")).toMatchObject({ id: "card-79" });
});

test("draws all cards in a browser that does not report near ones", async () => {
  const view = await openView();
  view.spoil();
  await view.page.evaluate(() => {
    Reflect.deleteProperty(HTMLElement.prototype, "oncontentvisibilityautostatechange");
  });
  await view.post(...ids.map((_, index) => question(index)));
  expect(await drawn(view)).toEqual(ids);
});

test("the browser's search finds undrawn text and draws its card", async () => {
  const view = await openMany();
  // The search ignores case.
  expect(
    await view.page.evaluate(() => (window as unknown as { find(text: string): boolean }).find("yes, 67")),
  ).toBe(true);
  await view.suggestion("card-67", 0).waitFor();
});

test("the editor can focus an undrawn card, and its text stays when it is far again", async () => {
  const view = await openMany();
  await view.post({ type: "focus", id: "card-58" });
  await until(async () => ((await view.focus()) === "button.choose[0]" ? true : undefined));
  await view.box("card-58").fill("Half an answ");
  await view.box("card-0").focus();
  await view.box("card-58").focus();
  await view.page.keyboard.type("er");
  expect(await view.box("card-58").inputValue()).toBe("Half an answer");
  // It accepts acts once it has been visible for a moment.
  await view.page.locator("followup-app:not(:has([data-fresh]))").waitFor();
  await view.gestureOver();
  await view.page.keyboard.press("Enter");
  expect(await view.waitFor("answer")).toMatchObject({ id: "card-58", answer: { text: "Half an answer" } });
});

test("draws the cards beside the focused one, so that Tab skips none", async () => {
  const view = await openMany();
  expect(await drawn(view)).not.toContain("card-20");
  await view.box("card-19").evaluate((box) => box.focus({ preventScroll: true }));
  await view.suggestion("card-20", 0).waitFor({ state: "attached" });
});

test("Tab moves through the cards, including undrawn ones", async () => {
  const view = await openMany();
  await view.box("card-19").focus();
  const focused = () =>
    view.page.evaluate(() => document.activeElement?.closest<HTMLElement>("followup-card")?.dataset.id);
  const seen = new Set<string | undefined>();
  while (seen.size < 4) {
    const id = (await focused()) ?? "";
    seen.add(id);
    // A key before the next card is drawn would skip it.
    await view.suggestion(ids[ids.indexOf(id) + 1] ?? "", 0).waitFor();
    await view.page.keyboard.press("Tab");
  }
  expect([...seen]).toEqual(ids.slice(19, 23));
});
