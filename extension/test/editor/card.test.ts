// A card in the real editor: the user's text is sent with a suggestion, text from elsewhere does not replace
// it, and an agent's edit opens in the editor's own diff view.

import { spawn } from "node:child_process";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { passes } from "../wait";
import { answerBy, composer, FollowupView } from "./harness/followup";
import { program } from "./harness/sidecar";
import { useEditor } from "./harness/use-editor";

const editor = useEditor({ settings: { "diffEditor.useInlineViewWhenSpaceIsLimited": false } });

/** Asks, and returns the card in the side bar and the pending answer. */
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
  await expect.poll(() => composer(wide).evaluate(() => document.hasFocus())).toBe(true); // the tab takes the focus late
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

/** Runs Claude Code's hook with an edit, and returns its output. */
function hook(input: Record<string, string>): Promise<string> {
  const env = { ...process.env, FOLLOWUP_STORAGE: path.join(editor().folder, "storage") };
  const running = spawn(program, ["hook", "claude-code", "--approvals"], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const call = { hook_event_name: "PermissionRequest", tool_name: "Edit", tool_input: input };
  running.stdin.end(JSON.stringify({ session_id: "s", cwd: "/work", ...call }));
  return text(running.stdout);
}

test("opens an edit in the editor's diff view, by mouse and keyboard, allows it as shown, and opens it again", async () => {
  const { workbench } = editor();
  const { page } = workbench;
  await workbench.runCommand("Followup: Focus on Questions View");
  const input = {
    file_path: "/home/ana/shop/port.ts",
    old_string: "const port = 80;\n",
    new_string: "const port: number = 8080;\n",
  };
  const shown = workbench.followup.card("wants to change a file");
  let printed = hook(input);
  // The hook prints nothing until the sidecar knows that the view is visible.
  while ((await Promise.race([shown, printed])) === "") printed = hook(input);
  const card = await shown;
  const diff = page.locator(".monaco-diff-editor");
  const shows = async () => {
    await diff.waitFor();
    await expect
      .poll(() => diff.locator(".editor.original .lines-content > .view-lines").textContent())
      .toMatch(/port.=.80;/);
    await expect
      .poll(() => diff.locator(".editor.modified .lines-content > .view-lines").textContent())
      .toMatch(/number.=.8080;/);
    await page.getByRole("tab", { name: "port.ts (proposed by the agent)" }).waitFor();
  };
  await card.getByRole("button", { name: "Open the Diff" }).click();
  await shows();
  // The diff is read-only, and the editor has taken the language from the path.
  await diff.locator(".editor.modified .lines-content > .view-lines").click();
  await page.keyboard.type("x");
  await shows();
  expect(
    await diff.locator('.editor.modified .lines-content > .view-lines span[class*="mtk"]').count(),
  ).toBeGreaterThan(3);
  await workbench.runCommand("View: Close Editor");
  await expect.poll(() => diff.count()).toBe(0);
  await card.locator(".approval-subject").focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await shows();

  await card.locator(".approval-once").click();
  expect(JSON.parse(await printed)).toMatchObject({
    hookSpecificOutput: { decision: { behavior: "allow", updatedInput: input } },
  });

  await workbench.runCommand("View: Close Editor");
  await expect.poll(() => diff.count()).toBe(0);
  await card.locator(".closed-line .folded-title").click();
  await card.getByRole("button", { name: "Open the Diff" }).click();
  await shows();
});
