// The questions in the editor's frame, which keeps some keys from the browser: in a text box the editor handles them.

import { describe, expect, it } from "vitest";
import { openView, useBrowser } from "./harness";
import { ask } from "./questions";

useBrowser();

describe.each(["browser", "desktop", "mac"] as const)("in an editor, %s", (platform) => {
  const command = platform === "mac" ? "Meta" : "Control";

  it("a text box selects all, cuts, pastes, undoes and redoes", async () => {
    const view = await openView({ platform });
    await view.post(ask("a"));
    const { keyboard } = view.page;
    const press = async (key: string) => {
      await keyboard.press(key);
      await view.page.evaluate(() => window.editorDone);
    };
    await view.box("a").pressSequentially("one");
    await press(`${command}+a`);
    const text = () => view.box("a").inputValue();
    // Chromium on Linux ignores Cmd, so here everything is the editor's effect.
    await press(`${command}+x`);
    expect(await text()).toBe("");
    await press(`${command}+v`);
    expect(await text()).toBe("one");
    await view.box("a").pressSequentially("2");
    await press(`${command}+z`);
    expect(await text()).not.toContain("2");
    await press(`${command}+Shift+z`);
    expect(await text()).toBe("one2");
    expect(await view.sentOf("answer")).toEqual([]);
  });

  it("the editor gets no key that would act on its open file", async () => {
    const view = await openView({ platform });
    await view.post(ask("a"));
    await view.box("a").pressSequentially("1");
    for (const key of ["a", "z", "Shift+z"]) await view.page.keyboard.press(`${command}+${key}`);
    expect(await view.box("a").inputValue()).toBe("1");
    const heard = await view.page.evaluate(() => window.editorKeys);
    expect(heard.filter((key) => /\+[az]$/.test(key))).toEqual([]);
    const prevented = await view.box("a").evaluate((box, mac) => {
      const modifier = mac ? { metaKey: true } : { ctrlKey: true };
      const typed = { key: "я", code: "KeyZ", keyCode: 90, bubbles: true, cancelable: true, ...modifier };
      return !box.dispatchEvent(new KeyboardEvent("keydown", typed));
    }, platform === "mac");
    expect(prevented).toBe(true);
    expect(await view.page.evaluate(() => window.editorKeys)).toEqual(heard); // nor keys of another keyboard
  });

  it("the editor does not get a key that answered", async () => {
    const view = await openView({ platform });
    await view.post(ask("a"));
    await view.suggestion("a", 0).focus();
    await view.page.keyboard.press("ArrowDown");
    await view.page.keyboard.press(`${command}+k`);
    expect(await view.page.evaluate(() => window.editorKeys)).toEqual([
      `${command}+${command}`,
      `${command}+k`,
    ]);
  });
});
