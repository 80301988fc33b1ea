// An act belongs to what the user saw: keys and clicks that are meant for one question never answer another.

import { describe, expect, it } from "vitest";
import { openView, useBrowser, type View } from "./harness";
import { ask, askAll, checks, database, guidance, onePixel, styling } from "./questions";
import type { Heard, Told } from "./script";

useBrowser();

const withdrawn = { outcome: "withdrawn", at: 1 } as const;
const dismissed = { outcome: "dismissed", at: 1 } as const;
const elsewhere = { outcome: "answered", provenance: "clicked", suggestion: 1, at: 1 } as const;
const dangerous = {
  question: "Delete the database?",
  suggest: [{ answer: "Delete it" }, { answer: "Keep it" }],
};
const other = (more = {}) => ask("b", "pending", { order: 2, agent: "Kilo", payload: dangerous, ...more });

/** What the user has decided, in the messages that would tell an agent. */
async function decided(view: View): Promise<Heard[]> {
  const kinds: Heard["type"][] = ["answer", "answerQuestions", "reply", "dismiss"];
  return (await view.sent()).filter(({ type }) => kinds.includes(type));
}

const focused = (view: View) =>
  view.page.evaluate(() => {
    const element = document.activeElement;
    return { card: element?.closest<HTMLElement>("followup-card")?.dataset.id, name: element?.localName };
  });

/** The ends that come upon the user while they type. */
const ends: [string, Told[]][] = [
  ["its session ends", [{ type: "remove", id: "a" }]],
  ["its agent withdraws it", [ask("a", "closed", { outcome: withdrawn })]],
  ["another window answers it", [ask("a", "closed", { outcome: elsewhere })]],
  ["another window dismisses it", [ask("a", "closed", { outcome: dismissed })]],
];

describe("while the user types, the question closes", () => {
  it.each(ends)("as %s: the words stay in the box, and no key goes elsewhere", async (_, end) => {
    const view = await openView();
    await view.post(ask("a"), other());
    await view.box("a").pressSequentially("use port 8");
    await view.post(...end);
    await view.page.keyboard.type("1 2");
    await view.page.keyboard.press("Enter");
    expect(await decided(view)).toEqual([]);
    expect(await focused(view)).toEqual({ card: "a", name: "textarea" });
    expect(await view.state("a")).toBe("closed");
    expect(await view.box("a").inputValue()).toBe("use port 8");
    expect(await view.box("a").getAttribute("readonly")).not.toBeNull();
    await view.page.keyboard.press("Control+a");
    await view.page.keyboard.press("Control+c");
    expect(await view.page.evaluate(() => navigator.clipboard.readText())).toBe("use port 8");
    expect(await view.sentOf("draft")).not.toContainEqual(expect.objectContaining({ id: "b" }));
  });

  it("stands where it stood, until the user leaves the box; then it is over, with the words", async () => {
    const view = await openView();
    await view.post(ask("a"), other());
    await view.box("a").pressSequentially("use port 8");
    const place = await view.box("a").boundingBox();
    await view.post(ask("a", "closed", { outcome: withdrawn }));
    expect(await view.box("a").boundingBox()).toMatchObject({ x: place?.x, y: place?.y });
    await view.page.keyboard.press("Shift+Tab");
    await view.card("a").locator(".unsent-text").waitFor();
    expect(await view.card("a").locator(".unsent-text").textContent()).toBe("use port 8");
    expect(await view.box("a").count()).toBe(0);
    expect((await focused(view)).card).toBe("a");
    await view.page.keyboard.press("1");
    expect(await decided(view)).toEqual([]);
  });

  it("and a click that leaves the box goes where it was aimed at", async () => {
    const view = await openView();
    await view.post(ask("a"), other());
    await view.box("a").pressSequentially("use port 8");
    await view.post(ask("a", "closed", { outcome: withdrawn }));
    await view.suggestion("b", 1).click();
    expect(await decided(view)).toEqual([
      { type: "answer", id: "b", answer: { provenance: "clicked", suggestion: 1 } },
    ]);
    await view.card("a").locator(".unsent-text").waitFor();
  });

  it("and an empty box is kept too: the words were on their way", async () => {
    const view = await openView();
    await view.post(ask("a"), other());
    await view.box("a").focus();
    await view.post({ type: "remove", id: "a" });
    await view.page.keyboard.type("1");
    expect(await decided(view)).toEqual([]);
    await view.page.keyboard.press("Shift+Tab");
    await view.card("a").locator(".clear").waitFor();
    await view.box("b").focus();
    await view.card("a").waitFor({ state: "detached" });
  });

  it("in a request for guidance", async () => {
    const view = await openView();
    await view.post(ask("a", "pending", guidance), other());
    await view.box("a").pressSequentially("ask me about 8");
    await view.post(ask("a", "closed", { ...guidance, outcome: withdrawn }));
    await view.page.keyboard.type("1");
    expect(await decided(view)).toEqual([]);
    expect(await view.box("a").inputValue()).toBe("ask me about 8");
  });

  it.each(ends)("in a questionnaire's own words, as %s", async (_, end) => {
    const view = await openView();
    const closed = end[0]?.type === "remove" ? end[0] : closedAll(end[0]);
    await view.post(askAll("a", [database, checks]), other());
    await view.own("a").pressSequentially("port 8");
    await view.post(closed);
    await view.page.keyboard.type("1");
    await view.page.keyboard.press("Enter");
    expect(await decided(view)).toEqual([]);
    expect(await view.own("a").inputValue()).toBe("port 8");
    expect(await focused(view)).toEqual({ card: "a", name: "textarea" });
    await view.page.keyboard.press("Shift+Tab");
    await view.card("a").locator(".unsent-text").waitFor();
    expect(await view.card("a").locator(".unsent-text").textContent()).toContain("port 8");
  });

  it("in a questionnaire's note and in a reply to it", async () => {
    const view = await openView();
    await view.post(askAll("a", [database]), askAll("c", [checks], "pending", { order: 3 }), other());
    await view.control("a", "add-note").click();
    await view.page.keyboard.type("note 8");
    await view.post(closedAll(ask("a", "closed", { outcome: withdrawn })));
    await view.page.keyboard.type("1");
    expect(await view.card("a").locator(".note textarea").inputValue()).toBe("note 8");
    await view.control("c", "reply").click();
    await view.box("c").pressSequentially("reply 8");
    await view.post({ type: "remove", id: "c" });
    await view.page.keyboard.type("1");
    await view.page.keyboard.press("Enter");
    expect(await view.box("c").inputValue()).toBe("reply 8");
    expect(await decided(view)).toEqual([]);
  });

  it("and the page is loaded again: the words are told", async () => {
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

  it("and is asked again before the user leaves it: they go on", async () => {
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

/** The end of a question as that of the questionnaire with its id. */
function closedAll(message: Told | undefined): Told {
  const outcome = message?.type === "ask" ? message.meta.outcome : undefined;
  const picks = outcome?.outcome === "answered" ? [{ options: [0] }, { options: [1] }] : undefined;
  return askAll("a", [database, checks], "closed", {
    outcome: outcome && { ...outcome, suggestion: undefined, picks },
  });
}

describe("from a suggestion's button", () => {
  it.each(ends)("no key goes to another question as %s", async (_, end) => {
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

  it("nor when it closes while the focus is elsewhere in the editor and comes back", async () => {
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

  it("that belong to words which are typed on nothing choose nothing", async () => {
    const view = await openView();
    await view.post(ask("a"));
    await view.page.keyboard.type("port 1");
    expect(await decided(view)).toEqual([]);
    await view.advance(1500);
    await view.page.keyboard.press("1");
    expect(await decided(view)).toHaveLength(1);
  });
});

/** Where the user means to click: the middle of a suggestion of a's. */
async function aim(view: View): Promise<{ x: number; y: number }> {
  const box = await view.suggestion("a", 0).boundingBox();
  return { x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
}

/** Clicks in the middle of an element, where it is now. */
async function hit(view: View, selector: string): Promise<void> {
  const box = await view.page.locator(selector).boundingBox();
  await view.page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2);
}

const second = '[data-id="b"] .choose[data-index="0"]';

/** Does nothing within the 400 ms, and works right after. */
async function expectRest(view: View, act: () => Promise<void>): Promise<void> {
  for (const time of [0, 200, 199]) {
    await view.advance(time);
    await act();
    expect(await decided(view)).toEqual([]);
  }
  expect(await view.page.locator(".toast").textContent()).toContain("nothing was done");
  await view.advance(1);
  await act();
  expect(await decided(view)).toHaveLength(1);
}

/** What the host does, and what then stands under the hand. */
const changes: [string, Told[], Told[]][] = [
  ["the question above was withdrawn", [ask("a"), other()], [{ type: "remove", id: "a" }]],
  ["the question above was closed", [ask("a"), other()], [ask("a", "closed", { outcome: elsewhere })]],
  ["an older question became pending above", [ask("a", "queued"), other()], [ask("a", "pending")]],
  [
    "the question above grew",
    [ask("a", "pending", { payload: dangerous }), other()],
    [ask("a", "pending", { payload: styling })],
  ],
  ["it became pending", [ask("b", "queued", { payload: dangerous })], [other()]],
  ["its stream closed", [ask("b", "streaming", { payload: dangerous })], [other()]],
  [
    "trouble was over",
    [other(), { type: "trouble", message: "It ended.", restarting: true }],
    [{ type: "trouble", message: null, restarting: false }],
  ],
  ["a banner appeared", [other()], [{ type: "storage", problem: "The disk is full. ".repeat(8) }]],
];

describe("what the host has just moved or enabled takes no act", () => {
  it.each(changes)("of the pointer's: %s", async (_, before, change) => {
    const view = await openView({ height: 1200 });
    await view.post(...before);
    await view.stopClock();
    await view.postNow(...change);
    await expectRest(view, () => hit(view, second));
  });

  it.each(changes)("of Enter's: %s", async (_, before, change) => {
    const view = await openView({ height: 1200 });
    await view.post(...before);
    // It may not be there yet.
    await view.suggestion("b", 0).evaluateAll(([button]) => button?.focus());
    await view.stopClock();
    await view.postNow(...change);
    await view.suggestion("b", 0).focus();
    await expectRest(view, () => view.page.keyboard.press("Enter"));
  });

  it.each(changes)("of a digit's: %s", async (_, before, change) => {
    const view = await openView({ height: 1200 });
    await view.post(...before);
    await view.stopClock();
    await view.postNow(...change);
    await view.suggestion("b", 0).focus();
    await expectRest(view, () => view.page.keyboard.press("1"));
  });

  it("of Enter's in a text box", async () => {
    const view = await openView({ height: 1200 });
    await view.post(ask("a"), other());
    await view.box("b").fill("mine");
    await view.stopClock();
    await view.postNow({ type: "remove", id: "a" });
    await expectRest(view, () => view.page.keyboard.press("Enter"));
    expect((await view.sentOf("answer")).at(0)?.answer.text).toBe("mine");
  });

  it("of a digit's where nothing has the focus and the question became the only one", async () => {
    const view = await openView({ height: 1200 });
    await view.post(other({ order: 0 }), ask("a"));
    await view.stopClock();
    await view.postNow({ type: "remove", id: "a" });
    await expectRest(view, () => view.page.keyboard.press("1"));
  });

  it("of the pointer's, where the click was meant for what stood there before", async () => {
    const view = await openView();
    await view.post(ask("a"), ask("b", "pending", { order: 2 }));
    const { x, y } = await aim(view);
    await view.page.mouse.move(x, y);
    await view.stopClock();
    await view.postNow({ type: "remove", id: "a" });
    expect(
      await view.page.evaluate(
        ([x = 0, y = 0]) =>
          document.elementFromPoint(x, y)?.closest("followup-card")?.getAttribute("data-id"),
        [x, y],
      ),
    ).toBe("b");
    await expectRest(view, () => view.page.mouse.click(x, y));
  });

  it("not even a press that lasts until it may", async () => {
    const view = await openView();
    await view.post(ask("a"), ask("b", "pending", { order: 2 }));
    const { x, y } = await aim(view);
    await view.page.mouse.move(x, y);
    await view.stopClock();
    await view.postNow({ type: "remove", id: "a" });
    await view.page.mouse.down();
    await view.advance(1000);
    await view.page.mouse.up();
    expect(await decided(view)).toEqual([]);
    await view.page.mouse.click(x, y);
    expect(await decided(view)).toHaveLength(1);
  });

  it("nor the focus: words that follow are typed nowhere", async () => {
    const view = await openView();
    const open = { question: "What name?", suggest: [] };
    await view.post(ask("a", "pending", { payload: open }), ask("b", "pending", { order: 2, payload: open }));
    const box = await view.box("a").boundingBox();
    await view.stopClock();
    await view.postNow({ type: "remove", id: "a" });
    await view.page.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + 8);
    await view.page.keyboard.type("use port 8");
    await view.page.keyboard.press("Enter");
    expect(await view.box("b").inputValue()).toBe("");
    expect(await decided(view)).toEqual([]);
  });

  it("nor a questionnaire whose step another window has changed", async () => {
    const view = await openView();
    await view.post(askAll("a", [database, checks]));
    await view.option("a", 0).click();
    await view.stopClock();
    const draft = { step: 2, picks: [{ options: [0] }, {}], changedAt: Date.now() + 60_000 };
    await view.postNow(askAll("a", [database, checks], "pending", { draft }));
    await expectRest(view, () => hit(view, '[data-id="a"] .submit'));
  });

  it("nor a dismissal", async () => {
    const view = await openView({ height: 1200 });
    await view.post(ask("a"), other());
    await view.stopClock();
    await view.postNow({ type: "remove", id: "a" });
    await expectRest(view, () => hit(view, '[data-id="b"] .dismiss'));
  });
});

describe("what stands as it stood takes acts", () => {
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

  it("when the user's own words make the page longer, or they scroll", async () => {
    const view = await openView({ height: 500 });
    await view.post(ask("a"), other());
    await view.stopClock();
    await view.box("a").fill("one\ntwo\nthree\nfour");
    await view.page.mouse.wheel(0, 300);
    await view.suggestion("b", 0).click();
    expect(await decided(view)).toHaveLength(1);
  });

  it("when a picture that the user had added comes in", async () => {
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

describe("that an act was not taken", () => {
  it("is told, and moves nothing", async () => {
    const view = await openView();
    await view.post(ask("a"), other());
    await view.stopClock();
    await view.postNow({ type: "remove", id: "a" });
    const before = await view.suggestion("b", 0).boundingBox();
    await hit(view, second);
    const told = view.page.getByRole("status").filter({ hasText: "nothing was done" });
    await told.waitFor();
    expect(await view.suggestion("b", 0).boundingBox()).toEqual(before);
    expect(await told.evaluate((element) => getComputedStyle(element).pointerEvents)).toBe("none");
  });
});
