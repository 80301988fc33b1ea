// Keys and clicks that are meant for one question never answer another.

import { describe, expect, it } from "vitest";
import { openView, useBrowser, type View } from "./harness";
import { ask, askAll, checks, database, guidance, onePixel, styling } from "./questions";
import type { Heard, Posted } from "./script";

useBrowser();

const withdrawn = { outcome: "withdrawn", at: 1 } as const;
const dismissed = { outcome: "dismissed", at: 1 } as const;
const elsewhere = { outcome: "answered", provenance: "clicked", suggestion: 1, at: 1 } as const;
const dangerous = {
  question: "Delete the database?",
  suggest: [{ answer: "Delete it" }, { answer: "Keep it" }],
};
const other = (more = {}) => ask("b", "pending", { order: 2, agent: "Kilo", payload: dangerous, ...more });

/** The user's decisions, in the messages that would reach an agent. */
async function decided(view: View): Promise<Heard[]> {
  const kinds: Heard["type"][] = ["answer", "answerQuestions", "reply", "dismiss"];
  return (await view.sent()).filter(({ type }) => kinds.includes(type));
}

const focused = (view: View) =>
  view.page.evaluate(() => {
    const element = document.activeElement;
    return { card: element?.closest<HTMLElement>("followup-card")?.dataset.id, name: element?.localName };
  });

/** Ways in which a question closes while the user types. */
const ends: [string, Posted[]][] = [
  ["its session ends", [{ type: "remove", id: "a" }]],
  ["its agent withdraws it", [ask("a", "closed", { outcome: withdrawn })]],
  ["another window answers it", [ask("a", "closed", { outcome: elsewhere })]],
  ["another window dismisses it", [ask("a", "closed", { outcome: dismissed })]],
];

describe("the question closes while the user types", () => {
  it.each(ends)("as %s: the text stays on its card, and no key reaches another card", async (_, end) => {
    const view = await openView();
    await view.post(ask("a"), other());
    await view.box("a").pressSequentially("use port 8");
    await view.post(...end);
    await view.page.keyboard.type("1 2");
    await view.page.keyboard.press("Enter");
    expect(await decided(view)).toEqual([]);
    expect(await focused(view)).toEqual({ card: "a", name: "followup-card" });
    expect(await view.state("a")).toBe("closed");
    expect(await view.card("a").locator(".unsent-text").textContent()).toBe("use port 8");
    expect(await view.sentOf("draft")).not.toContainEqual(expect.objectContaining({ id: "b" }));
  });

  it("in a request for guidance", async () => {
    const view = await openView();
    await view.post(ask("a", "pending", guidance), other());
    await view.box("a").pressSequentially("ask me about 8");
    await view.post(ask("a", "closed", { ...guidance, outcome: withdrawn }));
    await view.page.keyboard.type("1");
    expect(await decided(view)).toEqual([]);
    expect(await view.card("a").locator(".unsent-text").textContent()).toBe("ask me about 8");
  });

  it.each(ends)("in a questionnaire's text box, as %s", async (_, end) => {
    const view = await openView();
    const closed = end[0]?.type === "remove" ? end[0] : closedAll(end[0]);
    await view.post(askAll("a", [database, checks]), other());
    await view.own("a").pressSequentially("port 8");
    await view.post(closed);
    await view.page.keyboard.type("1");
    await view.page.keyboard.press("Enter");
    expect(await decided(view)).toEqual([]);
    expect(await focused(view)).toEqual({ card: "a", name: "followup-card" });
    expect(await view.card("a").locator(".unsent-text").textContent()).toContain("port 8");
  });

  it("and the page reloads: the text stays on the card", async () => {
    const view = await openView();
    await view.post(ask("a"), other());
    await view.box("a").pressSequentially("use port 8");
    await view.post({ type: "remove", id: "a" });
    await view.reload();
    await view.post(other());
    await view.page.keyboard.type("use port 8");
    expect(await decided(view)).toEqual([]);
    expect(await view.card("a").locator(".unsent-text").textContent()).toBe("use port 8");
    expect(await view.card("a").locator(".question").textContent()).toBe(styling.question);
  });

  it("and is asked again before the user leaves it: they continue", async () => {
    const view = await openView();
    await view.post(ask("a"));
    await view.box("a").pressSequentially("use port 8");
    await view.post(ask("a", "closed", { outcome: withdrawn }), ask("a"));
    await view.page.keyboard.type("0");
    expect(await view.box("a").inputValue()).toBe("use port 80");
    await view.page.keyboard.press("Enter");
    expect(await decided(view)).toHaveLength(1);
  });
});

/** The end of a question, for the questionnaire with its id. */
function closedAll(message: Posted | undefined): Posted {
  const outcome = message?.type === "ask" ? message.meta.outcome : undefined;
  const picks = outcome?.outcome === "answered" ? [{ options: [0] }, { options: [1] }] : undefined;
  return askAll("a", [database, checks], "closed", {
    outcome: outcome && { ...outcome, suggestion: undefined, picks },
  });
}

describe("the question closes while a suggestion has the focus", () => {
  it.each(ends)("no key reaches another question, as %s", async (_, end) => {
    const view = await openView();
    await view.post(ask("a"), other());
    await view.suggestion("a", 0).focus();
    await view.post(...end);
    expect(await focused(view)).toEqual({ card: "a", name: "followup-card" });
    for (const key of ["1", "Enter", "2", " "]) {
      await view.page.keyboard.press(key);
    }
    expect(await decided(view)).toEqual([]);
    await view.page.keyboard.press("ArrowDown");
    expect((await focused(view)).card).toBe("b");
  });

  it("nor when it closes while the focus is elsewhere in the editor and returns", async () => {
    const view = await openView();
    await view.post(ask("a"), other());
    await view.suggestion("a", 0).focus();
    view.spoil();
    await view.page.evaluate(() => {
      document.hasFocus = () => false;
    });
    await view.post(ask("a", "closed", { outcome: withdrawn }));
    expect(await view.focus()).toBe("body");
    await view.page.evaluate(() => window.dispatchEvent(new FocusEvent("focus")));
    expect(await focused(view)).toEqual({ card: "a", name: "followup-card" });
    await view.page.keyboard.press("1");
    expect(await decided(view)).toEqual([]);
  });
});

describe("digits", () => {
  it("choose nothing while several questions are pending and none has the focus", async () => {
    const view = await openView();
    await view.post(ask("a"), other());
    await view.page.keyboard.press("1");
    expect(await decided(view)).toEqual([]);
    await view.post({ type: "remove", id: "a" });
    await view.page.keyboard.press("1");
    expect(await decided(view)).toHaveLength(1);
  });

  it("choose nothing while something else has the focus", async () => {
    const view = await openView();
    await view.post(ask("a"), { type: "trouble", message: "It ended.", restarting: false });
    await view.page.getByRole("button", { name: "Open Log" }).focus();
    await view.post({ type: "trouble", message: null, restarting: false });
    await view.post({ type: "storage", problem: "The disk is full." });
    await view.post(ask("c", "closed", { order: 3, outcome: dismissed }));
    await view.page.locator(".clear-all").focus();
    await view.page.keyboard.press("1");
    expect(await decided(view)).toEqual([]);
  });

  it("choose nothing after letters typed outside a text box", async () => {
    const view = await openView();
    await view.post(ask("a"));
    await view.page.keyboard.type("port 1");
    expect(await decided(view)).toEqual([]);
    await view.advance(1500);
    await view.page.keyboard.press("1");
    expect(await decided(view)).toHaveLength(1);
  });
});

/** Clicks in the middle of an element, at its current position. */
async function hit(view: View, selector: string): Promise<void> {
  const box = await view.page.locator(selector).boundingBox();
  await view.page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2);
}

const second = '[data-id="b"] .choose[data-index="0"]';

/** Expects no effect within 400 ms, and an effect after the user has let go. */
async function expectRest(view: View, act: () => Promise<void>): Promise<void> {
  for (const time of [0, 200, 199]) {
    await view.advance(time);
    await act();
    expect(await decided(view)).toEqual([]);
  }
  await view.gestureOver();
  await act();
  expect(await decided(view)).toHaveLength(1);
}

/** The host's message, and the card that it makes answerable. */
const changes: [string, Posted[], Posted[]][] = [
  ["it became pending", [ask("b", "queued", { payload: dangerous })], [other()]],
  ["its stream closed", [ask("b", "streaming", { payload: dangerous })], [other()]],
  [
    "trouble ended",
    [other(), { type: "trouble", message: "It ended.", restarting: true }],
    [{ type: "trouble", message: null, restarting: false }],
  ],
];

describe("a card that just became answerable ignores", () => {
  it.each(changes)("the pointer: %s", async (_, before, change) => {
    const view = await openView({ height: 1200 });
    await view.post(...before);
    await view.stopClock();
    await view.postNow(...change);
    await expectRest(view, () => hit(view, second));
  });

  it.each(changes)("Enter: %s", async (_, before, change) => {
    const view = await openView({ height: 1200 });
    await view.post(...before);
    await view.stopClock();
    await view.postNow(...change);
    await view.suggestion("b", 0).focus();
    await expectRest(view, () => view.page.keyboard.press("Enter"));
  });

  it.each(changes)("digits: %s", async (_, before, change) => {
    const view = await openView({ height: 1200 });
    await view.post(...before);
    await view.stopClock();
    await view.postNow(...change);
    await expectRest(view, () => view.page.keyboard.press("1"));
  });
});

it("another window does not change the shown step of a questionnaire", async () => {
  const view = await openView();
  await view.post(askAll("a", [database, checks]));
  await view.option("a", 0).click();
  const draft = { step: 2, picks: [{ options: [0] }, {}], changedAt: Date.now() + 60_000 };
  await view.post(askAll("a", [database, checks], "pending", { draft }));
  expect(await view.control("a", "submit").count()).toBe(0);
  expect(await view.tab("a", 0).getAttribute("aria-selected")).toBe("true");
});

describe("a card that was already answerable accepts acts", () => {
  it("while another question streams in, and while other cards come and go below", async () => {
    const view = await openView({ height: 1200 });
    await view.post(ask("a"));
    await view.stopClock();
    await view.postNow(ask("c", "streaming", { order: 3, payload: { question: "Which", suggest: [] } }));
    await view.postNow({ type: "append", id: "c", text: " of these?", suggest: [{ answer: "This" }] });
    await view.postNow(ask("d", "queued", { order: 4 }));
    await hit(view, '[data-id="a"] .choose[data-index="0"]');
    expect(await decided(view)).toHaveLength(1);
    expect(await view.page.locator(".toast").textContent()).toBe("");
  });

  it("when the user's text makes the page longer, or they scroll", async () => {
    const view = await openView({ height: 500 });
    await view.post(ask("a"), other());
    await view.stopClock();
    await view.box("a").fill("one\ntwo\nthree\nfour");
    await view.page.mouse.wheel(0, 300);
    await view.suggestion("b", 0).click();
    expect(await decided(view)).toHaveLength(1);
  });

  it("when an image that the user added is drawn", async () => {
    const view = await openView();
    const draft = { text: "", images: [onePixel], changedAt: 5 };
    await view.post(ask("a", "pending", { draft }));
    await view
      .card("a")
      .locator("img")
      .evaluate((image: HTMLImageElement) => image.decode());
    const before = await view.box("a").boundingBox();
    await view
      .card("a")
      .locator("img")
      .evaluate((image: HTMLImageElement) => {
        image.src = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='900' height='900'/>";
        return image.decode();
      });
    expect(await view.box("a").boundingBox()).toEqual(before);
  });
});
