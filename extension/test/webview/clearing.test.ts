// The user clears closed cards, one at a time or all, and unsent text only after a confirmation.

import { describe, expect, it } from "vitest";
import { openView, useBrowser, type View } from "./harness";
import { ask } from "./questions";

useBrowser();

const withdrawn = (at: number) => ({ outcome: "withdrawn", at }) as const;
const shown = (view: View) =>
  view.page
    .locator("followup-card")
    .evaluateAll((all) => all.map((card) => (card as HTMLElement).dataset.id));

/** An open card, three closed ones, and one with unsent text. */
async function openClosed(): Promise<View> {
  const view = await openView();
  await view.post(ask("words"), ask("open", "pending", { order: 2 }));
  await view.box("words").fill("my words");
  await view.box("open").focus();
  await view.post(
    ask("words", "closed", { outcome: withdrawn(9) }),
    ...[3, 2, 1].map((at) => ask(`c${at}`, "closed", { outcome: withdrawn(at) })),
  );
  return view;
}

describe("a closed card", () => {
  it("is cleared by its button", async () => {
    const view = await openClosed();
    await view.card("c2").locator(".clear").click();
    expect(await shown(view)).toEqual(["words", "open", "c3", "c1"]);
  });

  it("is cleared by the keyboard, which moves to the next one", async () => {
    const view = await openClosed();
    await view.card("c3").locator(".clear").focus();
    await view.page.keyboard.press("Enter");
    await view.page.keyboard.press("Delete");
    await view.page.keyboard.press("Delete");
    expect(await shown(view)).toEqual(["words", "open"]);
    const focused = await view.page.evaluate(() => (document.activeElement as HTMLElement).dataset.id);
    expect(focused).toBe("words");
    await view.page.keyboard.press("1");
    expect(await view.sentOf("answer")).toEqual([]);
  });

  it("is not cleared by Delete in a text box, and an open one never", async () => {
    const view = await openClosed();
    await view.box("open").fill("x");
    await view.page.keyboard.press("Delete");
    await view.suggestion("open", 0).focus();
    await view.page.keyboard.press("Delete");
    expect(await shown(view)).toEqual(["words", "open", "c3", "c2", "c1"]);
  });

  it("with unsent text asks first, and needs a separate gesture", async () => {
    const view = await openClosed();
    await view.stopClock();
    await view.card("words").locator(".clear").focus();
    await view.page.keyboard.press("Delete");
    await view.card("words").locator(".discard").waitFor();
    expect(await view.focus()).toContain("keep");
    await view.page.keyboard.press("Enter");
    expect(await shown(view)).toContain("words");
    await view.card("words").locator(".discard").waitFor({ state: "detached" });
    await view.card("words").locator(".clear").click();
    await view.card("words").locator(".discard").focus();
    await view.gestureOver();
    await view.page.keyboard.press("Enter");
    expect(await shown(view)).not.toContain("words");
    await view.reload();
    expect(await shown(view)).toEqual([]);
  });

  it("with unsent text unfolds to ask", async () => {
    const view = await openClosed();
    await view.card("words").locator(".fold").click();
    await view.card("words").locator(".closed-line .clear").click();
    await view.card("words").locator(".discard").waitFor();
    expect(await view.focus()).toContain("keep");
  });
});

describe("all closed cards", () => {
  it("are cleared at once except those with unsent text, and the number is announced", async () => {
    const view = await openClosed();
    await view.page.getByRole("button", { name: "Clear All" }).click();
    expect(await shown(view)).toEqual(["words", "open"]);
    await view.page.getByRole("log").getByText("3 closed questions cleared.").waitFor();
    expect(await view.page.getByRole("button", { name: "Clear All" }).count()).toBe(0);
  });

  it("are cleared by the editor's command, too", async () => {
    const view = await openClosed();
    await view.post({ type: "clearClosed" });
    expect(await shown(view)).toEqual(["words", "open"]);
  });

  it("have no bar if none can be cleared at once", async () => {
    const view = await openClosed();
    await view.page.getByRole("button", { name: "Clear All" }).click();
    expect(await shown(view)).toEqual(["words", "open"]);
    expect(await view.page.locator(".closed-bar").count()).toBe(0);
  });

  it("leave no bar behind", async () => {
    const view = await openView();
    await view.post(ask("a", "closed", { outcome: withdrawn(1) }));
    await view.page.getByRole("button", { name: "Clear All" }).press("Enter");
    await view.page.getByText("No questions at the moment").waitFor();
    expect(await view.page.locator(".closed-bar").count()).toBe(0);
  });
});

it("unsent text survives a reload, whether or not the host still sends the card", async () => {
  const view = await openClosed();
  for (const messages of [[ask("words", "closed", { outcome: withdrawn(9) })], []]) {
    await view.reload();
    await view.post(...messages);
    expect(await view.card("words").locator(".unsent-text").textContent()).toBe("my words");
  }
});
