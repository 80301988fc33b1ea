// Folding a question to its title, the agent's context, and file locations in texts.

import { describe, expect, it } from "vitest";
import { passes } from "../wait";
import { openView, useBrowser, type View } from "./harness";
import { node } from "./nodes";
import { ask, askAll, database, four, styling } from "./questions";
import { placed } from "./script";

useBrowser();

const fold = "Control+Shift+BracketLeft";
const unfold = "Control+Shift+BracketRight";

const body = (view: View, id: string) => view.card(id).locator(".card-body");

it.each([
  [300, "below"],
  [900, "beside"],
])("a closed question %i px wide shows the answer %s its question", async (width, place) => {
  const view = await openView({ width });
  const outcome = { outcome: "answered", provenance: "clicked", suggestion: 1, at: 1 } as const;
  await view.post(ask("a", "closed", { outcome }));
  const [question, answer] = await Promise.all(
    [".folded-words", ".closed-answer"].map((part) => view.card("a").locator(part).boundingBox()),
  );
  const isBelow = (question?.y ?? 0) + (question?.height ?? 0) <= (answer?.y ?? 0);
  expect(isBelow).toBe(place === "below");
});

describe("a folded question", () => {
  it("shows the question and whether an answer was begun, and restores draft, picks and scroll positions", async () => {
    const view = await openView();
    const long = { ...database, question: "Which store?\n".repeat(200) };
    await view.post(ask("a"), askAll("b", [long, ...four.slice(1)], "pending", { order: 2 }));
    await view.box("a").fill("Tailwind, but");
    await view.option("b", 1).check();
    await view
      .card("b")
      .locator(".question")
      .evaluate((text) => {
        text.scrollTop = 140;
      });
    for (const id of ["a", "b"]) {
      await view.card(id).locator(".fold").click();
      expect(await body(view, id).isVisible()).toBe(false);
    }
    expect(await view.card("a").locator(".folded-title").innerText()).toMatch(/Answer started/);
    expect(await view.card("a").locator(".folded-words").innerText()).toBe(styling.question);
    expect((await view.card("b").locator(".folded-words").innerText()).length).toBeLessThan(400);
    for (const id of ["a", "b"]) {
      await view.card(id).locator(".folded-title").click();
    }
    expect(await view.box("a").inputValue()).toBe("Tailwind, but");
    expect(await view.option("b", 1).isChecked()).toBe(true);
    expect(
      await view
        .card("b")
        .locator(".question")
        .evaluate((text) => text.scrollTop),
    ).toBe(140);
  });

  it("is folded and unfolded with the editor's keys, also from its text box, and keeps the focus", async () => {
    const view = await openView();
    await view.post(ask("a"), ask("b", "pending", { order: 2 }));
    await view.box("b").focus();
    await view.page.keyboard.press(fold);
    expect(await body(view, "b").isVisible()).toBe(false);
    expect(await body(view, "a").isVisible()).toBe(true);
    expect(await view.focus()).toBe("button.fold");
    await view.page.keyboard.press("Tab");
    await view.page.keyboard.press("Tab");
    expect(await view.focus()).toBe("button.folded-title");
    await view.page.keyboard.press(unfold);
    expect(await body(view, "b").isVisible()).toBe(true);
  });

  it("shows plain text without Markdown, folded, closed and to a screen reader", async () => {
    const view = await openView();
    const payload = { question: "Drop the **table** `users`?", suggest: [{ answer: "No" }] };
    const rendered = { question: [node("paragraph", "…")], plainQuestion: "Drop the table users?" };
    await view.post(ask("a", "pending", { payload, rendered }));
    expect(await view.page.locator('[aria-live="polite"] p').allTextContents()).toEqual([
      "Roo Code asks: Drop the table users? 1 suggested answer.",
    ]);
    await view.card("a").locator(".fold").click();
    expect(await view.card("a").locator(".folded-words").textContent()).toBe("Drop the table users?");
    const outcome = { outcome: "answered", provenance: "clicked", suggestion: 0, at: 1 } as const;
    await view.post(ask("a", "closed", { payload, rendered, outcome }));
    expect(await view.card("a").locator(".closed-line .folded-words").textContent()).toBe(
      "Drop the table users?",
    );
  });

  it("ignores digits, because its options are hidden", async () => {
    const view = await openView();
    await view.post(ask("a"));
    await view.page.keyboard.press(fold);
    await view.page.keyboard.press("1");
    expect(await view.sentOf("answer")).toEqual([]);
    await view.page.keyboard.press(unfold);
    await view.gestureOver();
    await view.page.keyboard.press("1");
    expect(await view.sentOf("answer")).toHaveLength(1);
  });

  it("stays folded across updates and reloads, and unfolds when the focus is sent to it", async () => {
    const view = await openView();
    await view.post(ask("a"));
    await view.card("a").locator(".fold").click();
    await view.post(ask("a", "pending", { orphaned: true }));
    expect(await body(view, "a").isVisible()).toBe(false);
    await view.reload();
    await view.post(ask("a"));
    expect(await body(view, "a").isVisible()).toBe(false);
    await view.post({ type: "focus", id: "a" });
    expect(await body(view, "a").isVisible()).toBe(true);
    expect(await view.focus()).toBe("button.choose[0]");
  });
});

describe("the agent's context", () => {
  it("is shown on demand, and stays open when the question is updated", async () => {
    const view = await openView();
    const context = "I looked at <b>both</b>.";
    await view.post(ask("a", "streaming", { context }));
    const words = view.card("a").locator(".context-words");
    expect(await words.isVisible()).toBe(false);
    await view.card("a").getByText("What Roo Code wrote before").click();
    expect(await words.innerText()).toBe(context);
    const rendered = { context: [node("paragraph", "I looked at both, in ", node("strong", "bold"), ".")] };
    await view.post(ask("a", "pending", { context, rendered }));
    expect(await words.innerText()).toBe("I looked at both, in bold.");
    await view.post(ask("b", "pending", { order: 2 }));
    expect(await view.card("b").locator(".context").count()).toBe(0);
  });
});

describe("file locations", () => {
  it("are links if the editor has the file, else text, and open by click and key", async () => {
    const view = await openView();
    const question = "Is src/a.ts:3 right, or src/none.ts:4, or `b.ts:5-9`?";
    const rendered = {
      question: [
        node("paragraph", "Is src/a.ts:3 right, or src/none.ts:4, or ", node("code", "b.ts:5-9"), "?"),
      ],
    };
    await view.post(ask("a", "pending", { payload: { question, suggest: [] }, rendered }));
    const { request, texts } = await view.waitFor("findPlaces");
    await view.post({ type: "places", request, places: placed(texts, "src/a.ts:3", "b.ts:5-9") });
    const links = view.card("a").getByRole("link");
    expect(await links.allInnerTexts()).toEqual(["src/a.ts:3", "b.ts:5-9"]);
    expect(await view.card("a").locator(".question").innerText()).toBe(question.replaceAll("`", ""));
    await view.page.locator("followup-app:not(:has([data-fresh]))").waitFor();
    await links.first().click();
    await links.last().press("Enter");
    expect((await view.sentOf("openPlace")).map(({ text }) => text)).toEqual(["src/a.ts:3", "b.ts:5-9"]);
  });

  it("that appear beside suggestions do not move what is under the pointer", async () => {
    const view = await openView();
    const suggest = [{ answer: "Drop src/a.ts:3" }, { answer: "Keep it" }];
    await view.post(ask("a", "pending", { payload: { question: "Which?", suggest } }));
    const { request, texts } = await view.waitFor("findPlaces");
    await view.suggestion("a", 1).hover();
    const stood = await view.suggestion("a", 1).boundingBox();
    await view.post({ type: "places", request, places: placed(texts, "src/a.ts:3") });
    await view.button("a", "src/a.ts:3").waitFor();
    expect((await view.suggestion("a", 1).boundingBox())?.y).toBeCloseTo(stood?.y ?? 0, 0);
  });

  it("in a suggestion or label have a button beside it that answers nothing", async () => {
    const view = await openView();
    const suggest = [{ answer: "Drop src/a.ts:3 and src/a.ts:3" }, { answer: "Keep it" }];
    await view.post(ask("a", "pending", { payload: { question: "Which?", suggest } }));
    const { request, texts } = await view.waitFor("findPlaces");
    await view.post({ type: "places", request, places: placed(texts, "src/a.ts:3") });
    await view.page.locator("followup-app:not(:has([data-fresh]))").waitFor();
    await view.button("a", "src/a.ts:3").click();
    expect(await view.sentOf("openPlace")).toHaveLength(1);
    expect(await view.sentOf("answer")).toEqual([]);
    expect(await view.sentOf("findPlaces")).toHaveLength(1);
    const options = ["Drop src/b.ts:4", "Keep it"].map((label) => ({ label, description: "" }));
    await view.post(askAll("b", [{ ...database, options }]));
    const named = await view.waitFor("findPlaces", ({ request: other }) => other !== request);
    await view.post({ type: "places", request: named.request, places: placed(named.texts, "src/b.ts:4") });
    await view.button("b", "src/b.ts:4").click();
    expect(await view.sentOf("openPlace")).toHaveLength(2);
    expect(await view.sentOf("answerQuestions")).toEqual([]);
  });
});

describe("the focus in a folded question", () => {
  it("returns to its element when the question unfolds", async () => {
    const view = await openView();
    await view.post(ask("a"));
    await view.box("a").fill("Tailwind, but");
    await view.page.keyboard.press(fold);
    expect(await view.focus()).toBe("button.fold");
    await view.page.keyboard.press(unfold);
    await body(view, "a").waitFor();
    await passes(async () => expect(await view.focus()).toBe("textarea"));
    await view.page.keyboard.type(" small");
    expect(await view.box("a").inputValue()).toBe("Tailwind, but small");
  });
});
