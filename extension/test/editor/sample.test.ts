// First steps without an agent: a sample question by keyboard alone, importing other agents' questions, and
// connecting agents. Also the page in a browser.

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { answerBy } from "./harness/followup";
import { useEditor } from "./harness/use-editor";

let logs: string;

const editor = useEditor(async () => {
  logs = await mkdtemp(path.join(tmpdir(), "followup-logs-"));
  const claude = path.join(logs, "claude");
  const codex = path.join(logs, "codex");
  await mkdir(path.join(claude, "projects/shop"), { recursive: true });
  await mkdir(path.join(codex, "sessions"), { recursive: true });
  const lines = [exchange("Which database?", "2026-07-02T09:01:00Z"), exchange("Which port?")];
  await writeFile(path.join(claude, "projects/shop/log.jsonl"), lines.join("\n"));
  const home = path.join(logs, "home");
  await mkdir(home);
  return {
    settings: { "terminal.integrated.gpuAcceleration": "off" }, // makes the terminal's text elements
    env: { CLAUDE_CONFIG_DIR: claude, CODEX_HOME: codex, HOME: home, XDG_DATA_HOME: "", XDG_CONFIG_HOME: "" },
  };
});
afterAll(async () => await rm(logs, { recursive: true, force: true, maxRetries: 3 }));

/** A line of a Claude Code transcript: a question with its answer. */
function exchange(question: string, timestamp?: string): string {
  const options = ["The first", "The second"].map((label) => ({ label, description: "" }));
  const questions = [{ question, header: "Choice", options, multiSelect: false }];
  const id = `toolu_01${question.replace(/\W/g, "0").padEnd(22, "0")}`;
  const content = [{ type: "tool_result", tool_use_id: id, content: "…" }];
  return JSON.stringify({
    type: "user",
    sessionId: "s",
    cwd: "/home/ana/shop",
    timestamp,
    message: { role: "user", content },
    toolUseResult: { questions, answers: { [question]: "The second" } },
  });
}

test("asks the sample question by its command, answered by keyboard alone, twice", async () => {
  const { workbench } = editor();
  const { page, followup } = workbench;
  for (const number of [2, 4]) {
    await workbench.runCommand("Followup: Ask a Sample Question");
    const card = (await followup.frame()).locator(
      'followup-app:not(:has([data-fresh])) followup-card[data-state="pending"]',
    );
    await card.waitFor();
    const id = await card.getAttribute("data-id");
    await workbench.runCommand("Followup: Focus Question");
    await card.locator(":focus").waitFor();
    await page.keyboard.press(String(number));
    const closed = (await followup.frame()).locator(`followup-card[data-id="${id}"][data-state="closed"]`);
    await closed.getByText(`You chose suggestion ${number}`).waitFor();
  }
});

/** A list has the focus when it opens, but a page from which a command was chosen may take it back late. */
const inputOfList = ".quick-input-widget input.input";

test("finds other agents' logs on the machine, counts new questions, and imports them", async () => {
  const { workbench } = editor();
  const { page, followup } = workbench;
  const input = page.locator(inputOfList);
  const row = (name: RegExp) => page.locator(".quick-input-list .monaco-list-row").filter({ hasText: name });
  const choose = async () => await workbench.runCommand("Followup: Import Questions from a Log");

  await choose();
  await row(/All of Codex.*0 new questions/).waitFor();
  await row(/All of Claude Code.*2 new questions/).waitFor();
  await editor().screenshot("import-found");
  await input.press("Enter"); // the first
  const toast = page.locator(".notification-toast", { hasText: "2 questions were added to the history" });
  await toast.waitFor();
  await editor().screenshot("import-done");
  await toast.getByRole("button", { name: "Show History" }).click();
  const history = await followup.frame("followup-history");
  await history.locator("followup-entry", { hasText: "Which database?" }).waitFor();
  await history.locator("followup-entry", { hasText: "Which port?" }).click();
  await editor().screenshot("import-history");

  await choose();
  await row(/All of Claude Code.*0 new questions/).waitFor();
  await input.press("Escape");
  await row(/All of/)
    .first()
    .waitFor({ state: "hidden" });
});

test("connects agents from a list and undoes it at once", async () => {
  const { workbench } = editor();
  const { page } = workbench;
  const input = page.locator(inputOfList);
  const codex = path.join(logs, "codex/config.toml");
  const own = 'model = "gpt-5.4" # mine\n';
  await writeFile(codex, own);
  await workbench.runCommand("Followup: Connect Your Agents");
  const row = (name: RegExp) => page.locator(".quick-input-list .monaco-list-row").filter({ hasText: name });
  await row(/Codex.*not connected/).waitFor();
  await row(/Qwen Code.*not found.*~\/\.qwen/).waitFor();
  await row(/Claude Code.*not connected/).click(); // removes its check mark
  await row(/Include permission requests.*Codex/).click();
  await editor().screenshot("connect-list");
  await input.press("Enter");
  await row(/hooks\.PreToolUse/).waitFor();
  await row(/hooks\.PermissionRequest/).waitFor();
  await editor().screenshot("connect-review");
  await row(/Write These Changes/).click();
  const toast = page.locator(".notification-toast", { hasText: "Codex is connected." });
  await toast.waitFor();
  await editor().screenshot("connect-done");
  const written = await readFile(codex, "utf8");
  expect(written).toContain(own);
  const program = /^command = '(.*\/home\/.local\/share\/followup\/bin\/followup)'$/m.exec(written)?.[1];
  expect(program).toContain(logs);
  expect(await readFile(path.join(logs, "codex/hooks.json"), "utf8")).toContain("hook codex --approvals");
  await toast.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => readFile(codex, "utf8")).toBe(own);
});

test("the editor's terminal has the program on its PATH", async () => {
  const { workbench } = editor();
  const output = path.join(logs, "version.json");
  await workbench.runCommand("Terminal: Create New Terminal");
  const terminal = workbench.page.locator(".terminal-wrapper.active");
  // Input before the prompt may be lost.
  await expect.poll(() => terminal.locator(".xterm-rows").innerText()).toMatch(/[$#%>]\s*$/);
  await terminal.locator(".xterm-helper-textarea").focus();
  await workbench.page.keyboard.type(`followup version >'${output}'\n`);
  await expect.poll(() => readFile(output, "utf8").catch(() => "")).toMatch(/^followup \d/);
});

test("the browser shows the same question at the forwarded address, and an answer there closes it in the editor", async () => {
  const { workbench, agent } = editor();
  const session = await agent.openSession();
  const answer = session.ask({
    question: "Which harbour?",
    follow_up: [{ text: "Brest" }, { text: "Cork" }],
  });
  const card = await workbench.followup.card("Which harbour?");
  const opened = workbench.page.context().waitForEvent("page");
  await workbench.runCommand("Followup: Open in the Browser");
  const browser = await opened;
  browser.setDefaultTimeout(60_000);
  const there = browser.locator("followup-card", { hasText: "Which harbour?" });
  await there.waitFor();
  // This editor forwards ports to folders of its own address.
  const { origin, pathname, hash } = new URL(browser.url());
  expect([origin, hash]).toEqual([new URL(workbench.page.url()).origin, ""]);
  expect(pathname).toMatch(/^\/proxy\/\d+\/$/);
  await answerBy(there, there.getByRole("button", { name: /^Cork/ }));
  expect(await answer).toMatchObject({ outcome: "answered", text: "<answer>\nCork\n</answer>" });
  await expect.poll(() => card.getAttribute("data-state")).toBe("closed");
  await browser.close();
  await session.close();
});
