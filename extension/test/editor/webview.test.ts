// The pages in the editor's own frame, with real keys and a real mouse: the effect of keys, links and dropped
// files, and that a page which appears takes no key away from a file.

import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { example } from "./examples";
import { answerBy, composer, sendButton, suggestion } from "./harness/followup";
import { useEditor } from "./harness/use-editor";
import { cut } from "./pieces";

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

const editor = useEditor({
  files: { "picture.png": Buffer.from(pixel, "base64"), "some notes.md": "# Notes\n", "typed.txt": "" },
  settings: {
    "workbench.startupEditor": "none",
    // Nothing adds text while the test counts keys.
    "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
    "editor.wordBasedSuggestions": "off",
    "editor.autoIndent": "none",
  },
});

/**
 * The time between two keys in milliseconds, for a fast typist. The browser handles keys before everything else: at several
 * times this speed, loading a first webview would wait for most of a minute.
 */
const keyInterval = 120;

test("an arriving question does not take the focus from an editor", async () => {
  // Like in a new window, the view has never been shown when the question arrives.
  await editor().workbench.runCommand("View: Show Explorer");
  await editor().reload();
  const { workbench, agent } = editor();
  const { tags, question, suggestions } = example("en-2");
  const session = await agent.openSession();
  const stream = await session.stream();
  await workbench.openFile("typed.txt");
  let typed = "";
  const type = async (text: string) => {
    await workbench.page.keyboard.type(text, { delay: keyInterval });
    typed += text;
  };
  await type("before ");
  for (const piece of cut(new TextEncoder().encode(tags), 5)) {
    await stream.append(piece);
    await type("a ");
  }
  let waiting = true;
  const shown = workbench.followup
    .card(question)
    .then(async (card) => {
      await expect.poll(() => suggestion(card, suggestions[0] ?? "").isEnabled()).toBe(true);
      return card;
    })
    .finally(() => {
      waiting = false;
    });
  // Its failure only ends the typing here; it is awaited below.
  shown.catch(() => {});
  // The question appears between two of these words.
  while (waiting) await type("b ");
  await type("after.");
  const card = await shown;
  await expect.poll(() => agent.documentText("typed.txt")).toBe(typed);
  await answerBy(card, suggestion(card, suggestions[1] ?? ""));
  await stream.end();
  expect(await stream.answer()).toMatchObject({ text: `<answer>\n${suggestions[1]}\n</answer>` });
  await session.close();
});

/** Asks, and returns the card and the answer. */
async function asked(
  question: string,
): Promise<{ card: Locator; answer: Promise<{ text: string; images: unknown[] }> }> {
  const { agent, workbench } = editor();
  const session = await agent.openSession("Keys");
  const answer = session.ask({ question, follow_up: [{ text: "Yes" }, { text: "No" }] });
  answer.catch(() => {});
  return { card: await workbench.followup.card(question.slice(0, 12)), answer };
}

/** Presses keys one after the other. */
async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
  }
}

test("text-editing keys work in an answer", async () => {
  const { page } = editor().workbench;
  const { card, answer } = await asked("Which words do the keys take?");
  const box = composer(card);
  const holds = (text: string) => expect.poll(() => box.inputValue(), { timeout: 30_000 }).toBe(text);
  await box.click();
  await page.keyboard.type("one");
  await press(page, "Control+A", "Control+X");
  await holds("");
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe("one");
  await press(page, "Control+V", "Control+V");
  await holds("oneone");
  await press(page, "Control+Z");
  await holds("one");
  await press(page, "Control+Y");
  await holds("oneone");
  await press(page, "Control+Z");
  await holds("one");
  await press(page, "Control+Shift+Z");
  await holds("oneone");
  await press(page, "Enter");
  expect((await answer).text).toBe("<answer>\noneone\n</answer>");
});

test("select all, copy and undo act on the history when it has the focus", async () => {
  const { workbench } = editor();
  const { page } = workbench;
  const questions = ["An entry of the history?", "Another one of the history?"];
  for (const question of questions) {
    const { card, answer } = await asked(question);
    await answerBy(card, card.getByRole("button", { name: "Yes", exact: true }));
    await answer;
  }
  await workbench.runCommand("Followup: Search History");
  const frame = await workbench.followup.frame("followup-history");
  const rows = frame.locator("followup-entry");
  for (const question of questions) await rows.filter({ hasText: question }).waitFor();
  const all = await rows.count();
  const search = frame.getByRole("searchbox");
  await search.and(frame.locator(":focus")).waitFor();

  const found = (text: string) => expect.poll(() => search.inputValue(), { timeout: 30_000 }).toBe(text);
  await page.keyboard.type("s");
  await press(page, "Control+Z");
  await found("");
  await press(page, "Control+Shift+Z");
  await found("s");
  await press(page, "Control+Z");
  await found("");

  await press(page, "ArrowDown");
  await rows.first().and(frame.locator(":focus")).waitFor();
  await press(page, "Control+A");
  await expect.poll(() => frame.locator('followup-entry[aria-selected="true"]').count()).toBe(all);
  await press(page, "Control+C");
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(questions[0]);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(questions[1]);
  // The editor would also have selected all the page's text.
  expect(await frame.evaluate(() => getSelection()?.isCollapsed)).toBe(true);
  await editor().screenshot("history-keys");

  await press(page, "Delete");
  await expect.poll(() => rows.count()).toBe(0);
  await press(page, "Control+Z");
  await expect.poll(() => rows.count()).toBe(all);
});

test("a link opens exactly the address that it shows", async () => {
  const { page } = editor().workbench;
  const href = "https://a.example/o%2Fb%23%20c?q=1%2B1%26x=%3D&r=a+b#%2F%26";
  const { card, answer } = await asked(
    `Shall we follow [this link](${href}) or <mailto:x@y.example?bcc=spy@z.example&cc=c@d.example&body=Hi%20there>?`,
  );
  const link = card.locator("a", { hasText: "this link" });
  expect(await link.getAttribute("title")).toBe(href);
  await page.context().route("https://a.example/**", (route) => route.fulfill({ body: "there" }));
  const opened = page.context().waitForEvent("page");
  await link.click();
  await page.locator(".monaco-dialog-box").getByRole("button", { name: "Open", exact: true }).click();
  const popup = await opened;
  await popup.waitForLoadState();
  expect(popup.url()).toBe(href);
  await popup.close();

  await card.locator("a", { hasText: "x@y.example" }).click();
  const dialog = page.locator(".monaco-dialog-box");
  await dialog.getByText("Write an email to x@y.example?").waitFor();
  const text = (await dialog.textContent()) ?? "";
  for (const part of ["Bcc: spy@z.example", "Cc: c@d.example", "Hi there"]) {
    expect(text).toContain(part);
  }
  await editor().screenshot("mail-dialog");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await answerBy(card, card.getByRole("button", { name: "No", exact: true }));
  await answer;
});

/** The mouse position over an element of the page or of a frame in it. */
async function middle(target: Locator): Promise<{ x: number; y: number }> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error("it is not on the screen");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** A point on a card that is visible even in a low view. */
const middleOf = (card: Locator) => middle(suggestion(card, "Yes"));

/** The message on a card while something is dragged. */
const hint = (card: Locator) => card.evaluate((each) => getComputedStyle(each, "::after").content);

/** Drags with the mouse onto the card, holding Shift from the first move, and drops. */
async function drop(from: Locator, card: Locator, name: string): Promise<void> {
  const { page } = editor().workbench;
  const start = await middle(from);
  const end = await middleOf(card);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x + 20, start.y + 20, { steps: 5 });
  await page.keyboard.down("Shift");
  await page.mouse.move(start.x + 40, start.y + 40, { steps: 5 });
  await page.mouse.move(end.x, end.y, { steps: 10 });
  await page.mouse.move(end.x + 5, end.y + 2, { steps: 3 });
  await expect.poll(() => hint(card), { timeout: 30_000 }).toContain("Hold Shift and drop it here");
  await editor().screenshot(name);
  await page.mouse.up();
  await page.keyboard.up("Shift");
}

/** Drags a file from outside the browser onto the card, holding Shift, and drops it. */
async function dropFromOutside(file: string, card: Locator): Promise<void> {
  const { page } = editor().workbench;
  const { x, y } = await middleOf(card);
  const client = await page.context().newCDPSession(page);
  const shift = 8;
  const drag = (type: "dragEnter" | "dragOver" | "drop", x: number, y: number) =>
    client.send("Input.dispatchDragEvent", {
      type,
      x,
      y,
      modifiers: shift,
      data: { items: [], files: [file], dragOperationsMask: 1 },
    });
  await drag("dragEnter", 5, 5);
  await drag("dragOver", 10, 10);
  await expect
    .poll(async () => {
      await drag("dragOver", x, y);
      return await hint(card);
    })
    .toContain("Hold Shift and drop it here");
  await drag("drop", x, y);
  await client.detach();
}

const notes = "some notes.md";
const files = ["picture.png", notes];
const inExplorer = (name: string) =>
  editor().workbench.page.locator(".explorer-folders-view .monaco-list-row", { hasText: name });

test("takes files dropped from the editor's tabs with Shift held", async () => {
  const { workbench } = editor();
  const { page } = workbench;
  await workbench.runCommand("View: Show Explorer");
  const tab = (name: string) => page.locator(".tabs-container .tab", { hasText: name });
  for (const name of files) {
    await inExplorer(name).dblclick();
    await tab(name).waitFor();
  }
  const { card, answer } = await asked("What goes along with it?");
  await workbench.runCommand("Followup: Focus Question");
  await composer(card).waitFor();
  await drop(tab("picture.png"), card, "drop-tab");
  await card.locator(".thumbnail img").waitFor();
  await drop(tab(notes), card, "drop-tab-notes");
  await expect.poll(() => composer(card).inputValue(), { timeout: 30_000 }).toContain("`some notes.md`");
  await expect.poll(() => hint(card), { timeout: 30_000 }).toBe("none");
  await answerBy(card, sendButton(card));
  const { text, images } = await answer;
  expect(text).toBe("<answer>\n`some notes.md`\n</answer>");
  expect(images).toEqual([{ mimeType: "image/png", data: pixel }]);
});

test("takes files dropped from the editor's explorer and from outside with Shift held", async () => {
  const { workbench, folder } = editor();
  // Where both are visible.
  await workbench.runCommand("View: Move View");
  await workbench.pick("Questions");
  await workbench.pick("New Panel Entry");
  const { card, answer } = await asked("Which ones go along?");
  await workbench.runCommand("View: Show Explorer");
  await dropFromOutside(path.join(folder, "workspace", "picture.png"), card);
  await card.locator(".thumbnail img").waitFor();
  await drop(inExplorer("picture.png"), card, "drop-explorer");
  await expect.poll(() => card.locator(".thumbnail img").count()).toBe(2);
  await drop(inExplorer(notes), card, "drop-explorer-notes");
  await expect.poll(() => composer(card).inputValue()).toContain("`some notes.md`");
  await answerBy(card, sendButton(card));
  const { text, images } = await answer;
  expect(text).toBe("<answer>\n`some notes.md`\n</answer>");
  const image = { mimeType: "image/png", data: pixel };
  expect(images).toEqual([image, image]);
  await workbench.runCommand("View: Reset View Locations");
});

test("three impatient clicks answer one agent and leave the other question in place", async () => {
  const { agent, workbench } = editor();
  const ask = async (name: string, question: string, ...answers: string[]) => {
    const session = await agent.openSession(name);
    const answer = session.ask({ question, follow_up: answers.map((text) => ({ text })) });
    answer.catch(() => {});
    return { session, answer, card: await workbench.followup.card(question) };
  };
  await workbench.runCommand("Followup: Focus on Questions View");
  const first = await ask("First", "Shall I go on?", "Yes, go on", "No");
  const other = await ask("Second", "Delete the production database?", "Yes, delete it", "No");
  await first.card.waitFor();
  const { x, y, width, height } = (await suggestion(first.card, "Yes, go on").boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  const stood = await other.card.boundingBox();
  for (let time = 0; time < 3; time++) {
    await workbench.page.mouse.click(x + width / 2, y + height / 2, { delay: 250 });
  }
  expect((await first.answer).text).toBe("<answer>\nYes, go on\n</answer>");
  await expect.poll(() => first.card.getAttribute("data-state")).toBe("closed");
  expect(await other.card.getAttribute("data-state")).toBe("pending");
  expect((await other.card.boundingBox())?.y).toBeCloseTo(stood?.y ?? 0, 0);
  await editor().screenshot("stillness");
  await Promise.all([first.session.close(), other.session.close()]);
});

/** The notification of a question. */
const notification = (page: Page, question: string) =>
  page.locator(".notifications-toasts .notification-toast", { hasText: question });

/** Answers from the notification. A new notification ignores clicks, so the button is held until it accepts one. */
async function answerFromNotification(
  page: Page,
  question: string,
  label: string,
  answer: Promise<{ text: string }>,
) {
  const button = notification(page, question).getByRole("button", { name: label, exact: true });
  await button.click({ delay: 600 });
  expect((await answer).text).toBe(`<answer>\n${label}\n</answer>`);
}

/** Asks while the questions are not visible and the cursor is in a file. */
async function askUnseen(question: string) {
  const { agent, workbench } = editor();
  await workbench.runCommand("View: Show Explorer");
  await workbench.openFile("typed.txt");
  const session = await agent.openSession("Harbour");
  const answer = session.ask({ question, follow_up: [{ text: "Yes" }, { text: "No" }] });
  answer.catch(() => {});
  return { answer, page: workbench.page };
}

const inEditor = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest(".editor-instance") != null);

test("notifies of an unseen question, and holds a timed choice for the user across a reload", async () => {
  const { agent, workbench } = editor();
  await agent.set("followup.reveal", "never");
  await agent.set("followup.timedChoice.seconds", 3600);
  await workbench.page.evaluate(() => {
    // Like when the user switches to another program.
    Object.defineProperty(document, "hasFocus", { value: () => false, configurable: true });
    window.dispatchEvent(new Event("blur"));
  });
  const question = "Seen in the background?";
  const { answer, page } = await askUnseen(question);
  await notification(page, question).waitFor();
  expect(await notification(page, question).count()).toBe(1);
  expect(await inEditor(page)).toBe(true);
  expect(await notification(page, question).getByRole("button", { name: "Cancel" }).count()).toBe(0);
  await editor().screenshot("notice");
  await page.evaluate(() => {
    delete (document as Partial<Document>).hasFocus;
    window.dispatchEvent(new Event("focus"));
  });
  await editor().reload();
  await workbench.runCommand("Followup: Focus on Questions View");
  const card = await workbench.followup.card(question);
  await expect.poll(() => card.getByRole("timer").textContent()).toMatch(/ in \d+:\d\d$/);
  await editor().screenshot("timed-choice");
  await suggestion(card, "No").press("ArrowUp");
  await card.getByText("no suggestion is chosen for you").waitFor();
  await answerBy(card, suggestion(card, "No"));
  await agent.set("followup.timedChoice.seconds", undefined);
  await answer.catch(() => {}); // its asker was lost with the window
});

test("notifies in one window only, where the user can answer", async () => {
  const question = "Which window notifies?";
  const windows = [editor().workbench.page, await editor().anotherWindow()];
  await editor().workbench.page.bringToFront();
  const { answer, page } = await askUnseen(question);
  const toasts = async () => {
    const counts = await Promise.all(windows.map((window) => notification(window, question).count()));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  await expect.poll(toasts).toBe(1);
  expect(await inEditor(page)).toBe(true);
  const notifier = (await notification(page, question).count()) > 0 ? page : windows[1];
  if (!notifier) throw new Error("no window notifies");
  await notifier.bringToFront();
  await answerFromNotification(notifier, question, "Yes", answer);
  expect(await toasts()).toBe(0);
});
