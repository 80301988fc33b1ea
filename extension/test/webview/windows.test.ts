// An answer to one question never reaches another one when the real sidecar closes a question: because its
// session ends, or because another window answers it.

import type { Locator } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { timerConfigure } from "../../src/protocol.gen";
import { composer, suggestion } from "../editor/harness/followup";
import { type EditorWindow, useWindows } from "./window";

const windows = useWindows(2);
const tool = "ask_followup_question";

/** The window in which the agents ask, and another one. */
function both(): [EditorWindow, EditorWindow] {
  const [here, there] = windows();
  if (!here || !there) throw new Error("the windows are not open");
  return [here, there];
}

let asked = 0;

/** Two agents ask at the same time; the first one's card is above. Every case has different questions. */
async function askBoth() {
  const [here] = both();
  asked++;
  const port = { question: `Which port should service ${asked} use?`, follow_up: ["8080", "3000"] };
  const database = { question: `Delete database ${asked}?`, follow_up: ["Delete it now", "Keep it"] };
  const [first, second] = [await here.openSession("First"), await here.openSession("Second")];
  const answered = first.ask(tool, port).catch(() => undefined);
  const above = await here.card(port.question);
  const deleted = second.ask(tool, database);
  const below = await here.card(database.question);
  await expect.poll(() => state(below)).toBe("pending");
  await here.rest();
  return { here, first, answered, deleted, above, below, port };
}

const state = (card: Locator) => card.getAttribute("data-state");

test.each(["another window dismisses it", "the session ends"])(
  "while the user types, %s: no key reaches the other question",
  async (end) => {
    const [, there] = both();
    const { here, first, answered, deleted, above, below, port } = await askBoth();
    const { page } = here;
    const box = composer(above);
    await box.click();
    await page.keyboard.type("use port ");
    if (end === "the session ends") {
      await first.close();
    } else {
      const theirs = await there.card(port.question);
      await there.page.bringToFront();
      // An answer would also contain the text, once it is there.
      await there.answer(theirs, theirs.getByRole("button", { name: "Dismiss" }));
      await page.bringToFront();
    }
    await expect.poll(() => state(above)).toBe("closed");
    await page.keyboard.type("8 1 2");
    await page.keyboard.press("Enter");
    await answered;

    expect(await above.locator(".unsent-text").textContent()).toBe("use port ");
    expect(await state(below)).toBe("pending");

    await here.answer(below, suggestion(below, "Keep it"));
    expect(await deleted).toMatchObject({ outcome: "answered", text: expect.stringContaining("Keep it") });
    await above.getByText("What you had typed was not sent").waitFor();
    await here.rest();
    await above.getByRole("button", { name: "Clear from this view" }).click();
    await here.rest();
    await above.getByRole("button", { name: "Clear Anyway" }).click();
    await above.waitFor({ state: "detached" });
  },
);

test("a question that disappears moves no other", async () => {
  const { here, first, answered, above, below, port } = await askBoth();
  const { page } = here;
  const stood = await below.boundingBox();
  await page.mouse.move(9, (stood?.y ?? 0) + 30);
  await first.close();
  await page.locator('followup-card[data-state="closed"]', { hasText: port.question }).waitFor();
  await answered;
  expect((await below.boundingBox())?.y).toBeCloseTo(stood?.y ?? 0, 0);
  await here.answer(below, below.getByRole("button", { name: "Dismiss" }));
  await above.getByRole("button", { name: "Clear from this view" }).click();
});

test("a streaming question appears in another window, and can be answered there", async () => {
  const [here, there] = both();
  asked++;
  const question = `Which region for service ${asked}?`;
  const stream = (await here.openSession()).stream();
  stream.append(`<ask_followup_question><question>${question}`);
  const card = await there.card(question);
  expect(await state(card)).toBe("streaming");
  const suggestions = ["North", "South"].map((each) => `<suggest>${each}</suggest>`).join("");
  stream.append(`</question><follow_up>${suggestions}</follow_up></ask_followup_question>`);
  await expect.poll(() => state(card)).toBe("pending");
  await there.page.bringToFront();
  await there.rest();
  await there.answer(card, suggestion(card, "South"));
  const { calls } = await stream.end();
  expect(await calls[0]?.answer).toMatchObject({ text: "<answer>\nSouth\n</answer>" });
});

describe("a timed choice", () => {
  /** Sets the time in milliseconds after which the first suggestion is chosen, in both windows. */
  const setTime = (after: number) =>
    Promise.all(both().map(({ sidecar }) => sidecar.request(timerConfigure, { after })));
  afterEach(() => setTime(0));

  const countdown = (card: Locator) => card.getByRole("timer");
  const stopped = (card: Locator) => card.getByText("no suggestion is chosen for you");

  /** An agent asks; returns its answer, and the card in both windows. */
  async function askTimed() {
    asked++;
    const [here, there] = both();
    const question = `Which style for page ${asked}?`;
    const session = await here.openSession();
    const answer = session.ask(tool, { question, follow_up: ["Plain", "Fancy"] });
    return { here, there, answer, cards: [await here.card(question), await there.card(question)] as const };
  }

  test("runs once for all windows: a key in one of them stops it for good", async () => {
    await setTime(3_600_000);
    const { there, answer, cards } = await askTimed();
    for (const card of cards) {
      await expect.poll(() => countdown(card).textContent()).toMatch(/ in \d+:\d\d$/);
    }
    await there.page.bringToFront();
    await there.rest();
    await suggestion(cards[1], "Plain").press("ArrowDown");
    for (const card of cards) {
      await stopped(card).waitFor();
      expect(await countdown(card).count()).toBe(0);
    }
    await setTime(1);
    await there.answer(cards[1], suggestion(cards[1], "Fancy"));
    expect(await answer).toMatchObject({ provenance: "clicked", text: "<answer>\nFancy\n</answer>" });
  });

  test("ends, and the agent learns that a timer chose", async () => {
    await setTime(1);
    const session = await both()[0].openSession();
    expect(
      await session.ask(tool, { question: "Which style?", follow_up: ["Plain", "Fancy"] }),
    ).toMatchObject({
      provenance: "timer",
      text: "<answer>\nPlain\n</answer>",
      structured: { provenance: "timer" },
    });
  });
});
