// Additions to an answer from the editor, and files after an @.

import { describe, expect, it } from "vitest";
import type { Quote } from "../../src/protocol.gen";
import { openView, useBrowser, type View } from "./harness";
import { ask, askAll, checks, database, styling } from "./questions";

useBrowser();

const range = { start: { line: 2, character: 0 }, end: { line: 4, character: 1 } };
const lines: Quote = {
  label: "src/a.ts:3-5",
  location: { uri: "file:///w/src/a.ts", range },
  text: "if (a) {\n}",
};
const shell: Quote = { label: "zsh", text: "exit 1" };

const chips = (view: View, id: string) => view.card(id).locator(".quotes .chip-text").allInnerTexts();

describe("a quote from the editor", () => {
  it("is shown below the box once, is part of the draft and the answer, and suffices as an answer", async () => {
    const view = await openView();
    await view.post(ask("a"), { type: "quotes", id: "a", quotes: [lines] });
    await view.post({ type: "quotes", id: "a", quotes: [lines, shell] });
    expect(await chips(view, "a")).toEqual(["src/a.ts:3-5", "zsh"]);
    expect(await view.focus()).toBe("body");
    await view.waitFor("draft", ({ draft }) => draft?.quotes?.length === 2);
    await view.button("a", "Send").click();
    expect((await view.waitFor("answer")).answer).toMatchObject({ text: "", quotes: [lines, shell] });
  });

  it("is sent with a suggestion and with picks, and can be removed by keyboard", async () => {
    const view = await openView();
    await view.post(ask("a"), askAll("b", [database, checks], "pending", { order: 2 }));
    for (const id of ["a", "b"]) {
      await view.post({ type: "quotes", id, quotes: [lines, shell] });
      await view.button(id, "Remove zsh").press("Enter");
      expect(await chips(view, id)).toEqual(["src/a.ts:3-5"]);
      await view.gestureOver();
    }
    await view.suggestion("a", 1).click();
    expect((await view.waitFor("answer")).answer).toMatchObject({ suggestion: 1, quotes: [lines] });
    await view.tab("b", 2).click();
    await view.gestureOver();
    await view.control("b", "submit").click();
    expect((await view.waitFor("answerQuestions")).answer).toMatchObject({ quotes: [lines] });
  });

  it("stays while a suggestion is edited, and waits for a question that has not arrived", async () => {
    const view = await openView();
    await view.post({ type: "quotes", id: "a", quotes: [lines] });
    await view.post(ask("a"));
    await view.suggestion("a", 0).click({ modifiers: ["Shift"] });
    expect(await chips(view, "a")).toEqual(["src/a.ts:3-5"]);
    expect(await view.box("a").inputValue()).toBe(styling.suggest[0]?.answer);
  });

  it("is limited to what an answer may have", async () => {
    const view = await openView();
    const many = Array.from({ length: 30 }, (_, index) => ({ label: `a.ts:${index + 1}` }));
    await view.post(ask("a"), { type: "quotes", id: "a", quotes: many });
    expect(await chips(view, "a")).toHaveLength(20);
  });
});

describe("an @ in the box", () => {
  const files = ["src/panel.ts", "src/two words.ts", "docs/panel.md"];

  async function search(view: View, typed: string): Promise<void> {
    await view.box("a").pressSequentially(typed);
    const text = typed.slice(typed.lastIndexOf("@") + 1);
    const { request } = await view.waitFor("findFiles", (message) => message.text === text);
    await view.post({ type: "foundFiles", request, files });
  }

  it("completes files by keyboard alone, and Enter sends only without an open list", async () => {
    const view = await openView();
    await view.post(ask("a"));
    await search(view, "See @pan");
    const options = view.card("a").getByRole("option");
    expect(await options.evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel))).toEqual(files);
    const active = () => view.box("a").getAttribute("aria-activedescendant");
    expect(await active()).toBe(await options.first().getAttribute("id"));
    await view.page.keyboard.press("ArrowUp");
    await view.page.keyboard.press("ArrowUp");
    expect(await active()).toBe(await options.nth(1).getAttribute("id"));
    expect(await options.nth(1).getAttribute("aria-selected")).toBe("true");
    await view.page.keyboard.press("Enter");
    expect(await view.box("a").inputValue()).toBe("See `src/two words.ts` ");
    expect(await options.count()).toBe(0);
    await search(view, "and @p");
    await view.page.keyboard.press("Tab");
    expect(await view.box("a").inputValue()).toBe("See `src/two words.ts` and src/panel.ts ");
    expect(await view.sentOf("answer")).toEqual([]);
    await view.page.keyboard.press("Enter");
    expect((await view.waitFor("answer")).answer.text).toBe("See `src/two words.ts` and src/panel.ts ");
  });

  it("closes with Esc, which leaves the page only the next time, and keeps the focus on a click", async () => {
    const view = await openView();
    await view.post(ask("a"));
    await search(view, "@pan");
    await view.page.keyboard.press("Escape");
    expect(await view.card("a").getByRole("option").count()).toBe(0);
    expect(await view.sentOf("escape")).toEqual([]);
    await view.box("a").fill("");
    await search(view, "@pan");
    await view.card("a").getByRole("option").last().click();
    expect(await view.box("a").inputValue()).toBe("docs/panel.md ");
    expect(await view.focus()).toBe("textarea");
  });

  it("inserts nothing after the cursor moved away, or before the search is done", async () => {
    const view = await openView();
    await view.post(ask("a"));
    await view.box("a").fill("see  and keep this");
    await view.box("a").evaluate((box: HTMLTextAreaElement) => box.setSelectionRange(4, 4));
    await search(view, "@pan");
    const options = view.card("a").getByRole("option");
    await view.page.keyboard.press("End");
    await view.page.keyboard.press("Tab");
    expect(await options.count()).toBe(0);
    expect(await view.box("a").inputValue()).toBe("see @pan and keep this");
    await view.box("a").fill("");
    await search(view, "@p");
    await view.box("a").press("x");
    await view.page.keyboard.press("Enter");
    expect(await view.box("a").inputValue()).toBe("@px");
    expect(await view.sentOf("answer")).toEqual([]);
  });

  it("shows only the newest search, and does not search in an address", async () => {
    const view = await openView();
    await view.post(ask("a"));
    await view.box("a").pressSequentially("me@host @a");
    const first = await view.waitFor("findFiles", ({ text }) => text === "a");
    await view.box("a").pressSequentially("b");
    const second = await view.waitFor("findFiles", ({ text }) => text === "ab");
    await view.post({ type: "foundFiles", request: second.request, files: ["ab.ts"] });
    await view.post({ type: "foundFiles", request: first.request, files: ["a.ts"] });
    expect(await view.card("a").getByRole("option").allInnerTexts()).toEqual([
      expect.stringContaining("ab.ts"),
    ]);
    expect((await view.sentOf("findFiles")).map(({ text }) => text)).toEqual(["", "a", "ab"]);
  });
});

describe("a rejected quote", () => {
  const said = (view: View) => view.page.locator(".toast");

  it("is counted, or reported as late for a closed question", async () => {
    const view = await openView();
    const many = Array.from({ length: 22 }, (_, index) => ({ label: `a.ts:${index + 1}` }));
    await view.post(ask("a"), { type: "quotes", id: "a", quotes: many });
    expect(await said(view).innerText()).toBe(
      "An answer can have at most 20 quotes from the editor. 2 quotes were not added.",
    );
    const outcome = { outcome: "answered", provenance: "typed", text: "Yes.", at: 1 } as const;
    await view.post(ask("a", "closed", { outcome }), { type: "quotes", id: "a", quotes: [shell] });
    expect(await said(view).innerText()).toBe("Nothing was added: the question is already closed.");
  });
});

describe("an @ in the boxes of a questionnaire", () => {
  it("completes files in typed text and notes, where Enter inserts the file and sends nothing", async () => {
    const view = await openView();
    await view.post(askAll("q", [{ ...database, multiSelect: false }]));
    const card = view.card("q");
    const search = async (typed: string) => {
      await view.page.keyboard.type(typed);
      const { request } = await view.waitFor("findFiles", ({ text }) => text === typed.slice(1));
      await view.post({ type: "foundFiles", request, files: ["src/panel.ts", "docs/panel.md"] });
      expect(await card.getByRole("option").count()).toBe(2);
    };
    const own = card.locator(".other textarea");
    await own.focus();
    await search("@pan");
    await view.page.keyboard.press("ArrowDown");
    await view.page.keyboard.press("Enter");
    expect(await own.inputValue()).toBe("docs/panel.md ");
    await card.getByRole("button", { name: "Add a note" }).click();
    await search("@pa");
    await view.page.keyboard.press("Enter");
    expect(await card.locator(".note textarea").inputValue()).toBe("src/panel.ts ");
    expect(await view.focus()).toBe("textarea");
    await search("@p");
    await view.page.keyboard.press("Escape");
    expect(await card.getByRole("option").count()).toBe(0);
    expect([await view.sentOf("escape"), await view.sentOf("answerQuestions")]).toEqual([[], []]);
  });
});
