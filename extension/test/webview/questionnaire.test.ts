// A questionnaire on the page, in Chromium: answered by keyboard alone or by pointer, reviewed, replied to,
// and shown after it is closed.

import { describe, expect, it } from "vitest";
import type { ItemOutcome, Question } from "../../src/protocol.gen";
import { openView, useBrowser, type View } from "./harness";
import { node } from "./nodes";
import {
  ask,
  askAll,
  checks,
  database,
  four,
  naming,
  onePixel,
  onePixelHash,
  pixelFile,
  sentPixel,
} from "./questions";

useBrowser();

async function open(questions: Question[] = four): Promise<View> {
  const view = await openView();
  await view.post(askAll("a", questions));
  return view;
}

const press = async (view: View, ...keys: string[]) => {
  for (const key of keys) {
    await view.page.keyboard.press(key);
  }
};

const submitted = async (view: View) => (await view.waitFor("answerQuestions")).answer;
const selectedTab = (view: View) =>
  view.card("a").locator('[role="tab"][aria-selected="true"]').textContent();
const tab = async (view: View) => (await selectedTab(view))?.trim().replace(/\s+/g, " ");
const isChosen = (view: View, index: number) => view.option("a", index).isChecked();
const lines = async (view: View) =>
  (await view.card("a").locator(".review-item").allInnerTexts()).map((text) => text.replaceAll(":\n", ": "));

describe("the keyboard alone", () => {
  it("answers four questions: single, multiple, with previews, with text", async () => {
    const view = await open();
    await view.post({ type: "focus" });
    await press(view, "ArrowDown", "Enter");
    expect(await tab(view)).toBe("Merge check…");
    await press(view, "Space", "ArrowDown", "ArrowDown", "Space", "Control+Enter");
    expect(await tab(view)).toBe("Layout");
    await press(view, "Space", "ArrowDown", "Enter");
    expect(await tab(view)).toBe("Question 4");
    await press(view, "3");
    await view.page.keyboard.type("post");
    await press(view, "Shift+Enter");
    await view.page.keyboard.type("office");
    await press(view, "Enter");
    expect(await tab(view)).toBe("Review");
    expect(await view.focus()).toBe("button.submit");
    await view.gestureOver();
    await press(view, "Enter");
    expect(await submitted(view)).toEqual({
      picks: [{ options: [1] }, { options: [0, 2] }, { options: [1] }, { other: "post\noffice" }],
    });
    expect(await view.focus()).toBe("button.submit");
  });

  it("moves between the tabs with the arrows, Home and End; Tab reaches one of them", async () => {
    const view = await open();
    await view.tab("a", 0).focus();
    const seen: (string | undefined)[] = [];
    for (const key of ["ArrowRight", "End", "ArrowRight", "ArrowLeft", "Home"]) {
      await press(view, key);
      seen.push(await tab(view));
      expect(await view.focus()).toMatch(/^button\.tab\[/);
    }
    expect(seen).toEqual(["Merge check…", "Review", "Database", "Review", "Database"]);
    await press(view, "Tab");
    expect(await view.option("a", 0).evaluate((input) => input === document.activeElement)).toBe(true);
    await press(view, "Shift+Tab");
    expect(await view.focus()).toBe("button.tab[0]");
  });

  it("reaches everything with Tab, in the order of the page", async () => {
    const view = await open();
    await press(view, "1");
    const seen: string[] = [];
    for (let step = 0; step < 9; step++) {
      seen.push(await view.focus());
      await press(view, "Tab");
    }
    expect(seen).toEqual([
      "input",
      "textarea",
      "button.add-note",
      "button.attach",
      "button.leave-out",
      "button.next",
      "button.reply",
      "button.dismiss",
      "body",
    ]);
  });

  it("chooses with digits outside text boxes: options, and the text box after the last", async () => {
    const view = await open();
    await press(view, "2");
    expect(await isChosen(view, 1)).toBe(true);
    await press(view, "1");
    expect([await isChosen(view, 0), await isChosen(view, 1)]).toEqual([true, false]);
    await press(view, "4", "7", "9");
    expect(await view.own("a").inputValue()).toBe("79");
    await view.tab("a", 1).click();
    await press(view, "1", "3", "1", "9");
    expect(await Promise.all([0, 1, 2, 3].map((index) => isChosen(view, index)))).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(await view.sentOf("answerQuestions")).toEqual([]);
  });

  it("returns to the editor with Esc, and nothing is dismissed or lost", async () => {
    const view = await open();
    await press(view, "2");
    await view.own("a").pressSequentially("mine");
    await press(view, "Escape");
    await view.control("a", "reply").click();
    await view.page.keyboard.type("hm");
    await press(view, "Escape");
    expect(await view.sentOf("escape")).toHaveLength(2);
    expect(await view.sentOf("dismiss")).toEqual([]);
    expect([await view.own("a").inputValue(), await view.box("a").inputValue()]).toEqual(["mine", "hm"]);
  });

  it("never sends while Enter is held, or with the press that opened the review", async () => {
    const view = await open();
    await view.tab("a", 3).click();
    await view.option("a", 0).focus();
    await view.page.keyboard.down("Enter");
    for (let repeat = 0; repeat < 4; repeat++) {
      await view.page.keyboard.down("Enter");
    }
    await view.gestureOver();
    await view.page.keyboard.down("Enter");
    await view.page.keyboard.up("Enter");
    expect(await tab(view)).toBe("Review");
    expect(await view.sentOf("answerQuestions")).toEqual([]);
  });
});

describe("the pointer", () => {
  it("does not send with the second click of a double click that opened the review", async () => {
    const view = await open();
    await view.option("a", 0).click();
    await view.tab("a", 3).click();
    await view.control("a", "next").dblclick();
    expect(await tab(view)).toBe("Review");
    expect(await view.sentOf("answerQuestions")).toEqual([]);
    await view.gestureOver();
    await view.control("a", "submit").click();
    expect((await submitted(view)).picks).toEqual([{ options: [0] }, {}, {}, {}]);
    expect(await view.state("a")).toBe("sending");
  });

  it.each(["change", "back"])(
    "does not go back with the second click of a double click if .%s comes under the pointer",
    async (name) => {
      const view = await open();
      view.spoil();
      await view.option("a", 0).click();
      await view.tab("a", 3).click();
      await view.page.evaluate((name) => {
        const sheet = new CSSStyleSheet();
        const inReview = 'form:has([data-index="4"][aria-selected="true"])';
        const one = `:is(.back, .review-item:first-child *).${name}`;
        sheet.replaceSync(`${inReview} ${one} { position: fixed; inset: 0; z-index: 9; }`);
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      }, name);
      await view.control("a", "next").dblclick();
      expect(await tab(view)).toBe("Review");
      await view.gestureOver();
      await view.card("a").locator(`.${name}`).first().click();
      expect(await tab(view)).toBe(name === "change" ? "Database" : "Question 4");
    },
  );

  it("chooses anywhere in an option's row, including its description", async () => {
    const view = await open();
    await view.card("a").locator(".option[data-index='1'] .description").click({ force: true });
    expect(await isChosen(view, 1)).toBe(true);
  });
});

describe("a single choice without previews", () => {
  it("is answered by one click, once", async () => {
    const view = await open([database]);
    expect(await view.card("a").getByRole("tab").count()).toBe(0);
    expect(await view.control("a", "submit").count()).toBe(0);
    await view.option("a", 1).dblclick();
    expect(await view.sentOf("answerQuestions")).toEqual([
      { type: "answerQuestions", id: "a", answer: { picks: [{ options: [1] }] } },
    ]);
    expect(await view.state("a")).toBe("sending");
    expect(await view.card("a").locator(".option[data-chosen]").textContent()).toContain("SQLite");
    await view.option("a", 0).click({ force: true });
    await press(view, "1");
    expect(await view.sentOf("answerQuestions")).toHaveLength(1);
  });

  it("is answered by a digit or Enter, and the arrows move", async () => {
    const view = await open([database]);
    await view.post({ type: "focus" });
    await press(view, "ArrowDown", "ArrowDown", "ArrowDown");
    expect(await view.option("a", 0).evaluate((button) => button === document.activeElement)).toBe(true);
    await press(view, "End", "Enter");
    expect((await submitted(view)).picks).toEqual([{ options: [2] }]);
    await view.post(askAll("b", [naming], "pending", { order: 2 }));
    await press(view, "2");
    expect(await view.sentOf("answerQuestions")).toHaveLength(1);
    const outcome: ItemOutcome = { outcome: "answered", picks: [{ options: [2] }], at: 1 };
    await view.post(askAll("a", [database], "closed", { outcome }));
    await press(view, "ArrowDown", "2");
    expect((await view.waitFor("answerQuestions", ({ id }) => id === "b")).answer.picks).toEqual([
      { options: [1] },
    ]);
  });

  it("ignores the second click of one that answered another card", async () => {
    const view = await openView();
    await view.post(ask("x", "pending", { order: 1 }), askAll("a", [naming], "queued", { order: 2 }));
    await view.suggestion("x", 1).click();
    const outcome = { outcome: "answered", provenance: "clicked", suggestion: 1, at: 1 } as const;
    await view.post(ask("x", "closed", { outcome }), askAll("a", [naming], "pending", { order: 2 }));
    // The second click of the gesture: at the same place, soon afterwards by the clicks' own clocks.
    await view.option("a", 0).evaluate((button) => {
      const { x, y, time } = window.lastClickAt;
      const click = new MouseEvent("click", { clientX: x, clientY: y, detail: 2, bubbles: true });
      Object.defineProperty(click, "timeStamp", { value: time + 300 });
      button.dispatchEvent(click);
    });
    expect(await view.sentOf("answerQuestions")).toEqual([]);
  });

  it("waits for Submit once there is a note, which is sent along", async () => {
    const view = await open([database]);
    await view.control("a", "add-note").click();
    expect(await view.focus()).toBe("textarea");
    await view.page.keyboard.type("Version 16");
    await view.option("a", 0).click();
    expect(await view.sentOf("answerQuestions")).toEqual([]);
    await view.control("a", "submit").click();
    expect((await submitted(view)).picks).toEqual([{ options: [0], notes: "Version 16" }]);
  });

  it("is not sent by Enter in a note without a choice", async () => {
    const view = await open([database]);
    await view.control("a", "add-note").click();
    await view.page.keyboard.type("Version 16");
    await press(view, "Enter");
    expect(await view.sentOf("answerQuestions")).toEqual([]);
    expect(await view.focus()).toBe("input");
    await press(view, "Space", "Enter");
    expect((await submitted(view)).picks).toEqual([{ options: [0], notes: "Version 16" }]);
  });

  it("waits for Submit once text is typed; Enter sends it", async () => {
    const view = await open([database]);
    await press(view, "4");
    await view.page.keyboard.type("MariaDB");
    await view.option("a", 0).click();
    expect(await view.own("a").inputValue()).toBe("MariaDB");
    await view.own("a").press("End");
    await view.page.keyboard.type("!");
    await press(view, "Enter");
    expect((await submitted(view)).picks).toEqual([{ other: "MariaDB!" }]);
  });

  it("sends images along", async () => {
    const view = await open([database]);
    await view.card("a").locator("input[type=file]").setInputFiles([pixelFile()]);
    await view.card("a").locator(".thumbnail").waitFor();
    expect(await view.card("a").textContent()).toContain("Your image is sent with the answer.");
    await view.option("a", 0).click();
    expect(await submitted(view)).toEqual({ picks: [{ options: [0] }], images: [sentPixel] });
  });
});

describe("one multiple-choice question", () => {
  it("needs no review, and cannot be sent empty", async () => {
    const view = await open([checks]);
    expect(await view.card("a").getByRole("tab").count()).toBe(0);
    await view.option("a", 0).focus();
    await press(view, "Enter");
    expect(await view.control("a", "submit").isDisabled()).toBe(true);
    await press(view, "Space", "Enter");
    expect((await submitted(view)).picks).toEqual([{ options: [0] }]);
  });
});

describe("typed text", () => {
  it("is chosen by typing, kept when an option is clicked, and not sent then", async () => {
    const view = await open();
    await view.own("a").fill("MariaDB");
    const other = view.card("a").getByRole("radio", { name: "Other" });
    expect(await other.isChecked()).toBe(true);
    await view.option("a", 1).click();
    expect([await other.isChecked(), await view.own("a").inputValue()]).toEqual([false, "MariaDB"]);
    await view.tab("a", 4).click();
    expect((await lines(view))[0]).toMatch(/SQLite/);
    expect((await lines(view))[0]).not.toContain("MariaDB");
    await view.tab("a", 0).click();
    await other.click();
    expect(await view.focus()).toBe("textarea");
    await view.gestureOver();
    await view.tab("a", 4).click();
    expect((await lines(view))[0]).toContain("MariaDB");
  });

  it("is an additional choice in multiple choice", async () => {
    const view = await open();
    await view.tab("a", 1).click();
    await view.option("a", 3).click();
    await view.own("a").fill("Size");
    await view.card("a").getByRole("checkbox", { name: "Other" }).click();
    await view.tab("a", 4).click();
    expect((await lines(view))[1]).not.toContain("Size");
    await view.tab("a", 1).click();
    await view.card("a").getByRole("checkbox", { name: "Other" }).click();
    await view.tab("a", 4).click();
    expect((await lines(view))[1]).toMatch(/Benchmarks\s+Other: Size/);
  });
});

describe("the review", () => {
  it("shows all answers, marks skipped ones, and links back to each", async () => {
    const view = await open();
    await view.option("a", 0).click();
    await view.control("a", "add-note").click();
    await view.page.keyboard.type("at least 16");
    await view.tab("a", 4).click();
    expect(await view.card("a").locator(".step .hint").textContent()).toBe("1 of 4 questions answered");
    const [first, second] = await lines(view);
    expect(first).toMatch(/PostgreSQL Recommended\s+Note: at least 16/);
    expect(second).toMatch(/Skipped/);
    await view.card("a").getByRole("button", { name: "Change the answer to “Merge checks in CI”" }).click();
    expect(await tab(view)).toBe("Merge check…");
    expect(await view.option("a", 0).evaluate((input) => input === document.activeElement)).toBe(true);
  });

  it("shows questions as plain text, because three lines would cut a table", async () => {
    const view = await openView();
    const plainQuestion = "These columns do not fit:\ntotal 12,50\nWhich fix?";
    const question = [
      node("paragraph", "These columns do not fit:"),
      node("table", node("row", node("cell", "total"))),
    ];
    const rendered = { questions: [{ question, plainQuestion, options: [] }] };
    await view.post(askAll("a", [database, checks], "pending", { rendered }));
    await view.tab("a", 2).click();
    const asked = view.card("a").locator(".review .review-question").first();
    expect(await asked.innerText()).toBe(plainQuestion);
  });

  it("cannot be submitted while empty, and says so", async () => {
    const view = await open();
    await view.tab("a", 3).click();
    await view.control("a", "next").click();
    expect(await view.focus()).toBe("button.change");
    expect(await view.control("a", "submit").isDisabled()).toBe(true);
    expect(await view.card("a").textContent()).toContain("Answer a question, add a note, or reply instead.");
    await press(view, "Control+Enter");
    await view.control("a", "submit").click({ force: true });
    expect(await view.sentOf("answerQuestions")).toEqual([]);
  });

  it("marks answered questions in their tabs; Skip removes the choice and keeps the text", async () => {
    const view = await open();
    await view.own("a").fill("MariaDB");
    expect(await view.tab("a", 0).getAttribute("aria-label")).toBe("Database, answered");
    await view.control("a", "leave-out").click();
    expect(await tab(view)).toBe("Merge check…");
    expect(await view.tab("a", 0).getAttribute("aria-label")).toBe("Database");
    await view.control("a", "back").click();
    expect(await view.own("a").inputValue()).toBe("MariaDB");
    expect(await view.card("a").locator("input:checked").count()).toBe(0);
  });

  it("has the full header in the title of a shortened chip", async () => {
    const view = await open();
    expect(await view.tab("a", 1).getAttribute("title")).toBe("Merge checks in CI");
    expect(await view.card("a").getByRole("tab", { name: "Merge checks in CI" }).innerText()).toBe(
      "Merge check…",
    );
    expect(await view.tab("a", 3).textContent()).toContain("Question 4");
  });
});

describe("a reply", () => {
  it("replaces the answers, with the picks made so far and images", async () => {
    const view = await open();
    await view.option("a", 1).click();
    await view.control("a", "reply").click();
    expect(await view.focus()).toBe("textarea");
    expect(await view.control("a", "next").count()).toBe(0);
    await view.page.keyboard.type("What about backups?");
    await view.card("a").locator("input[type=file]").setInputFiles([pixelFile()]);
    await view.card("a").locator(".thumbnail").waitFor();
    await press(view, "Enter");
    expect(await view.sentOf("reply")).toEqual([
      {
        type: "reply",
        id: "a",
        reply: { text: "What about backups?", picks: [{ options: [1] }, {}, {}, {}], images: [sentPixel] },
      },
    ]);
    expect(await view.state("a")).toBe("sending");
  });

  it("is not sent by Enter on an option, with any modifier", async () => {
    const view = await open();
    await view.control("a", "reply").click();
    await view.page.keyboard.type("Why?");
    await view.option("a", 1).focus();
    for (const key of ["Enter", "Shift+Enter", "Alt+Enter", "Control+Enter"]) {
      await view.gestureOver();
      await press(view, key);
    }
    expect(await view.sentOf("reply")).toEqual([]);
    expect(await view.sentOf("answerQuestions")).toEqual([]);
    await view.box("a").press("Enter");
    expect(await view.sentOf("reply")).toHaveLength(1);
  });

  it("lets a single choice be picked without sending it, and keeps its text on the way back", async () => {
    const view = await open([database]);
    await view.control("a", "reply").click();
    await view.page.keyboard.type("Why?");
    await view.option("a", 1).click();
    expect(await view.sentOf("answerQuestions")).toEqual([]);
    await view.control("a", "reply").click();
    expect(await view.focus()).toBe("button.reply");
    expect(await view.box("a").count()).toBe(0);
    await view.control("a", "reply").click();
    expect(await view.box("a").inputValue()).toBe("Why?");
  });
});

describe("a blocked form", () => {
  it("does not change while its answer is being sent", async () => {
    const view = await open([checks]);
    await view.option("a", 0).click();
    await view.control("a", "submit").click();
    await view.option("a", 1).click({ force: true });
    await press(view, "3");
    expect([await isChosen(view, 0), await isChosen(view, 1), await isChosen(view, 2)]).toEqual([
      true,
      false,
      false,
    ]);
    await view.post({ type: "refused", id: "a", message: "The answer could not be saved." });
    expect(await view.card("a").getByRole("alert").textContent()).toContain("could not be saved");
    await view.option("a", 1).click();
    await view.control("a", "submit").click();
    expect((await view.sentOf("answerQuestions")).at(-1)?.answer.picks).toEqual([{ options: [0, 1] }]);
  });

  it("accepts choices during trouble", async () => {
    const view = await open([checks]);
    await view.post({ type: "trouble", message: "It ended.", restarting: true });
    await view.option("a", 0).click();
    expect(await view.control("a", "submit").isDisabled()).toBe(true);
    await view.option("a", 0).press("Enter");
    expect(await view.sentOf("answerQuestions")).toEqual([]);
    await view.post({ type: "trouble", message: null, restarting: false });
    await view.control("a", "submit").click();
    expect((await submitted(view)).picks).toEqual([{ options: [0] }]);
  });

  it("ignores clicks that would answer at once during trouble", async () => {
    const view = await open([database]);
    await view.post({ type: "trouble", message: "It ended.", restarting: true });
    await view.option("a", 0).click({ force: true });
    expect(await view.sentOf("answerQuestions")).toEqual([]);
  });
});

describe("a streaming questionnaire", () => {
  it("shows questions and options as they arrive, disabled, and keeps the scroll position", async () => {
    const view = await openView();
    await view.post(askAll("a", [], "streaming"));
    await view.post({ type: "append", id: "a", parts: [{ index: 0, text: "Which data" }] });
    await view.post({
      type: "append",
      id: "a",
      parts: [{ index: 0, text: "base?", header: "Database", options: database.options.slice(0, 1) }],
    });
    expect(await view.card("a").locator(".question").textContent()).toBe("Which database?");
    expect(await view.option("a", 0).isDisabled()).toBe(true);
    await view.post({
      type: "append",
      id: "a",
      parts: [{ index: 1, text: "Which checks?", header: "CI", multiSelect: true, options: checks.options }],
    });
    await view.tab("a", 1).click();
    expect(await view.card("a").getByRole("checkbox").count()).toBe(4);
    expect(await view.card("a").getByRole("tab").count()).toBe(2);
    await press(view, "1");
    await view.option("a", 1).click({ force: true });
    const questions = [
      { ...database, question: "Which database?" },
      { ...checks, question: "Which checks?", header: "CI" },
    ];
    await view.card("a").evaluate((card) => card.querySelector(".question")?.setAttribute("data-seen", ""));
    await view.post(askAll("a", questions));
    expect(await view.card("a").locator(".question[data-seen]").textContent()).toBe("Which checks?");
    expect(await view.card("a").locator("input:checked").count()).toBe(0);
    await view.option("a", 1).click();
    expect(await isChosen(view, 1)).toBe(true);
  });
});

describe("a closed questionnaire", () => {
  const picks = [
    { options: [0], notes: "at least 16" },
    { options: [2], other: "Size" },
    {},
    { options: [1] },
  ];

  it("shows every question with its options and picks", async () => {
    const view = await open();
    const outcome = { outcome: "answered", provenance: "clicked", picks, images: 2, at: 1 } as const;
    await view.post(askAll("a", four, "closed", { outcome: { ...outcome, picks } }));
    await view.unfold("a");
    const all = (await lines(view)).map((text) => text.split(/\s*\n\s*/));
    expect(all).toEqual([
      [
        "Database",
        database.question,
        "Chosen: PostgreSQL Recommended",
        "Note: at least 16",
        "SQLite",
        "Keep the JSON files",
      ],
      [
        "Merge checks in CI",
        checks.question,
        "Chosen: Lint",
        "Other: Size",
        "Unit tests",
        "Browser tests",
        "Benchmarks",
      ],
      ["Layout", four[2]?.question, "Skipped", "Side by side", "One column", "Leave it as it is"],
      [naming.question, "Chosen: mailroom", "inbox"],
    ]);
    const chosen = await view.card("a").locator(".offers [data-chosen] .offer").allInnerTexts();
    expect(chosen.map((text) => text.replace(/\s+/g, " ").trim())).toEqual([
      "Chosen: PostgreSQL Recommended",
      "Note: at least 16",
      "Chosen: Lint",
      "Other: Size",
      "Chosen: mailroom",
    ]);
    expect(await view.card("a").locator(".outcome-line").textContent()).toContain(
      "You answered 3 of 4 questions, with 2 images",
    );
    expect(await view.card("a").getByRole("button").count()).toBe(2);
    expect(await view.card("a").locator("button.clear").count()).toBe(1);
  });

  it("shows a reply with its picks", async () => {
    const view = await open();
    const outcome = {
      outcome: "replied",
      text: "Why?",
      picks: [{ options: [1] }, {}, {}, {}],
      at: 1,
    } as const;
    await view.post(
      askAll("a", four, "closed", { outcome: { ...outcome, picks: [...outcome.picks] } as never }),
    );
    await view.unfold("a");
    expect(await view.card("a").locator(".said .words").textContent()).toBe("Why?");
    expect(await view.card("a").locator(".review .offers [data-chosen] .words").allInnerTexts()).toEqual([
      "SQLite",
    ]);
    expect(await view.card("a").textContent()).not.toContain("Skipped");
  });

  it("keeps unsent input for copying", async () => {
    const view = await open();
    await view.option("a", 1).click();
    await view.control("a", "add-note").click();
    await view.page.keyboard.type("my note");
    await view.control("a", "reply").click();
    await view.page.keyboard.type("my reply");
    await view.post({ type: "remove", id: "a" });
    expect(await view.state("a")).toBe("closed");
    await view.card("a").locator(".unsent-text").waitFor();
    expect(await view.card("a").locator(".unsent-text").textContent()).toBe(
      "my reply\n\nDatabase\nSQLite\nmy note",
    );
  });

  it("while queued shows all questions, without buttons", async () => {
    const view = await openView();
    await view.post(askAll("a", four, "queued"));
    expect(await view.card("a").locator(".review-item").count()).toBe(4);
    expect(await view.card("a").getByRole("button").count()).toBe(0);
    expect(await view.card("a").textContent()).toContain("Queued");
    // For multiple choice the boxes are square, like checkboxes.
    const squares = view.card("a").locator(".review-item").locator(".codicon-chrome-maximize");
    const several = four.filter(({ multiSelect }) => multiSelect);
    expect(several.length).toBeGreaterThan(0);
    expect(await squares.count()).toBe(several.flatMap(({ options }) => options).length);
  });
});

describe("the draft", () => {
  it("is complete, and survives a reload", async () => {
    const view = await open();
    await view.option("a", 1).click();
    await view.tab("a", 1).click();
    await view.option("a", 0).click();
    await view.own("a").fill("Size");
    await view.control("a", "add-note").click();
    await view.page.keyboard.type("only on main");
    await view.control("a", "reply").click();
    await view.page.keyboard.type("Wait");
    await view.card("a").locator("input[type=file]").setInputFiles([pixelFile()]);
    const { draft } = await view.waitFor("draft", (message) => message.draft?.images?.length === 1);
    expect(draft).toEqual({
      text: "Wait",
      images: [{ ...onePixel, hash: onePixelHash }],
      step: 1,
      replying: true,
      picks: [
        { options: [1], otherChosen: false },
        { options: [0], other: "Size", otherChosen: true, notes: "only on main" },
        {},
        {},
      ],
      changedAt: expect.any(Number),
    });
    await view.reload();
    await view.post(askAll("a", four));
    expect(await tab(view)).toBe("Merge check…");
    expect([await isChosen(view, 0), await view.own("a").inputValue()]).toEqual([true, "Size"]);
    expect(await view.card("a").getByRole("textbox", { name: "Note" }).inputValue()).toBe("only on main");
    expect(await view.box("a").inputValue()).toBe("Wait");
    expect(await view.card("a").locator(".thumbnail").count()).toBe(1);
    await view.tab("a", 0).click();
    expect(await isChosen(view, 1)).toBe(true);
  });

  it("comes from the host in the protocol's form, with any field missing", async () => {
    const view = await openView({
      drafts: { a: { picks: [{ options: [7] }, { options: [1, 9] }], step: 40 } },
    });
    await view.post(askAll("a", four));
    expect(await tab(view)).toBe("Review");
    expect(await view.card("a").locator(".step .hint").textContent()).toBe("1 of 4 questions answered");
    await view.control("a", "submit").click();
    expect((await submitted(view)).picks).toEqual([{}, { options: [1] }, {}, {}]);
  });

  it("is empty again when everything is undone", async () => {
    const view = await open([checks]);
    await view.option("a", 0).click();
    await view.waitFor("draft", ({ draft }) => draft !== null);
    await view.option("a", 0).click();
    await view.control("a", "add-note").click();
    await view.waitFor("draft", ({ draft }) => draft === null);
  });
});

describe.each([250, 320, 1000])("at %i px", (width) => {
  it("nothing is wider than the view on any step, even with long words", async () => {
    const view = await openView({ width });
    const word = "W".repeat(3000);
    const option = { label: `${word} (Recommended)`, description: word, preview: word };
    const question = { question: word, header: word, multiSelect: false, options: [option, option] };
    await view.post(askAll("a", [question, { ...question, multiSelect: true }], "pending", { agent: word }));
    await view.own("a").fill(word);
    await view.control("a", "add-note").click();
    await view.card("a").getByRole("textbox", { name: "Note" }).fill(word);
    const picks = [{ options: [0], notes: word }, { other: word }];
    const outcome = { outcome: "answered", at: 1, picks } as const;
    await view.post(askAll("b", [question, question], "closed", { outcome: { ...outcome, picks } }));
    for (const step of [0, 1, 2]) {
      await view.tab("a", step).click();
      expect(await view.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      const right = await view
        .card("a")
        .locator(".option, .tab, .next, .submit, .preview:visible, .tag, .words, .note")
        .evaluateAll((all) => Math.max(...all.map((element) => element.getBoundingClientRect().right)));
      expect(right).toBeLessThanOrEqual(width);
    }
  });
});

it("has system radio buttons in forced colors, and each text's own direction", async () => {
  const view = await openView();
  view.spoil();
  await view.page.emulateMedia({ forcedColors: "active" });
  const options = ["نعم (Recommended)", "yes"].map((label) => ({ label, description: label }));
  await view.post(askAll("a", [{ ...database, options }, naming]));
  expect(await view.option("a", 0).evaluate((input) => getComputedStyle(input).appearance)).toBe("auto");
  const directions = (selector: string) =>
    view
      .card("a")
      .locator(selector)
      .evaluateAll((all) => all.map((element) => getComputedStyle(element).direction));
  expect(await directions("label")).toEqual(["rtl", "ltr"]);
  expect(await directions(".description")).toEqual(["rtl", "ltr"]);
});

it("never takes the focus while it arrives, changes and ends", async () => {
  const view = await openView();
  await view.page.evaluate(() => {
    window.focusMoves = 0;
    window.addEventListener("focusin", () => window.focusMoves++, true);
  });
  await view.post(askAll("a", [], "streaming"));
  await view.post({
    type: "append",
    id: "a",
    parts: [{ index: 0, text: "Which?", options: naming.options }],
  });
  await view.post(askAll("a", four));
  await view.refuse("a", "no");
  await view.post(askAll("a", four, "closed", { outcome: { outcome: "withdrawn", at: 1 } }));
  expect(await view.page.evaluate(() => window.focusMoves)).toBe(0);
});
