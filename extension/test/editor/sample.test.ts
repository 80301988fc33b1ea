// The way in for a person who has no agent yet, by keyboard alone.

import { expect, test } from "vitest";
import { useEditor } from "./harness/use-editor";

const editor = useEditor();

test("the sample question is asked by its command and answered by keyboard alone, twice", async () => {
  const { workbench } = editor();
  const { page, followup } = workbench;
  for (const [number, round] of [
    [2, 1],
    [4, 2],
  ] as const) {
    await workbench.runCommand("Followup: Ask a Sample Question");
    const card = (await followup.frame()).locator(
      'followup-app:not([data-settling]) followup-card[data-state="pending"]',
    );
    await card.waitFor();
    await workbench.runCommand("Followup: Focus Question");
    await card.locator(":focus").waitFor();
    await page.keyboard.press(String(number));
    const closed = (await followup.frame()).locator('followup-card[data-state="closed"]');
    await closed.getByText(`You chose suggestion ${number}`).waitFor();
    expect(await closed.count()).toBe(round);
  }
});
