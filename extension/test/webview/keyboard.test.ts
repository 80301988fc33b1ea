// The keyboard alone, and where the focus goes: it never moves by itself.

import { describe, expect, it } from "vitest";
import { openView, useBrowser, type View } from "./harness";
import { ask, styling } from "./questions";

useBrowser();

const press = async (view: View, ...keys: string[]) => {
  for (const key of keys) {
    await view.page.keyboard.press(key);
  }
};
const answers = async (view: View) =>
  (await view.sentOf("answer")).map(({ id, answer }) => [id, answer.suggestion]);

async function openPending(): Promise<View> {
  const view = await openView();
  await view.post(ask("a"));
  return view;
}

describe("digits", () => {
  it("choose a suggestion", async () => {
    const view = await openPending();
    await press(view, "0", "4", "Control+2", "Alt+2", "2", "3");
    expect(await answers(view)).toEqual([["a", 1]]);
  });

  it("choose on a keyboard that needs Shift for digits", async () => {
    const view = await openPending();
    await view.page.evaluate(() => {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "é", code: "Digit2", bubbles: true }));
    });
    expect(await answers(view)).toEqual([["a", 1]]);
  });

  it("are text in a text box", async () => {
    const view = await openPending();
    await view.box("a").focus();
    await press(view, "1", "2");
    expect(await view.box("a").inputValue()).toBe("12");
    expect(await answers(view)).toEqual([]);
  });

  it("choose in the focused card, else in the only one; only its suggestions are numbered", async () => {
    const view = await openView();
    await view.post(ask("a"));
    const digits = (id: string) => view.card(id).locator(".digit").allTextContents();
    const trimmed = async (id: string) => (await digits(id)).map((text) => text.trim()).join("");
    expect(await trimmed("a")).toBe("123");
    expect(await view.suggestion("a", 1).getAttribute("aria-keyshortcuts")).toBe("2");
    await view.post(ask("b", "pending", { order: 2 }));
    expect([await trimmed("a"), await trimmed("b")]).toEqual(["•••", "•••"]);
    expect(await view.suggestion("a", 1).getAttribute("aria-keyshortcuts")).toBeNull();
    await view.card("b").getByRole("button", { name: "Dismiss" }).focus();
    expect([await trimmed("a"), await trimmed("b")]).toEqual(["•••", "123"]);
    await press(view, "3");
    expect(await answers(view)).toEqual([["b", 2]]);
  });

  it("answer one question only when held or pressed twice", async () => {
    const view = await openPending();
    await view.post(ask("b", "queued", { order: 2 }));
    await view.page.evaluate(() => {
      for (const repeat of [false, true, false]) {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "1", repeat, bubbles: true }));
      }
    });
    expect(await answers(view)).toEqual([["a", 0]]);
    await view.postNow(
      ask("a", "closed", { outcome: { outcome: "answered", provenance: "clicked", suggestion: 0, at: 1 } }),
      ask("b", "pending", { order: 2 }),
    );
    await press(view, "1");
    expect(await answers(view)).toEqual([["a", 0]]);
    expect(await view.state("b")).toBe("pending");
  });
});

describe("in the suggestions", () => {
  it("the arrows, Home and End move, and Enter chooses", async () => {
    const view = await openPending();
    await view.suggestion("a", 0).focus();
    await press(view, "ArrowDown");
    expect(await view.focus()).toBe("button.choose[1]");
    await press(view, "ArrowDown", "ArrowDown");
    expect(await view.focus()).toBe("button.choose[0]");
    await press(view, "ArrowUp");
    expect(await view.focus()).toBe("button.choose[2]");
    await press(view, "Home");
    expect(await view.focus()).toBe("button.choose[0]");
    await press(view, "End", "Enter");
    expect(await answers(view)).toEqual([["a", 2]]);
  });

  it("Space chooses", async () => {
    const view = await openPending();
    await view.suggestion("a", 1).focus();
    await press(view, "Space");
    expect(await answers(view)).toEqual([["a", 1]]);
  });

  it("ArrowDown enters from outside", async () => {
    const view = await openPending();
    await press(view, "ArrowDown");
    expect(await view.focus()).toBe("button.choose[0]");
  });
});

it("Tab moves from the suggestion to its pencil, the composer, its buttons and Dismiss", async () => {
  const view = await openPending();
  const seen: string[] = [];
  await press(view, "ArrowDown", "ArrowDown");
  for (let step = 0; step < 5; step++) {
    seen.push(await view.focus());
    await press(view, "Tab");
  }
  // Send is disabled while the box is empty.
  expect([...seen, await view.focus()]).toEqual([
    "button.choose[1]",
    "button.edit",
    "textarea",
    "button.attach",
    "button.dismiss",
    "body",
  ]);
  await view.box("a").fill("x");
  await press(view, "Tab", "Tab");
  expect(await view.focus()).toBe("button.send");
  await press(view, "Space");
  expect((await view.waitFor("answer")).answer).toEqual({ provenance: "typed", text: "x" });
  expect(await view.focus()).toBe("button.send");
});

it("Enter on Dismiss dismisses", async () => {
  const view = await openPending();
  await view.card("a").getByRole("button", { name: "Dismiss" }).focus();
  await press(view, "Enter");
  expect(await view.sentOf("dismiss")).toHaveLength(1);
});

describe("Esc", () => {
  it("returns to the editor, never dismisses, and keeps the text", async () => {
    const view = await openPending();
    await press(view, "Escape");
    await view.box("a").fill("half a sentence");
    await press(view, "Escape");
    expect(await view.sentOf("escape")).toHaveLength(2);
    expect(await view.sentOf("dismiss")).toEqual([]);
    expect(await view.box("a").inputValue()).toBe("half a sentence");
    expect(await view.state("a")).toBe("pending");
  });
});

describe("the focus", () => {
  it("does not move while questions arrive, change and end", async () => {
    const view = await openView();
    await view.page.evaluate(() => {
      window.focusMoves = 0;
      window.addEventListener("focusin", () => window.focusMoves++, true);
    });
    await view.post(ask("a", "streaming", { payload: { question: "Which", suggest: [] } }));
    await view.post({ type: "append", id: "a", text: " styling", suggest: [{ answer: "Tailwind" }] });
    await view.post(ask("a"), ask("b", "queued", { order: 2 }));
    await view.refuse("a", "no");
    await view.post({ type: "trouble", message: "no", restarting: false });
    await view.post({ type: "trouble", message: null, restarting: false });
    await view.post(
      ask("a", "closed", { outcome: { outcome: "withdrawn", at: 1 } }),
      ask("b", "pending", { order: 2 }),
    );
    await view.post({ type: "remove", id: "b" });
    expect(await view.page.evaluate(() => window.focusMoves)).toBe(0);
    expect(await view.focus()).toBe("body");
  });

  it("moves to the first answerable question when the host asks, even at once", async () => {
    const view = await openView();
    await view.post(ask("a"), { type: "focus" });
    expect(await view.focus()).toBe("button.choose[0]");
  });

  it("moves to the named question, to its box if there is nothing to choose", async () => {
    const view = await openView();
    const payload = { question: "What name?", suggest: [] };
    await view.post(ask("a", "pending", { order: 1 }), ask("b", "pending", { order: 2, payload }));
    await view.post({ type: "focus", id: "b" });
    expect(await view.box("b").evaluate((box) => box === document.activeElement)).toBe(true);
  });

  it("moves to the first remedy of an empty view", async () => {
    const view = await openView();
    await view.post({ type: "focus" });
    expect(await view.focus()).toBe("button.connectAgents");
  });

  it("stays elsewhere in the editor when a card with a focused button closes", async () => {
    const view = await openPending();
    await view.suggestion("a", 0).focus();
    // Like in a view while the editor has the focus: the page remembers its element, and has no focus itself.
    view.spoil();
    await view.page.evaluate(() => {
      document.hasFocus = () => false;
    });
    await view.post(ask("a", "closed", { outcome: { outcome: "withdrawn", at: 1 } }));
    expect(await view.focus()).toBe("body");
  });

  it("stays with the card when its buttons disappear", async () => {
    const view = await openPending();
    await view.suggestion("a", 1).click();
    expect(await view.focus()).toBe("button.choose[1]");
    await view.post(
      ask("a", "closed", { outcome: { outcome: "answered", provenance: "clicked", suggestion: 1, at: 1 } }),
    );
    expect(await view.focus()).toBe("followup-card");
    await view.post(ask("b", "pending", { order: 2, payload: styling }));
    await press(view, "ArrowDown");
    expect(await view.suggestion("b", 0).evaluate((button) => button === document.activeElement)).toBe(true);
  });
});

describe("the timer's button", () => {
  it("keeps the focus that stopped the timer, then does nothing, and disappears on leaving", async () => {
    const view = await openView();
    await view.post(ask("a", "pending", { timer: { left: 3_600_000 } }));
    const stop = view.card("a").locator(".timer-stop");
    await stop.focus();
    await view.post(ask("a"));
    expect(await stop.getAttribute("aria-disabled")).toBe("true");
    expect(await stop.evaluate((button) => button === document.activeElement)).toBe(true);
    await press(view, "Enter", "Tab");
    expect(await stop.evaluate((button) => getComputedStyle(button).visibility)).toBe("hidden");
  });
});
