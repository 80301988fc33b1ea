// An agent's request for permission in the real editor: its edit opens in the editor's own diff view, and what the card allows is what
// the agent's hook is given.

import { spawn } from "node:child_process";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { root } from "../../scripts/lib/paths.mjs";
import { useEditor } from "./harness/use-editor";

const program = process.env.FOLLOWUP_PROGRAM ?? path.join(root, "bin/followup");
const editor = useEditor({
  settings: { "workbench.startupEditor": "none", "diffEditor.useInlineViewWhenSpaceIsLimited": false },
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

test("opens an edit in the editor's diff view, by mouse and keyboard, and allows it as shown", async () => {
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
  // A hook says nothing until the sidecar knows that the view can be seen.
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
  // Nothing is typed into it, and the editor has taken the language from the path.
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
});
