// Drafts: sent to the host, kept by the page, restored, and never lost.

import { describe, expect, it } from "vitest";
import { openView, useBrowser, type View } from "./harness";
import { ask, askAll, database, onePixel, pixelFile, sentPixel, styling } from "./questions";
import { heardIn, type Posted } from "./script";
import { chooseFiles } from "./states";

useBrowser();

async function openPending(): Promise<View> {
  const view = await openView();
  await view.post(ask("a"));
  return view;
}

describe("a question in its own tab", () => {
  it("opens after its draft is saved, and stands alone without a button for another tab", async () => {
    const view = await openPending();
    await view.box("a").pressSequentially("half");
    await view.button("a", "Open in a New Tab").click();
    expect((await view.waitFor("openQuestion")).id).toBe("a");
    const order = (await view.sent()).flatMap(({ type }) =>
      type === "draft" || type === "openQuestion" ? type : [],
    );
    expect(order.at(-1)).toBe("openQuestion");
    expect((await view.sentOf("draft")).at(-1)?.draft?.text).toBe("half");
    await view.post(
      { type: "only", only: "b" },
      ask("b", "pending", { order: 2 }),
      ask("c", "pending", { order: 3 }),
    );
    expect(
      await view.page.locator("followup-card").evaluateAll((all) => all.map(({ dataset }) => dataset.id)),
    ).toEqual(["b"]);
    expect(await view.card("b").locator(".wide").count()).toBe(0);
  });

  it("shows live what the other page writes, the newer text and its images", async () => {
    const view = await openPending();
    await view.box("a").pressSequentially("here");
    const { draft } = await view.waitFor("draft", (message) => message.draft?.text === "here");
    const at = draft?.changedAt ?? 0;
    await view.post({ type: "draftSaved", id: "a", draft: { text: "older", changedAt: at - 1 } });
    expect(await view.box("a").inputValue()).toBe("here");
    await view.suggestion("a", 0).focus();
    const image = { ...onePixel, hash: "1" };
    await view.post({
      type: "draftSaved",
      id: "a",
      draft: { text: "there", images: [image], changedAt: at + 1 },
    });
    const { data: _, ...named } = image;
    await view.post({
      type: "draftSaved",
      id: "a",
      draft: { text: "there too", images: [named], changedAt: at + 2 },
    });
    expect(await view.box("a").inputValue()).toBe("there too");
    expect(await view.card("a").locator(".thumbnail img").count()).toBe(1);
  });
});

describe("a draft", () => {
  it("is sent a few keys at a time, and so is that it is empty again", async () => {
    const view = await openPending();
    await view.box("a").pressSequentially("half a sentence");
    const { id, draft } = await view.waitFor("draft", ({ draft }) => draft?.text === "half a sentence");
    expect(id).toBe("a");
    expect(draft).toEqual({ text: "half a sentence", images: [], changedAt: expect.any(Number) });
    expect((await view.sentOf("draft")).length).toBeLessThan("half a sentence".length);
    await view.box("a").fill("");
    await view.waitFor("draft", (message) => message.draft === null);
  });

  it("is sent whole: images, the original suggestion, its mode", async () => {
    const view = await openPending();
    await view.suggestion("a", 2).click({ modifiers: ["Shift"] });
    await chooseFiles(view.card("a"), [pixelFile()]);
    const { draft } = await view.waitFor("draft", (message) => message.draft?.images?.length === 1);
    expect(draft).toMatchObject({
      text: styling.suggest[2]?.answer,
      suggestion: 2,
      mode: "architect",
      images: [onePixel],
    });
  });

  it.each(["blur", "pagehide"])("is sent at once when the page is hidden or left: %s", async (type) => {
    const view = await openPending();
    const sent = await view.box("a").evaluate((box, left) => {
      (box as HTMLTextAreaElement).value = "half a word";
      box.dispatchEvent(new InputEvent("input", { bubbles: true }));
      window.dispatchEvent(new Event(left));
      return window.sentMessages.length;
    }, type);
    const messages = await view.page.evaluate((count) => window.sentMessages.slice(0, count), sent);
    expect(messages.flatMap((message) => heardIn(message) ?? [])).toEqual([
      { type: "ready" },
      { type: "draft", id: "a", draft: expect.objectContaining({ text: "half a word" }) },
    ]);
  });

  it("is sent before the answer", async () => {
    const view = await openPending();
    await view.box("a").pressSequentially("mine");
    await view.suggestion("a", 0).click();
    const types = (await view.sent()).map(({ type }) => type);
    // On a busy machine the text is sent in more than one piece.
    expect(types.filter((type, at) => type !== types[at - 1])).toEqual(["ready", "draft", "answer"]);
  });
});

describe("after a reload", () => {
  it("the draft is complete to the last key", async () => {
    const view = await openPending();
    await view.suggestion("a", 2).click({ modifiers: ["Shift"] });
    await chooseFiles(view.card("a"), [pixelFile()]);
    await view.card("a").locator(".thumbnail").waitFor();
    await view.box("a").pressSequentially("!");
    await view.reload();
    await view.post(ask("a"));
    expect(await view.box("a").inputValue()).toBe(`${styling.suggest[2]?.answer}!`);
    expect(await view.card("a").locator(".chip-text").textContent()).toBe("architect");
    expect(await view.card("a").locator(".thumbnail img").getAttribute("alt")).toBe("pixel.png");
    await view.box("a").press("Enter");
    expect((await view.waitFor("answer")).answer).toEqual({
      provenance: "edited",
      suggestion: 2,
      text: `${styling.suggest[2]?.answer}!`,
      mode: "architect",
      images: [sentPixel],
    });
  });

  it("the page keeps a draft until its question is asked again", async () => {
    const view = await openPending();
    await view.box("a").fill("kept");
    await view.waitFor("draft");
    await view.reload();
    await view.post(ask("b"));
    await view.box("b").fill("other");
    await view.waitFor("draft");
    await view.reload();
    await view.post(ask("a"), ask("b", "pending", { order: 2 }));
    expect([await view.box("a").inputValue(), await view.box("b").inputValue()]).toEqual(["kept", "other"]);
  });

  it("a closed question's draft is gone", async () => {
    const view = await openPending();
    await view.box("a").fill("mine");
    await view.box("a").press("Enter");
    await view.post(
      ask("a", "closed", { outcome: { outcome: "answered", provenance: "typed", text: "mine", at: 1 } }),
    );
    await view.reload();
    await view.post(ask("a"));
    expect(await view.box("a").inputValue()).toBe("");
  });

  it("a sent but unaccepted answer is still there", async () => {
    const view = await openPending();
    await view.box("a").fill("mine");
    await view.box("a").press("Enter");
    expect(await view.state("a")).toBe("sending");
    await view.reload();
    await view.post(ask("a"));
    expect(await view.box("a").inputValue()).toBe("mine");
    expect(await view.state("a")).toBe("pending");
  });
});

describe("the host's drafts", () => {
  it("are restored", async () => {
    const view = await openView({
      drafts: { a: { text: "from the host", images: [onePixel], suggestion: 0 } },
    });
    await view.post(ask("a"));
    expect(await view.box("a").inputValue()).toBe("from the host");
    expect(await view.card("a").locator(".thumbnail").count()).toBe(1);
    expect(await view.card("a").locator(".origin").textContent()).toContain("Editing suggestion 1");
  });

  it("win if they are newer", async () => {
    const view = await openPending();
    await view.box("a").fill("from the page");
    await view.waitFor("draft");
    const later = Date.now() + 60_000;
    await view.reload({ drafts: { a: { text: "from another window", images: [], changedAt: later } } });
    await view.post(ask("a"));
    expect(await view.box("a").inputValue()).toBe("from another window");
  });
});

it("an updated card keeps what is being typed", async () => {
  const view = await openPending();
  await view.box("a").pressSequentially("half ");
  await view.post(ask("a", "pending", { order: 5 }), ask("b", "queued", { order: 6 }));
  await view.page.keyboard.type("a sentence");
  expect(await view.box("a").inputValue()).toBe("half a sentence");
});

describe("a draft from another page", () => {
  const theirs = { text: "theirs", images: [], changedAt: Date.now() + 60_000 };

  it.each<[string, Posted]>([
    ["another tab's", { type: "draftSaved", id: "a", draft: theirs }],
    ["another person's", ask("a", "pending", { draft: theirs })],
  ])(
    "replaces nothing during an IME composition; both are kept, and the user chooses: %s",
    async (_, posted) => {
      const view = await openView();
      await view.post(ask("a"));
      await view.box("a").focus();
      const session = await view.page.context().newCDPSession(view.page);
      await session.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
      await view.post(posted);
      await session.send("Input.insertText", { text: "日本" });
      expect(await view.box("a").inputValue()).toBe("日本");
      const other = view.card("a").locator(".other-draft");
      expect(await other.locator(".unsent-text").textContent()).toBe("theirs");
      await other.locator(".keep-mine").click();
      expect(await view.box("a").inputValue()).toBe("日本");
      expect(await other.count()).toBe(0);
      await view.waitFor("draft", ({ draft }) => draft?.text === "日本");
      // Enter sends the text, not the first suggestion with it.
      await view.page.keyboard.press("Enter");
      expect((await view.waitFor("answer")).answer).toMatchObject({ provenance: "typed", text: "日本" });
    },
  );

  it("is used if the user chooses it, or at once if they wrote nothing or are elsewhere", async () => {
    const view = await openView();
    await view.post(ask("a"));
    await view.box("a").fill("mine");
    await view.post({ type: "draftSaved", id: "a", draft: theirs });
    await view.card("a").locator(".use-other").click();
    expect(await view.box("a").inputValue()).toBe("theirs");
    await view.suggestion("a", 0).focus();
    const later = { ...theirs, text: "later", changedAt: Date.now() + 120_000 };
    await view.post({ type: "draftSaved", id: "a", draft: later });
    expect(await view.box("a").inputValue()).toBe("later");
    expect(await view.card("a").locator(".other-draft").count()).toBe(0);
  });

  it("does not replace the text that the user types in a questionnaire", async () => {
    const view = await openView();
    await view.post(askAll("a", [database]));
    await view.own("a").fill("mine");
    const draft = { picks: [{ other: "theirs", otherChosen: true }], changedAt: Date.now() + 60_000 };
    await view.post(askAll("a", [database], "pending", { draft }));
    expect(await view.own("a").inputValue()).toBe("mine");
    await view.card("a").locator(".use-other").click();
    expect(await view.own("a").inputValue()).toBe("theirs");
  });
});
