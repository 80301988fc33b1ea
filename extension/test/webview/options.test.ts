// Many options in Chromium: one or two keys reach each of them, and the button to continue stays visible.

import { describe, expect, it } from "vitest";
import { openView, useBrowser, type View } from "./harness";
import { askAll, regions, twelve } from "./questions";

useBrowser();

const press = async (view: View, ...keys: string[]) => {
  for (const key of keys) {
    await view.page.keyboard.press(key);
  }
};
const focusedLabel = (view: View) =>
  view.page.evaluate(
    () => document.activeElement?.closest(".option")?.querySelector(".option-label")?.textContent,
  );
const picked = async (view: View) => (await view.waitFor("answerQuestions")).answer;

describe("twelve options", () => {
  it("are numbered up to the tenth, which 0 chooses", async () => {
    const view = await openView();
    await view.post(askAll("a", [regions]));
    const digits = await view.card("a").locator(".option .digit").allTextContents();
    expect(digits.map((text) => text.trim()).join("")).toBe("1234567890•••");
    expect(await view.card("a").locator(".option .choose").nth(9).getAttribute("aria-keyshortcuts")).toBe(
      "0",
    );
    await press(view, "0");
    expect(await picked(view)).toEqual({ picks: [{ options: [9] }] });
  });

  it("are found by typing their beginning; the same letter moves on, and nothing is chosen", async () => {
    const view = await openView();
    await view.post(askAll("a", [regions]));
    await view.post({ type: "focus" });
    const seen: (string | null | undefined)[] = [];
    for (const key of ["s", "s", "s", "s", "s"]) {
      await press(view, key);
      seen.push(await focusedLabel(view));
    }
    expect(seen).toEqual(["Stockholm", "São Paulo", "Singapore", "Sydney", "Seoul"]);
    await view.page.evaluate(() => {
      for (const key of ["m", "u"]) {
        document.activeElement?.dispatchEvent(
          new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }),
        );
      }
    });
    expect(await focusedLabel(view)).toBe("Mumbai");
    await press(view, "x");
    expect(await focusedLabel(view)).toBe("Mumbai");
    expect(await view.sentOf("answerQuestions")).toEqual([]);
    await view.gestureOver();
    await press(view, "Enter");
    expect(await picked(view)).toEqual({ picks: [{ options: [7] }] });
  });

  it("with multiple choice are found the same way, and chosen with Space", async () => {
    const view = await openView();
    await view.post(askAll("a", [{ ...regions, multiSelect: true }]));
    await view.post({ type: "focus" });
    await press(view, "t", "Space", "Home", "d", "Space");
    expect(await view.option("a", 11).isChecked()).toBe(true);
    expect(await view.option("a", 1).isChecked()).toBe(true);
    await view.card("a").locator(".other textarea").pressSequentially("ty");
    expect(await view.card("a").locator(".other textarea").inputValue()).toBe("ty");
  });

  it.each([320, 900])("leave the Next button in a view %i px wide", async (width) => {
    const view = await openView({ width });
    await view.page.setViewportSize({ width, height: 420 });
    await view.post(askAll("a", twelve));
    const bar = await view.card("a").locator(".step-bar").boundingBox();
    expect(bar && bar.y + bar.height).toBeLessThanOrEqual(420);
    await view.post({ type: "focus" });
    await press(view, "m", "m", "m");
    expect(await focusedLabel(view)).toBe("Mumbai");
    const middle = await view.card("a").locator('.option[data-index="7"]').boundingBox();
    const over = await view.card("a").locator(".step-bar").boundingBox();
    expect(middle && middle.y + middle.height).toBeLessThanOrEqual((over?.y ?? 0) + 1);
    await press(view, "End");
    expect(await focusedLabel(view)).toBe("Tokyo");
    const last = await view.card("a").locator('.option[data-index="11"]').boundingBox();
    const foot = await view.card("a").locator(".step-bar").boundingBox();
    expect(last && last.y + last.height).toBeLessThanOrEqual((foot?.y ?? 0) + 1);
  });
});
