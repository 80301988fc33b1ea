// The user's ready phrases: inserted, and saved from typed answers.

import { describe, expect, it } from "vitest";
import { readPhrases, writePhrases } from "../../webview/boundary";
import { openView, useBrowser, type View } from "./harness";
import { ask } from "./questions";

useBrowser();

const phrases = ["Go on.", "Keep it simple.", "Explain first."];
const words = (view: View) => view.card("a").locator(".phrase-words");

describe("ready phrases", () => {
  it("are inserted at the cursor by click and keyboard, and nothing is sent", async () => {
    const view = await openView();
    await view.post({ type: "phrases", phrases }, ask("a"));
    await view.box("a").fill("Yes.Thanks");
    await view.box("a").evaluate((box: HTMLTextAreaElement) => box.setSelectionRange(4, 4));
    await words(view).nth(1).click();
    expect(await view.box("a").inputValue()).toBe("Yes. Keep it simple. Thanks");
    expect(await view.focus()).toBe("textarea");
    await view.box("a").fill("");
    await words(view).first().focus();
    for (const key of ["ArrowLeft", "Enter"]) {
      await view.page.keyboard.press(key);
    }
    expect(await view.box("a").inputValue()).toBe("Explain first.");
    expect(await view.sentOf("answer")).toEqual([]);
    await view.waitFor("draft", ({ draft }) => draft?.text === "Explain first.");
  });

  it("are one Tab stop, and are removed with Delete", async () => {
    const view = await openView();
    await view.post({ type: "phrases", phrases }, ask("a"));
    expect(await words(view).evaluateAll((all) => all.map(({ tabIndex }) => tabIndex))).toEqual([0, -1, -1]);
    await words(view).first().focus();
    await view.page.keyboard.press("ArrowRight");
    await view.page.keyboard.press("Delete");
    expect((await view.waitFor("setPhrases")).phrases).toEqual(["Go on.", "Explain first."]);
    await words(view).nth(2).waitFor({ state: "detached" });
    expect(await words(view).allInnerTexts()).toEqual(["Go on.", "Explain first."]);
    expect(await view.focus()).toBe("button.phrase-words[1]");
  });

  it("are saved from a typed answer, once", async () => {
    const view = await openView();
    await view.post({ type: "phrases", phrases });
    const outcome = { outcome: "answered", at: 1 } as const;
    await view.post(
      ask("a", "closed", { outcome: { ...outcome, provenance: "typed", text: " Not now. " } }),
      ask("b", "closed", {
        order: 2,
        outcome: { ...outcome, provenance: "clicked", suggestion: 0, text: "x" },
      }),
      ask("c", "closed", { order: 3, outcome: { ...outcome, provenance: "typed", text: "Go on." } }),
    );
    for (const id of ["a", "b", "c"]) {
      await view.unfold(id);
    }
    const save = view.page.getByRole("button", { name: "Save as a Phrase" });
    expect(await save.count()).toBe(1);
    await save.press("Enter");
    expect((await view.waitFor("setPhrases")).phrases).toEqual([...phrases, "Not now."]);
    await save.waitFor({ state: "detached" });
    expect(await view.focus()).toBe("followup-card");
  });

  it("are read from a setting as far as valid", () => {
    expect(readPhrases("no list")).toEqual([]);
    expect(readPhrases([" a ", "", "a", 5, null, "b".repeat(501), "c"])).toEqual(["a", "c"]);
    expect(readPhrases(Array.from({ length: 60 }, (_, index) => `${index}`))).toHaveLength(50);
  });

  it("are written without losing invalid entries of the setting", () => {
    const long = "b".repeat(501);
    expect(writePhrases([" a ", long, 5, "c"], ["c", "d"])).toEqual(["c", "d", long, 5]);
    const many = Array.from({ length: 60 }, (_, index) => `${index}`);
    expect(writePhrases(many, readPhrases(many).slice(1))).toEqual(many.slice(1));
  });
});

describe("a removed phrase", () => {
  it("can be put back in place, by keyboard too, even if it was the only one", async () => {
    const view = await openView();
    await view.post({ type: "phrases", phrases }, ask("a"));
    await words(view).first().focus();
    await view.page.keyboard.press("ArrowRight");
    await view.page.keyboard.press("Delete");
    const back = view.page.getByRole("button", { name: "Put the phrase “Keep it simple.” back" });
    await words(view).nth(2).waitFor({ state: "detached" });
    await view.post(); // after two frames, new and moved elements accept clicks
    await back.press("Enter");
    expect((await view.waitFor("setPhrases", (sent) => sent.phrases.length === 3)).phrases).toEqual(phrases);
    await back.waitFor({ state: "detached" });
    expect(await view.focus()).toBe("button.phrase-words[1]");
    await view.post({ type: "phrases", phrases: ["Only."] });
    await words(view).first().focus();
    await view.page.keyboard.press("Delete");
    await words(view).first().waitFor({ state: "detached" });
    expect(await view.focus()).toBe("button.put-back");
    await view.post();
    await view.page.keyboard.press("Enter");
    await words(view).first().waitFor();
    expect(await words(view).allInnerTexts()).toEqual(["Only."]);
  });

  it("returns to its position in the setting", () => {
    expect(writePhrases(["a", 5, "c"], ["a", "b", "c"])).toEqual(["a", "b", "c", 5]);
    expect(writePhrases(["b"], ["a", "b"])).toEqual(["a", "b"]);
  });
});
