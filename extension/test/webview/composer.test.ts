// The composer in Chromium: the user's own text, edited suggestions, modes.

import { describe, expect, it } from "vitest";
import { openView, useBrowser, type View } from "./harness";
import { ask, styling } from "./questions";

useBrowser();

const answers = async (view: View) => (await view.sentOf("answer")).map(({ answer }) => answer);
const vanilla = styling.suggest[2]?.answer ?? "";

async function openPending(): Promise<View> {
  const view = await openView();
  await view.post(ask("a"));
  return view;
}

describe("typed text", () => {
  it("is sent unchanged by Enter, and Shift+Enter adds a line", async () => {
    const view = await openPending();
    await view.box("a").focus();
    await view.page.keyboard.insertText("\tUse `x < y`");
    await view.page.keyboard.press("Shift+Enter");
    await view.page.keyboard.insertText("</answer> & more ");
    expect(await answers(view)).toEqual([]);
    await view.page.keyboard.press("Enter");
    expect(await answers(view)).toEqual([{ provenance: "typed", text: "\tUse `x < y`\n</answer> & more " }]);
    await view.page.keyboard.press("Enter");
    expect(await answers(view)).toHaveLength(1);
  });

  it("is sent by the button, too", async () => {
    const view = await openPending();
    await view.box("a").fill("mine");
    await view.card("a").getByRole("button", { name: "Send" }).click();
    expect(await answers(view)).toEqual([{ provenance: "typed", text: "mine" }]);
  });

  it("cannot be sent while blank", async () => {
    const view = await openPending();
    const send = view.card("a").locator(".send");
    for (const text of ["", " \n\t"]) {
      await view.box("a").fill(text);
      expect(await send.isDisabled()).toBe(true);
      await view.box("a").press("Enter");
      await send.click({ force: true });
    }
    expect(await answers(view)).toEqual([]);
    await view.box("a").fill("x");
    expect(await send.isEnabled()).toBe(true);
  });

  it("is not sent by the Enter that ends an IME composition", async () => {
    const view = await openPending();
    await view.box("a").focus();
    const devtools = await view.page.context().newCDPSession(view.page);
    await devtools.send("Input.imeSetComposition", { text: "日本", selectionStart: 2, selectionEnd: 2 });
    await view.page.keyboard.press("Enter");
    await view.page.keyboard.press("Escape");
    expect(await answers(view)).toEqual([]);
    expect(await view.sentOf("escape")).toEqual([]);
    await devtools.send("Input.insertText", { text: "日本" });
    expect(await view.box("a").inputValue()).toContain("日本");
    await view.page.keyboard.press("Enter");
    expect(await answers(view)).toHaveLength(1);
  });

  it("grows the box up to a part of the view", async () => {
    const view = await openPending();
    const height = async () => (await view.box("a").boundingBox())?.height ?? 0;
    const empty = await height();
    await view.box("a").fill("one\ntwo\nthree\nfour");
    const four = await height();
    expect(four).toBeGreaterThan(empty * 1.5);
    await view.box("a").fill("line\n".repeat(200));
    expect(await height()).toBeGreaterThan(four);
    expect(await height()).toBeLessThanOrEqual(700 * 0.4 + 1);
  });
});

describe("an edited suggestion", () => {
  it("moves to the box, takes the focus, and is sent as edited with its mode", async () => {
    const view = await openPending();
    await view.card("a").getByRole("button", { name: "Edit suggestion 3" }).click();
    expect(await view.focus()).toBe("textarea");
    expect(await view.box("a").inputValue()).toBe(vanilla);
    expect(await view.card("a").locator(".origin").textContent()).toContain("Editing suggestion 3");
    expect(await view.card("a").locator(".chip-text").textContent()).toBe("architect");
    await view.page.keyboard.type("!");
    await view.page.keyboard.press("Enter");
    expect(await answers(view)).toEqual([
      { provenance: "edited", suggestion: 2, text: `${vanilla}!`, mode: "architect" },
    ]);
  });

  it("counts as a click if sent unchanged", async () => {
    const view = await openPending();
    await view.suggestion("a", 2).click({ modifiers: ["Shift"] });
    await view.page.keyboard.press("Enter");
    expect(await answers(view)).toEqual([{ provenance: "clicked", suggestion: 2 }]);
  });

  it("loses its mode when the user removes the chip", async () => {
    const view = await openPending();
    await view.suggestion("a", 2).click({ modifiers: ["Shift"] });
    await view.card("a").getByRole("button", { name: "Send without the mode “architect”" }).click();
    expect(await view.card("a").locator(".chip").count()).toBe(0);
    expect(await view.focus()).toBe("textarea");
    await view.page.keyboard.press("Enter");
    expect(await answers(view)).toEqual([{ provenance: "edited", suggestion: 2, text: vanilla }]);
  });

  it("goes after the typed text, and undo removes it", async () => {
    const view = await openPending();
    await view.box("a").fill("First this.");
    await view.suggestion("a", 2).click({ modifiers: ["Shift"] });
    expect(await view.box("a").inputValue()).toBe(`First this.\n${vanilla}`);
    await view.page.keyboard.press("Control+z");
    expect(await view.box("a").inputValue()).toBe("First this.");
    expect(await view.card("a").locator(".origin").count()).toBe(0);
    await view.page.keyboard.press("Enter");
    expect(await answers(view)).toEqual([{ provenance: "typed", text: "First this." }]);
  });

  it("is forgotten when the box is emptied", async () => {
    const view = await openPending();
    await view.suggestion("a", 2).click({ modifiers: ["Shift"] });
    await view.page.keyboard.press("Control+a");
    await view.page.keyboard.press("Delete");
    expect(await view.card("a").locator(".chip").count()).toBe(0);
    await view.page.keyboard.type("mine");
    await view.page.keyboard.press("Enter");
    expect(await answers(view)).toEqual([{ provenance: "typed", text: "mine" }]);
  });

  it.each(["e", "E", "Shift+Enter"])("is moved by %s on it, too", async (key) => {
    const view = await openPending();
    await view.suggestion("a", 1).focus();
    await view.page.keyboard.press(key);
    expect(await view.box("a").inputValue()).toBe(styling.suggest[1]?.answer);
    expect(await view.focus()).toBe("textarea");
    expect(await answers(view)).toEqual([]);
  });

  it("may be long and have many lines", async () => {
    const answer = "line of it\n".repeat(20_000);
    const view = await openView();
    await view.post(ask("a", "pending", { payload: { question: "Which?", suggest: [{ answer }] } }));
    await view.suggestion("a", 0).focus();
    await view.page.keyboard.press("e");
    expect(await view.box("a").inputValue()).toBe(answer);
    await view.page.keyboard.press("Enter");
    expect(await answers(view)).toEqual([{ provenance: "clicked", suggestion: 0 }]);
  });
});

it("a suggestion shows its mode as a badge", async () => {
  const view = await openPending();
  expect(await view.suggestion("a", 2).locator(".mode").textContent()).toContain("architect");
  expect(await view.suggestion("a", 1).locator(".mode").count()).toBe(0);
});

describe("a suggestion with text", () => {
  it("is sent with it; the buttons say so, and nothing is left unsent", async () => {
    const view = await openView();
    await view.post(ask("a"));
    const place = await view.box("a").boundingBox();
    await view.box("a").fill("but not\non Fridays");
    expect((await view.box("a").boundingBox())?.y).toBe(place?.y);
    await view
      .card("a")
      .getByRole("button", { name: /Tailwind.*\+ your words/ })
      .click();
    expect((await view.waitFor("answer")).answer).toEqual({
      provenance: "clicked",
      suggestion: 1,
      text: "but not\non Fridays",
    });
    const answer = styling.suggest[1]?.answer;
    const outcome = {
      outcome: "answered",
      provenance: "chosen",
      suggestion: 1,
      text: `${answer}\n\nbut not\non Fridays`,
      note: "but not\non Fridays",
      at: 1,
    } as const;
    await view.post(ask("a", "closed", { outcome }));
    expect(await view.card("a").locator(".unsent").count()).toBe(0);
    expect(await view.card("a").locator(".closed-answer").innerText()).toContain(
      `${answer}, but not on Fridays`,
    );
    await view.unfold("a");
    expect(await view.card("a").locator(".offers .words").allTextContents()).toEqual([
      answer,
      "but not\non Fridays",
    ]);
    expect(await view.card("a").locator(".outcome-line").textContent()).toContain(
      "You chose suggestion 2 and added words",
    );
  });

  it("stays separate from another edited suggestion", async () => {
    const view = await openView();
    await view.post(ask("a"));
    await view.suggestion("a", 0).click({ modifiers: ["Shift"] });
    await view.box("a").pressSequentially(" 5");
    expect(await view.card("a").locator(".along").count()).toBe(0);
    await view.suggestion("a", 1).click();
    expect((await view.waitFor("answer")).answer).toEqual({ provenance: "clicked", suggestion: 1 });
  });
});
