// The output for a screen reader, and axe's findings in every state and theme.

import { describe, expect, it } from "vitest";
import { expectAccessible } from "./axe";
import { openView, useBrowser, type View } from "./harness";
import { ask, askAll, database, four, styling } from "./questions";
import { states } from "./states";

useBrowser();

it.each(Object.keys(states))(
  "the state %s fits into a view 200 px wide; in a wider one, axe finds no violation, and the accessibility tree matches its snapshot",
  async (name) => {
    const view = await openView({ width: 200, reducedMotion: "reduce", diffs: true });
    await states[name]?.(view);
    expect(await view.page.evaluate(() => document.documentElement.scrollWidth)).toBe(200);
    await view.page.setViewportSize({ width: 320, height: 700 });
    await view.post(); // a request that is in view only now enables its buttons
    await expect(await posted(view)).toMatchFileSnapshot(`screen-reader/${name}.txt`);
    await expectAccessible(view.page);
  },
);

it.each([
  [200, 100],
  [300, 190],
])("a view %i px wide leaves a suggestion's text %i px", async (width, least) => {
  const view = await openView({ width });
  await view.post(ask("a"));
  const answer = await view.card("a").locator(".answer").first().boundingBox();
  expect(answer?.width).toBeGreaterThanOrEqual(least);
});

it.each(["outcomes-unfolded", "questions-queued", "questions-review", "empty", "guidance"])(
  "with forced colors, the icons of the state %s have the color of the text around them",
  async (name) => {
    const view = await openView();
    await view.page.emulateMedia({ forcedColors: "active" });
    await states[name]?.(view);
    const others = await view.page
      .locator(".codicon")
      .evaluateAll((icons) =>
        icons
          .filter(
            (icon) => getComputedStyle(icon).color !== getComputedStyle(icon.parentElement as Element).color,
          )
          .map((icon) => icon.getAttribute("class")),
      );
    await view.page.emulateMedia({ forcedColors: "none" });
    expect(others).toEqual([]);
  },
);

const heard = (view: View) => view.page.locator('[aria-live="polite"] p').allTextContents();

describe("a screen reader", () => {
  it("announces a new question, when it can be answered, and how it ended, but not every piece", async () => {
    const view = await openView();
    await view.post(ask("a", "streaming", { payload: { question: "Which", suggest: [] } }));
    expect(await heard(view)).toEqual(["Roo Code is asking a question."]);
    await view.post({ type: "append", id: "a", text: " styling approach" });
    await view.post({ type: "append", id: "a", suggest: [{ answer: "Tailwind" }] });
    expect(await heard(view)).toHaveLength(1);
    await view.post(ask("a"));
    expect((await heard(view)).at(-1)).toBe(`Roo Code asks: ${styling.question} 3 suggested answers.`);
    await view.suggestion("a", 1).click();
    await view.post(
      ask("a", "closed", { outcome: { outcome: "answered", provenance: "clicked", suggestion: 1, at: 1 } }),
    );
    expect((await heard(view)).at(-1)).toBe("Roo Code: You chose suggestion 2");
    expect(await heard(view)).toHaveLength(3);
  });

  it("announces only the beginning of a long question", async () => {
    const view = await openView();
    await view.post(ask("a", "pending", { payload: { question: "long ".repeat(1000), suggest: [] } }));
    expect((await heard(view))[0]?.length).toBeLessThan(500);
  });

  it("does not announce questions that had already ended", async () => {
    const view = await openView();
    await view.post(ask("a", "closed", { outcome: { outcome: "dismissed", at: 1 } }));
    expect(await heard(view)).toEqual([]);
  });

  it("finds each question as an article named after its agent, busy while it streams", async () => {
    const view = await openView();
    await view.post(ask("a", "streaming", { agent: "Kilo Code" }));
    const article = view.page.getByRole("article", { name: "Question from Kilo Code" });
    expect(await article.getAttribute("aria-busy")).toBe("true");
    await view.post(ask("a", "pending", { agent: "Kilo Code" }));
    expect(await article.getAttribute("aria-busy")).toBe("false");
    expect(await article.getByRole("list", { name: "Suggested answers" }).getByRole("listitem").count()).toBe(
      3,
    );
    expect(
      await article.getByRole("button", { name: `${styling.suggest[2]?.answer} Mode: architect` }).count(),
    ).toBe(1);
    expect(await article.getByRole("button", { name: "Edit suggestion 2" }).count()).toBe(1);
  });

  it("announces a questionnaire's number of questions, and the first question", async () => {
    const view = await openView();
    await view.post(askAll("a", four), askAll("b", [database], "pending", { order: 2 }));
    expect(await heard(view)).toEqual([
      `Claude asks 4 questions. The first one: ${database.question}`,
      `Claude asks: ${database.question} 3 suggested answers.`,
    ]);
    await view.control("b", "add-note").click();
    await view.post(
      askAll("a", four, "closed", {
        outcome: { outcome: "answered", picks: [{ options: [0] }, {}, {}, {}], at: 1 },
      }),
    );
    expect((await heard(view)).at(-1)).toBe("Claude: You answered 1 of 4 questions");
  });
});

/** A screen reader's view of a state: the announcements and the accessibility tree. */
async function posted(view: View): Promise<string> {
  const tree = await view.page.locator("main").ariaSnapshot();
  // Both have the log of announcements.
  const page = tree.slice(0, tree.search(/^\s*- log/m)).trimEnd();
  return `${(await heard(view)).map((text) => `> ${text}\n`).join("")}${page}\n`;
}
