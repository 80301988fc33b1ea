// The history by keyboard alone, and with the mouse's modifiers.

import { describe, expect, it } from "vitest";
import { until, useBrowser } from "./harness";
import { kinds, numbered } from "./history-entries";
import { type HistoryView, openHistory } from "./history-harness";
import type { Heard, Posted } from "./script";

useBrowser();

it("a Delete key that is held down deletes one entry", async () => {
  const history = await openHistory({ entries: numbered(6), height: 900 });
  await history.rows.first().focus();
  await history.page.keyboard.down("Delete");
  await history.sent("delete");
  await history.focusIs("e2");
  for (let repeat = 0; repeat < 3; repeat++) {
    await history.page.keyboard.down("Delete");
  }
  await history.page.keyboard.up("Delete");
  expect(history.all("delete")).toHaveLength(1);
  await history.page.keyboard.press("Delete");
  await history.sent("delete", 2);
  await history.focusIs("e3");
});

it("a double click on Delete deletes one entry, although the next one's button comes under the pointer", async () => {
  const history = await openHistory({ entries: numbered(6), height: 900 });
  for (const id of ["e1", "e2"]) {
    await history.row(id).press("Enter");
  }
  history.post = (...messages) => history.view.postNow(...messages); // the second click comes at once
  const button = await history.row("e1").getByRole("button", { name: "Delete" }).boundingBox();
  const click = () => history.page.mouse.click((button?.x ?? 0) + 20, (button?.y ?? 0) + 10);
  await click();
  await history.shows(["e2", "e3", "e4", "e5", "e6"]);
  await click();
  await history.answering;
  expect(history.all("delete")).toHaveLength(1);
  await history.view.advance(1000);
  await click();
  await history.shows(["e3", "e4", "e5", "e6"]);
});

const press = async (history: HistoryView, ...keys: string[]) => {
  for (const key of keys) {
    await history.page.keyboard.press(key);
  }
};

const selected = (history: HistoryView) =>
  history.page
    .locator('followup-entry[aria-selected="true"]')
    .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.id));

/** The keys, besides plain ones, that the editor got. */
const heardByEditor = (history: HistoryView) =>
  history.page.evaluate(() =>
    window.editorKeys.filter((key) => /^(Control|Meta)\+[a-z]$|^Delete$/.test(key)),
  );

describe("the keyboard", () => {
  it("moves from the search box into the list and through it", async () => {
    const history = await openHistory({ entries: numbered(10) });
    await history.search.focus();
    await press(history, "ArrowDown");
    await history.focusIs("e1");
    await press(history, "ArrowDown", "ArrowDown");
    await history.focusIs("e3");
    await press(history, "ArrowUp");
    await history.focusIs("e2");
    await press(history, "End");
    await history.focusIs("e10");
    await press(history, "ArrowDown", "Home", "ArrowUp");
    await history.focusIs("e1");
    await press(history, "/");
    await history.focusIs("search");
    await press(history, "/");
    expect(await history.search.inputValue()).toBe("/");
  });

  it("moves into the list once it loads, if pressed before", async () => {
    const history = await openHistory({ entries: numbered(10) });
    const held: Heard[] = [];
    history.intercept = (message) => message.type === "list" && held.push(message) > 0;
    const answerNext = async () => {
      const message = await until(async () => held.shift());
      await history.post(history.answer(message) as Posted);
    };
    await history.search.focus();
    await press(history, "x");
    await answerNext();
    await history.shows([]);

    await press(history, "Backspace", "Enter");
    await history.focusIs("search");
    await answerNext();
    await history.focusIs("e1");

    await history.search.focus();
    await press(history, "x", "Enter", "Backspace");
    await answerNext();
    await answerNext();
    await history.shows(numbered(10).map(({ questionId }) => questionId));
    // If the user keeps typing, the focus stays in the search box.
    await history.focusIs("search");
  });

  it("loads more at the list's end", async () => {
    const history = await openHistory({ entries: numbered(24), pageSize: 20, height: 200 });
    await history.row("e1").focus();
    await press(history, "End");
    await until(async () => ((await history.rows.count()) === 24 ? true : undefined));
    await history.focusIs("e20");
    await press(history, "ArrowDown");
    await history.focusIs("e21");
  });

  it("never moves a row under the search box", async () => {
    const history = await openHistory({ entries: numbered(50), height: 400 });
    await history.row("e50").focus();
    for (let row = 50; row > 30; row--) {
      await press(history, "ArrowUp");
    }
    const covered = await history.page.evaluate(() => {
      const bar = document.querySelector(".history-top")?.getBoundingClientRect().bottom ?? 0;
      return (document.activeElement?.getBoundingClientRect().top ?? 0) < bar;
    });
    expect(covered).toBe(false);
  });

  it("opens and closes a row: Enter, Right and Left", async () => {
    const history = await openHistory({ entries: kinds });
    const expanded = () => history.row("clicked").getAttribute("aria-expanded");
    await history.row("clicked").focus();
    for (const [key, open] of [
      ["Enter", "true"],
      ["Enter", "false"],
      ["ArrowRight", "true"],
      ["ArrowRight", "true"],
      ["ArrowLeft", "false"],
    ] as const) {
      await press(history, key);
      expect(await expanded()).toBe(open);
    }
  });

  it("reaches an open row's content with Tab", async () => {
    const history = await openHistory({ entries: kinds });
    await history.row("clicked").focus();
    await press(history, "Enter", "Tab");
    expect(await history.page.evaluate(() => document.activeElement?.textContent?.trim())).toBe(
      "Copy Answer",
    );
    await press(history, "Enter");
    await history.sent("copy");
    // The row's keys do not apply to its buttons.
    await press(history, "ArrowDown", "Delete");
    expect(history.all("delete")).toEqual([]);
  });

  it("selects: Space, Shift with the arrows, Ctrl+A", async () => {
    const history = await openHistory({ entries: numbered(6) });
    await history.row("e2").focus();
    await press(history, " ");
    expect(await selected(history)).toEqual(["e2"]);
    await press(history, "Shift+ArrowDown", "Shift+ArrowDown");
    expect(await selected(history)).toEqual(["e2", "e3", "e4"]);
    await press(history, "Shift+ArrowUp");
    expect(await selected(history)).toEqual(["e2", "e3"]);
    await press(history, "ArrowDown", "ArrowDown", " ");
    expect(await selected(history)).toEqual(["e2", "e3", "e5"]);
    await press(history, "Control+a");
    expect(await selected(history)).toHaveLength(6);
    await history.page.getByRole("button", { name: "Clear Selection" }).click();
    expect(await selected(history)).toEqual([]);
    await history.focusIs("e5");
  });

  it("deletes and copies the selection, or an unselected row", async () => {
    const history = await openHistory({ entries: numbered(6) });
    await history.row("e2").focus();
    await press(history, "Shift+ArrowDown", "Control+c");
    expect(await history.sent("copyEntries")).toEqual({ type: "copyEntries", ids: ["e2", "e3"] });
    await press(history, "Delete");
    await history.shows(["e1", "e4", "e5", "e6"]);
    await history.focusIs("e4");
    await press(history, "Delete");
    await history.shows(["e1", "e5", "e6"]);
    expect(history.all("delete").map(({ target }) => target)).toEqual([
      { questionIds: ["e2", "e3"] },
      { questionIds: ["e4"] },
    ]);
    await press(history, "Control+z");
    await history.shows(["e1", "e4", "e5", "e6"]);
    await press(history, "Control+z");
    await history.shows(["e1", "e2", "e3", "e4", "e5", "e6"]);
  });

  it("undoes the deletion of the only row from the empty search box, and leaves a text's own undo alone", async () => {
    const history = await openHistory({ entries: numbered(1) });
    await history.row("e1").focus();
    await press(history, "Delete");
    await history.focusIs("search");
    await press(history, "x", "Control+z");
    expect(await history.search.inputValue()).toBe("");
    expect(history.all("restore")).toEqual([]);
    await press(history, "Control+z");
    await history.shows(["e1"]);
    await history.focusIs("search");
  });

  it("leaves selected text to the editor's Copy", async () => {
    const history = await openHistory({ entries: kinds });
    await history.row("clicked").focus();
    await history.page.evaluate(() =>
      getSelection()?.selectAllChildren(document.querySelector(".entry-question") as Node),
    );
    await press(history, "Control+c");
    expect(await history.page.evaluate(() => navigator.clipboard.readText())).toContain(
      "Which styling approach",
    );
    expect(history.all("copyEntries")).toEqual([]);
  });

  it("returns to the editor with Esc from anywhere, and loses nothing", async () => {
    const history = await openHistory({ entries: kinds });
    await history.search.fill("css");
    await press(history, "Escape");
    await history.sent("escape");
    expect(await history.search.inputValue()).toBe("css");
    await history.row("clicked").focus();
    await press(history, " ", "Escape");
    await history.sent("escape", 2);
    expect(await selected(history)).toEqual(["clicked"]);
  });

  it("moves to the search box when the list is empty", async () => {
    const history = await openHistory();
    await history.post({ type: "focus", on: "list" });
    await history.focusIs("search");
  });
});

describe.each(["browser", "desktop", "mac"] as const)("in an editor's frame, %s", (platform) => {
  const command = platform === "mac" ? "Meta" : "Control";

  it("the history handles its own keys, and the editor does nothing", async () => {
    const history = await openHistory({ entries: numbered(6), platform });
    await history.row("e2").focus();
    await press(history, `${command}+a`);
    expect(await selected(history)).toHaveLength(6);
    expect(await history.page.evaluate(() => getSelection()?.isCollapsed)).toBe(true);
    await history.page.getByRole("button", { name: "Clear Selection" }).click();
    await press(history, `${command}+c`);
    expect(await history.sent("copyEntries")).toEqual({ type: "copyEntries", ids: ["e2"] });
    await press(history, "Delete");
    await history.shows(["e1", "e3", "e4", "e5", "e6"]);
    await press(history, `${command}+z`);
    await history.shows(["e1", "e2", "e3", "e4", "e5", "e6"]);
    expect(history.all("restore")).toHaveLength(1);
    expect(await heardByEditor(history)).toEqual([]);
  });

  it("undo and redo in a text box do not delete or restore entries", async () => {
    const history = await openHistory({ entries: numbered(1), platform });
    await history.row("e1").focus();
    await press(history, "Delete");
    await history.focusIs("search");
    await press(history, "x", `${command}+z`);
    expect(await history.search.inputValue()).toBe("");
    await press(history, `${command}+Shift+z`);
    expect(await history.search.inputValue()).toBe("x");
    if (platform !== "mac") {
      await press(history, "Control+z", "Control+y");
      expect(await history.search.inputValue()).toBe("x");
    }
    expect(history.all("restore")).toEqual([]);
    await press(history, `${command}+a`, `${command}+x`, `${command}+Shift+z`);
    expect(history.all("restore")).toEqual([]);
  });
});

describe("the host", () => {
  it("moves the focus to the search box or to the row that had it", async () => {
    const history = await openHistory({ entries: numbered(5) });
    await history.row("e3").focus();
    await history.post({ type: "focus", on: "search" });
    await history.focusIs("search");
    await history.post({ type: "focus", on: "list" });
    await history.focusIs("e3");
  });

  it("moves the focus as soon as the list loads", async () => {
    const history = await openHistory({ entries: numbered(3) }, (message) => message.type === "list");
    await history.sent("list");
    await history.post({ type: "focus", on: "list" });
    expect(await history.focus()).toBe("body");
    history.intercept = () => false;
    await history.take(history.all("list")[0] as never);
    await history.focusIs("e1");
  });
});

describe("the mouse", () => {
  it("selects with the checkbox, Ctrl and Shift, and opens otherwise", async () => {
    const history = await openHistory({ entries: numbered(6) });
    await history.row("e2").hover();
    await history.row("e2").locator("input").click();
    expect(await selected(history)).toEqual(["e2"]);
    await history
      .row("e4")
      .locator(".entry-question")
      .click({ modifiers: ["Control"] });
    expect(await selected(history)).toEqual(["e2", "e4"]);
    await history
      .row("e6")
      .locator("input")
      .click({ modifiers: ["Shift"] });
    expect(await selected(history)).toEqual(["e4", "e5", "e6"]);
    // A click with Shift on a selected entry keeps it selected.
    await history
      .row("e6")
      .locator("input")
      .click({ modifiers: ["Shift"] });
    expect(await history.row("e6").locator("input").isChecked()).toBe(true);
    await history.row("e5").locator("input").click();
    expect(await selected(history)).toEqual(["e4", "e6"]);
    expect(await history.row("e5").locator("input").isChecked()).toBe(false);
    await history.row("e1").locator(".entry-answer").click();
    expect(await history.row("e1").getAttribute("aria-expanded")).toBe("true");
    expect(await selected(history)).toEqual(["e4", "e6"]);
  });
});
