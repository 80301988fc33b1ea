// The user's words in the real editor: they go along with a suggestion, and nothing written elsewhere replaces them.

import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { passes } from "../wait";
import { answerBy, composer, FollowupView } from "./harness/followup";
import { useEditor } from "./harness/use-editor";

const editor = useEditor();

/** Asks, and returns the card in the side bar with the promise of the answer. */
async function ask(question: string, ...answers: string[]) {
  const { agent, workbench } = editor();
  const session = await agent.openSession("Harbour");
  const answer = session.ask({ question, follow_up: answers.map((text) => ({ text })) });
  answer.catch(() => {});
  await workbench.runCommand("Followup: Focus on Questions View");
  const card = await workbench.followup.card(question);
  await expect.poll(() => card.getAttribute("data-state")).toBe("pending");
  return { session, answer, card };
}

const holds = (box: Locator, text: string) => expect.poll(() => box.inputValue()).toBe(text);

/** The choice that a card offers between the user's words and those of another window. */
const choice = (card: Locator) => card.locator(".other-draft");

test("sends typed text along with a clicked suggestion", async () => {
  const { workbench } = editor();
  const { answer, card } = await ask("Sail at noon?", "Yes", "No");
  await composer(card).click();
  await workbench.page.keyboard.type("The tide is too low.");
  const no = card.locator(".suggestion button.choose", { hasText: "No" });
  await no.getByText("+ your words").waitFor();
  await editor().screenshot("words-go-along");
  await answerBy(card, no);
  expect(await answer).toMatchObject({
    text: "<answer>\nNo\n\nThe tide is too low.\n</answer>",
    provenance: "chosen",
    structured: { provenance: "chosen", suggestion: "No", note: "The tide is too low." },
  });
});

test("shares a draft between the question's own tab and the side bar", async () => {
  const { workbench } = editor();
  const { page } = workbench;
  const { answer, card } = await ask("How long is the quay?", "Ten boats");
  await card.getByRole("button", { name: "Open in a New Tab" }).click();
  const wide = await inTab(card);
  await expect.poll(() => composer(wide).evaluate(() => document.hasFocus())).toBe(true); // it takes the cursor late
  await composer(card).click();
  await page.keyboard.type("About ");
  await holds(composer(wide), "About ");
  await composer(wide).click();
  await page.keyboard.press("End");
  await page.keyboard.type("a mile");
  await holds(composer(card), "About a mile");
  expect(await choice(card).count()).toBe(0);
  await editor().screenshot("own-tab");
  await page.keyboard.press("Enter");
  expect((await answer).text).toBe("<answer>\nAbout a mile\n</answer>");
});

/** The same question's card in its own tab. */
async function inTab(card: Locator): Promise<Locator> {
  const id = await card.getAttribute("data-id");
  const { page } = editor().workbench;
  const sideBar = await (await card.elementHandle())?.ownerFrame();
  return await passes(async () => {
    for (const frame of page.frames()) {
      const found = frame.locator(`followup-app:not(:has([data-fresh])) followup-card[data-id="${id}"]`);
      if (frame !== sideBar && (await found.count().catch(() => 0)) > 0) return found;
    }
    throw new Error("no tab shows the question");
  });
}

/** Opens the question in another window, with the cursor in its box. */
async function inAnotherWindow(question: string): Promise<{ page: Page; card: Locator }> {
  const page = await editor().anotherWindow();
  await page.keyboard.press("Control+K");
  await page.keyboard.press("q");
  const card = await new FollowupView(page).card(question);
  await composer(card).click();
  return { page, card };
}

test("text from another window never replaces text at the cursor or in an IME composition; the user chooses", async () => {
  const { page } = editor().workbench;
  const { answer, card } = await ask("What is the ship called?", "Anna");
  const there = await inAnotherWindow("What is the ship called?");
  const box = composer(card);
  await box.click();
  const client = await page.context().newCDPSession(page);
  await client.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
  await holds(box, "にほん");

  await there.page.keyboard.type("Grete");
  await choice(card).getByText("Grete", { exact: true }).waitFor();
  expect(await box.inputValue()).toBe("にほん");
  await editor().screenshot("composition");
  await client.send("Input.insertText", { text: "日本" });
  await client.detach();
  expect(await box.inputValue()).toBe("日本");

  // The word is committed, and the cursor is still in the box.
  await there.page.keyboard.type(" II");
  await choice(card).getByText("Grete II", { exact: true }).waitFor();
  await page.keyboard.type("丸");
  expect(await box.inputValue()).toBe("日本丸");

  // The other window has both texts, too.
  await choice(there.card).getByText("日本丸", { exact: true }).waitFor();
  expect(await composer(there.card).inputValue()).toBe("Grete II");

  await card.getByRole("button", { name: "Keep Mine" }).click();
  await choice(card).waitFor({ state: "detached" });
  expect(await box.inputValue()).toBe("日本丸");
  await there.card.getByRole("button", { name: "Use That" }).click();
  await holds(composer(there.card), "日本丸");
  await there.page.keyboard.press("Enter");
  expect((await answer).text).toBe("<answer>\n日本丸\n</answer>");
});
