// A request for permission is never allowed by accident: each guard here has a case that fails without it.

import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ItemOutcome, Rendered } from "../../src/protocol.gen";
import { openView, useBrowser, type View } from "./harness";
import { ask, askFor } from "./questions";
import { linesOf } from "./script";

useBrowser();

const long = Array.from({ length: 120 }, (_, line) => `echo ${line}`).join("\n");

const decisions = (view: View) => view.sentOf("decide");

const button = (view: View, id: string, kind: string) => view.card(id).locator(`.approval-${kind}`);

const isLocked = (view: View, id: string, kind: string) =>
  button(view, id, kind).getAttribute("aria-disabled");

/** Waits until the request can be allowed, and the buttons have been visible for long enough. */
async function unlocked(view: View, id = "a"): Promise<void> {
  await expect.poll(() => isLocked(view, id, "once")).toBeNull();
  await view.shown();
  await view.advance(1000);
}

/** The digest that the sidecar expects, as in docs/protocol.md. */
function digest(...texts: string[]): string {
  const netstrings = texts.map((text) => `${Buffer.byteLength(text)}:${text},`);
  return createHash("sha256").update(netstrings.join("")).digest("hex");
}

describe("a request for permission", () => {
  it("is allowed by a click, with the digest of what is shown", async () => {
    const view = await openView();
    await view.post(askFor("a", { text: "echo é 😀", otherArguments: "{}" }));
    await unlocked(view);
    await button(view, "a", "once").click();
    const expected = digest("command", "echo é 😀", "/work", "", "", "", "", "{}", "once", "once", "");
    expect(await decisions(view)).toEqual([
      { type: "decide", id: "a", decision: { option: "once", digest: expected } },
    ]);
  });

  it("shows what is allowed for longer, and includes it in the digest", async () => {
    const view = await openView();
    await view.post(askFor("a"));
    await unlocked(view);
    expect(await view.card("a").textContent()).toContain("Runs Bash(npm test:*) without asking");
    await button(view, "a", "always").click();
    const label = "Runs Bash(npm test:*) without asking";
    expect(await decisions(view)).toEqual([
      {
        type: "decide",
        id: "a",
        decision: {
          option: "always",
          digest: digest("command", "npm test", "/work", "", "", "", "", "", "always", "always", label),
        },
      },
    ]);
  });

  it("is denied with a message, which locks the buttons that allow", async () => {
    const view = await openView();
    await view.post(askFor("a"));
    await unlocked(view);
    await view.card("a").locator(".approval-words").fill("use bun");
    await expect.poll(() => isLocked(view, "a", "once")).toBe("true");
    await button(view, "a", "once").click({ force: true });
    expect(await decisions(view)).toEqual([]);
    await button(view, "a", "deny").click();
    expect(await decisions(view)).toEqual([
      { type: "decide", id: "a", decision: { option: "deny", text: "use bun" } },
    ]);
  });

  it("allows a changed command once, never for longer", async () => {
    const view = await openView();
    await view.post(askFor("a", { text: "npm\u202e test" }, { changeable: true }));
    await unlocked(view);
    await view.card("a").locator(".approval-change").click();
    expect(await view.card("a").locator(".approval-changed").inputValue()).toBe("npm test");
    await view.card("a").locator(".approval-changed").fill("npm test -- --run");
    expect(await isLocked(view, "a", "always")).toBe("true");
    await button(view, "a", "once").click();
    const [sent] = await decisions(view);
    expect(sent?.decision).toMatchObject({ option: "once", changed: "npm test -- --run" });
  });

  it("shows which of its text boxes has the focus", async () => {
    const view = await openView();
    await view.post(askFor("a", {}, { changeable: true }));
    await view.card("a").locator(".approval-change").click();
    for (const name of ["words", "changed"]) {
      const box = view.card("a").locator(`.approval-${name}`);
      const color = () => box.evaluate((element) => getComputedStyle(element).borderColor);
      const before = await color();
      await box.focus();
      expect(await color()).not.toBe(before);
    }
  });

  it("says why a decision takes long while nothing can be saved", async () => {
    const view = await openView();
    await view.post({ type: "storage", problem: "The disk is full." });
    await view.post(askFor("a"));
    await button(view, "a", "deny").click();
    await view.card("a").locator(".away", { hasText: "Your decision is not saved yet." }).waitFor();
  });

  it("is left to the agent's own dialog", async () => {
    const view = await openView();
    await view.post(askFor("a"));
    await view.card("a").getByRole("button", { name: "Answer in the Agent's Dialog" }).click();
    expect(await view.sentOf("dismiss")).toEqual([{ type: "dismiss", id: "a" }]);
  });

  it("shows what the agent did with a decision beside its own dialog", async () => {
    const view = await openView();
    const posted = (id: string, outcome: Omit<ItemOutcome, "at">) =>
      view.post(askFor(id, {}, { state: "closed", beside: true, outcome: { ...outcome, at: 1 } }));
    const line = async (id: string) =>
      (await view.card(id).locator(".closed-line").textContent())?.replace(/\s+/g, " ") ?? "";
    const heard = async () => (await view.page.locator('[aria-live="polite"] p').allTextContents()).at(-1);
    await view.post(askFor("a", {}, { beside: true }));
    await posted("a", { outcome: "denied", option: "deny" });
    expect(await line("a")).toContain("You denied this. The agent has not confirmed it.");
    await posted("a", { outcome: "denied", option: "deny", effective: "allowed" });
    expect(await line("a")).toContain(
      "You denied this, and it was allowed in the agent's own dialog at the same moment: it ran.",
    );
    expect(await heard()).toContain("it ran.");
    const whole = (line: Element) => line.scrollWidth <= line.clientWidth;
    expect(await view.card("a").locator(".closed-answer").evaluate(whole)).toBe(true);
    await view.post(askFor("b", {}, { beside: true }));
    await posted("b", { outcome: "allowed", option: "once", effective: "allowed" });
    expect(await line("b")).not.toContain("confirmed");
    for (const id of ["a", "b"]) {
      await view.card(id).locator(".clear").click();
      await view.card(id).waitFor({ state: "detached" });
    }
    // A confirmation brings no cleared card back, a correction does.
    await posted("b", { outcome: "allowed", option: "once", effective: "allowed" });
    await posted("a", { outcome: "allowed", option: "once", effective: "denied" });
    expect(await line("a")).toContain("it did not run.");
    expect(await view.card("b").count()).toBe(0);
  });

  it("offers only a denial for a request that cannot be shown", async () => {
    const view = await openView();
    await view.post(
      askFor(
        "a",
        { kind: "unshown", name: "Write", text: undefined, cwd: undefined },
        { title: "Write", rendered: {} },
      ),
    );
    const card = view.card("a");
    expect(await card.locator(".approval-unshown").textContent()).toContain("cannot be allowed here");
    const buttons = await card
      .locator(".approval-option button")
      .evaluateAll((all) => all.map(({ className }) => className));
    expect(buttons).toEqual([expect.stringContaining("approval-deny")]);
    await button(view, "a", "deny").click();
    expect(await view.sentOf("decide")).toEqual([{ type: "decide", id: "a", decision: { option: "deny" } }]);
  });

  it("shows hidden characters and those that look like others", async () => {
    const view = await openView();
    const nodes = [
      { text: "ls " },
      { kind: "control", text: "U+202E" },
      { kind: "confusable", text: "а" },
    ] as const;
    await view.post(
      askFor(
        "a",
        { text: "ls \u202eа" },
        { rendered: { subject: [{ kind: "codeBlock", nodes: [{ kind: "code", nodes: [...nodes] }] }] } },
      ),
    );
    const subject = view.card("a").locator(".approval-subject");
    expect(await subject.locator(".md-control").textContent()).toBe("U+202E");
    expect(await subject.locator(".md-confusable").textContent()).toBe("а");
    expect(await view.card("a").textContent()).not.toContain("\u202e");
  });
});

describe("allows nothing by accident:", () => {
  it("no button has the focus, and Enter and digits do nothing on the card", async () => {
    const view = await openView();
    await view.post(askFor("a"));
    await unlocked(view);
    expect(await view.page.evaluate(() => document.activeElement?.closest("button"))).toBeNull();
    for (const key of ["1", "2", "Enter", " "]) {
      await view.page.keyboard.press(key);
    }
    await view.page.keyboard.press("ArrowDown"); // moves the focus to the card
    expect(await view.page.evaluate(() => document.activeElement?.className)).toBe("approval-subject");
    for (const key of ["1", "2", "Enter", " "]) {
      await view.page.keyboard.press(key);
    }
    expect(await decisions(view)).toEqual([]);
  });

  it("all of the request must have been in view, from its beginning to its end", async () => {
    const view = await openView();
    await view.post(askFor("a", { text: long }));
    const once = button(view, "a", "once");
    await once.evaluate((element) => element.scrollIntoView()); // the middle is skipped
    await view.shown();
    expect(await isLocked(view, "a", "once")).toBe("true");
    expect(await view.card("a").textContent()).toContain("scroll through all of it");
    // A screen reader, or a program, does this instead of a click.
    await once.evaluate((element) => (element as HTMLElement).click());
    await once.focus();
    await view.page.keyboard.press("Enter");
    expect(await decisions(view)).toEqual([]);
    await view.page.evaluate(() => scrollTo(0, 0));
    await view.page.mouse.move(100, 300);
    await view.stopClock();
    await expect
      .poll(async () => {
        await view.page.mouse.wheel(0, 200);
        return isLocked(view, "a", "once");
      })
      .toBeNull();
    await once.click({ force: true }); // the buttons have just been enabled
    expect(await decisions(view)).toEqual([]);
    await view.shown();
    await view.advance(1000);
    await once.click();
    expect(await decisions(view)).toHaveLength(1);
  });

  it("another request under the same id, or a hidden page, does not count as in view", async () => {
    const view = await openView();
    await view.post(askFor("a"));
    await unlocked(view);
    await view.post(askFor("a", { text: long }));
    await view.shown();
    expect(await isLocked(view, "a", "once")).toBe("true");
    await view.page.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    });
    await view.post(askFor("b", { text: "ls" }, { order: 0 }));
    await view.card("b").locator(".approval-subject").scrollIntoViewIfNeeded();
    await view.shown();
    expect(await isLocked(view, "b", "once")).toBe("true");
    await view.page.evaluate(() => {
      Reflect.deleteProperty(document, "visibilityState");
      document.dispatchEvent(new Event("scroll"));
    });
    await unlocked(view, "b");
  });

  it("an unseen request can be denied", async () => {
    const view = await openView();
    await view.post(askFor("a", { text: long }));
    await button(view, "a", "deny").click();
    expect(await decisions(view)).toHaveLength(1);
  });

  it("a held key, or the key that moved the focus, does nothing", async () => {
    const view = await openView();
    await view.post(askFor("a"));
    await unlocked(view);
    /** Presses Enter or space with the browser's default action, unless the page prevents it. */
    const press = (key: string, repeat: boolean) =>
      button(view, "a", "once").evaluate(
        (element: HTMLElement, [key, repeat]) => {
          element.focus();
          const event = new KeyboardEvent("keydown", { key, repeat, bubbles: true, cancelable: true });
          element.dispatchEvent(event) && element.click();
        },
        [key, repeat] as const,
      );
    await press("Enter", false); // the button gets the focus at the same time
    await press("Enter", true);
    await press(" ", true);
    expect(await decisions(view)).toEqual([]);
  });

  it("a double click decides one request", async () => {
    const view = await openView();
    await view.post(askFor("a"), askFor("b", { text: "npm run build" }, { order: 2 }));
    await unlocked(view);
    await button(view, "a", "once").dblclick();
    expect(await decisions(view)).toHaveLength(1);
  });

  it("impatient presses decide one request", async () => {
    const view = await openView();
    await view.post(askFor("a"), askFor("b", { text: "npm run build" }, { order: 2 }));
    await unlocked(view, "b");
    for (const id of ["a", "b"]) {
      await view.card(id).locator(".approval-subject").focus();
    }
    await view.stopClock();
    for (const id of ["a", "b"]) {
      await button(view, id, "once").focus();
      await view.page.keyboard.press("Enter");
    }
    expect(await decisions(view)).toHaveLength(1);
    await view.gestureOver();
    await view.page.keyboard.press("Enter");
    expect(await decisions(view)).toHaveLength(2);
  });

  it("a card that just appeared ignores clicks", async () => {
    const view = await openView();
    await view.stopClock();
    await view.postNow(askFor("a"));
    await button(view, "a", "deny").click({ force: true });
    expect(await decisions(view)).toEqual([]);
    await view.advance(400);
    await button(view, "a", "deny").click();
    expect(await decisions(view)).toHaveLength(1);
  });

  it("a card ignores clicks until the screen shows it, however long that takes", async () => {
    const view = await openView();
    await view.stopClock();
    const lines = linesOf(askFor("a"));
    await view.page.evaluate(async (lines) => {
      window.play(lines);
      let deny: HTMLElement | null = null;
      while (deny === null) {
        await new Promise((resolve) => requestAnimationFrame(resolve)); // the page draws in a frame
        await Promise.resolve();
        deny = document.querySelector<HTMLElement>(".approval-deny");
      }
      window.clock.advance(5000); // the machine is busy, and does not paint
      deny.click();
    }, lines);
    expect(await decisions(view)).toEqual([]);
  });

  it("buttons moved by another request ignore clicks", async () => {
    const view = await openView();
    await view.post(askFor("a"));
    await unlocked(view);
    await view.stopClock();
    await view.postNow(askFor("b", {}, { order: 2 }));
    await button(view, "a", "once").click({ force: true });
    expect(await decisions(view)).toEqual([]);
  });

  it("shortening an unseen request does not make it seen", async () => {
    const view = await openView();
    await view.page.setViewportSize({ width: 300, height: 500 });
    await view.post(askFor("a", { text: "echo 123456789 ".repeat(110) }));
    await view.shown();
    await view.page.evaluate(() => scrollTo(0, 0));
    await view.shown();
    // The rest is above the view.
    await view.page.setViewportSize({ width: 900, height: 120 });
    const subject = view.card("a").locator(".approval-subject");
    await subject.evaluate((element) => element.scrollIntoView({ block: "end" }));
    await view.shown();
    expect(await isLocked(view, "a", "once")).toBe("true");
  });

  it("two similar requests are numbered", async () => {
    const view = await openView();
    await view.post(
      askFor("a", { text: "rm -rf build" }),
      askFor("b", { text: "rm -rf  b\u200build" }, { order: 2 }),
      askFor("c", { text: "rm -rf dist" }, { order: 3 }),
      ask("d", "pending", { order: 4 }),
    );
    const note = (id: string) => view.card(id).locator(".approval-alike");
    expect(await note("a").textContent()).toContain("Request 1 of 2");
    expect(await note("b").textContent()).toContain("Request 2 of 2");
    expect(await note("c").count()).toBe(0);
  });
});

const diff = {
  kind: "edit",
  path: "/home/ana/shop/a.ts",
  before: "a\n",
  after: "b\n",
  text: undefined,
} as const;

describe("an edit", () => {
  const outcome = { outcome: "denied", option: "deny", at: 1 } as const;

  it.each(["before", "after"])(
    "opens in the host's diff view %s the decision, by click and keyboard",
    async (when) => {
      const view = await openView({ diffs: true });
      await view.post(askFor("a", { ...diff }));
      if (when === "after") {
        await view.post(askFor("a", { ...diff }, { state: "closed", outcome }));
        await view.card("a").locator(".folded-title").click();
      }
      await view.button("a", "Open the Diff").click();
      const opened = { type: "openDiff", path: "/home/ana/shop/a.ts", before: "a\n", after: "b\n" };
      expect(await view.sentOf("openDiff")).toEqual([opened]);
      await view.card("a").locator(".approval-subject").focus();
      await view.page.keyboard.press("Shift+Tab");
      await view.page.keyboard.press("Enter");
      expect(await view.sentOf("openDiff")).toEqual([opened, opened]);
      expect(await decisions(view)).toEqual([]);
    },
  );

  it("has no such button if the host cannot show diffs, or nothing differs", async () => {
    const elsewhere = await openView();
    await elsewhere.post(askFor("a", { ...diff }));
    expect(await elsewhere.button("a", "Open the Diff").count()).toBe(0);
    await elsewhere.post(askFor("a", { ...diff }, { state: "closed", outcome }));
    await elsewhere.card("a").locator(".folded-title").click();
    await elsewhere.card("a").locator(".approval-subject").waitFor();
    expect(await elsewhere.button("a", "Open the Diff").count()).toBe(0);
    await elsewhere.close();
    const view = await openView({ diffs: true });
    await view.post(askFor("a", { ...diff, before: undefined, after: undefined, text: "+b" }));
    expect(await view.button("a", "Open the Diff").count()).toBe(0);
  });
});

describe("a read-only request", () => {
  it("names its approvers and has no buttons to decide", async () => {
    const view = await openView();
    await view.post(askFor("a", {}, { readOnly: { approvers: ["Bo", "Cy"] }, changeable: true }));
    const text = await view.card("a").textContent();
    expect(text).toContain("npm test");
    expect(text).toContain("You are not allowed to decide this. These people are allowed to decide: Bo, Cy.");
    expect(await view.card("a").locator(".card-body").locator("button, textarea").count()).toBe(0);
  });

  it("says if nobody may approve it", async () => {
    const view = await openView();
    const nodes = [{ kind: "paragraph", text: "Look." }] as const;
    await view.post(
      askFor(
        "a",
        { kind: "plan", text: "Look." },
        { readOnly: { approvers: [] }, rendered: { subject: [...nodes] } },
      ),
    );
    expect(await view.card("a").textContent()).toContain("Nobody here is allowed to decide.");
    expect(await view.card("a").locator(".card-body").locator("button, textarea").count()).toBe(0);
  });
});

describe("a plan", () => {
  const text = "# Plan\n\nLook.\n\nChange it.";
  const nodes = [
    { kind: "heading", text: "Plan" },
    { kind: "paragraph", text: "Look." },
    { kind: "paragraph", text: "Change all of it." },
  ] as const;
  const changes = [
    { kind: "heading", text: "Plan" },
    { kind: "removed", nodes: [{ kind: "paragraph", text: "Read." }] },
    { kind: "inserted", nodes: [{ kind: "paragraph", text: "Look." }] },
    {
      kind: "list",
      nodes: [
        { kind: "item", nodes: [{ kind: "removed", text: "Once" }] },
        { kind: "item", text: "Twice" },
      ],
    },
  ] as const;
  const askPlan = (rendered: Rendered = { subject: [...nodes] }) =>
    askFor("a", { kind: "plan", text, cwd: undefined }, { rendered });
  const note = (view: View, index: number) => view.card("a").locator(`[data-comment="${index}"]`);

  /** Selects words of a paragraph like a drag of the pointer, or the caret. */
  const selects = async (view: View, paragraph: number, from: number, to: number) => {
    await view.card("a").locator(".approval-subject").focus();
    await view.page.evaluate(
      ({ paragraph, from, to }) => {
        const node = document.querySelector(`[data-paragraph="${paragraph}"] p`)?.firstChild as Node;
        getSelection()?.setBaseAndExtent(node, from, node, to);
      },
      { paragraph, from, to },
    );
    await view.card("a").locator(`[data-paragraph="${paragraph}"] .plan-selected`).waitFor();
  };

  it("is denied with a comment below each paragraph, kept in the draft", async () => {
    const view = await openView();
    await view.post(askPlan());
    await unlocked(view);
    await view.card("a").locator(".plan-comment").nth(2).click();
    await note(view, 0).fill("Change nothing");
    await view.card("a").locator(".approval-words").fill("Not yet.");
    await view.button("a", "Keep Planning").click();
    const [sent] = await decisions(view);
    expect(sent?.decision).toEqual({
      option: "deny",
      text: "> Change all of it.\n\nChange nothing\n\nNot yet.",
    });
    const drafts = await view.sentOf("draft");
    expect(drafts.at(-1)?.draft?.comments).toEqual([{ paragraph: 2, text: "Change nothing" }]);
  });

  it("is approved with notes, and says so", async () => {
    const view = await openView();
    await view.post(askPlan());
    await unlocked(view);
    expect(await button(view, "a", "once").textContent()).toContain("Approve");
    await view.card("a").locator(".approval-words").fill("Start with the tests.");
    await view.button("a", "Approve with Notes").click();
    const [sent] = await decisions(view);
    expect(sent?.decision).toMatchObject({ option: "once", text: "Start with the tests." });
  });

  it("takes comments on a selection, by click and keyboard, in the order of the plan", async () => {
    const view = await openView();
    await view.post(askPlan());
    await unlocked(view);
    await selects(view, 2, 7, 10);
    await view.button("a", "Comment on the Selection").click();
    await view.page.keyboard.type("Not all");
    await selects(view, 1, 0, 4);
    await view.page.keyboard.press("Control+Alt+m");
    await view.page.keyboard.type("Where?");
    await selects(view, 0, 0, 4);
    await view.page.keyboard.press("Tab"); // the paragraph's own button
    await view.page.keyboard.press("Tab");
    await view.page.keyboard.press("Enter");
    await view.page.keyboard.type("Title");
    expect(await note(view, 0).getAttribute("aria-label")).toBe("Comment on “all”");
    await view.button("a", "Keep Planning").click();
    const [sent] = await decisions(view);
    expect(sent?.decision.text).toBe("> Plan\n\nTitle\n\n> Look\n\nWhere?\n\n> all\n\nNot all");
  });

  it("removes a comment only by its own button, and keeps unsent ones", async () => {
    const view = await openView();
    await view.post(askPlan());
    await unlocked(view);
    await view.card("a").locator(".plan-comment").nth(0).click();
    await note(view, 0).fill("One");
    await view.card("a").locator(".plan-comment").nth(1).click();
    await note(view, 1).fill("Two");
    await view.card("a").locator(".plan-uncomment").nth(0).click();
    expect(await note(view, 0).inputValue()).toBe("Two");
    const outcome = { outcome: "denied", option: "deny", at: 1 } as const;
    const closed = askFor("a", { kind: "plan", text }, { state: "closed", outcome });
    await view.post(closed);
    expect(await view.card("a").locator(".own-unsent").textContent()).toContain("Two");
  });

  it("shows changes since the last plan, and quotes no removed text", async () => {
    const view = await openView();
    await view.post(askPlan({ subject: [...nodes], changes: structuredClone(changes) as never }));
    const plan = view.card("a").locator("followup-plan");
    expect(await plan.textContent()).not.toContain("Read.");
    await view.button("a", "Show What Changed").click();
    expect(await plan.locator(".md-removed").allTextContents()).toEqual(["Read.", "Once"]);
    expect(await plan.locator(".md-inserted").allTextContents()).toEqual(["Look."]);
    expect(await plan.locator(".plan-comment").count()).toBe(3);
    await plan.locator(".plan-comment").nth(2).click();
    await note(view, 0).fill("Why?");
    await view.button("a", "Keep Planning").click();
    const [sent] = await decisions(view);
    expect(sent?.decision.text).toBe("> Twice\n\nWhy?");
  });
});

it("a decided request shows the decision, the change and where it was made", async () => {
  const view = await openView();
  await view.post(askFor("a"));
  await view.post(
    askFor(
      "a",
      {},
      {
        state: "closed",
        outcome: {
          outcome: "allowed",
          option: "once",
          changed: "npm test -- --run",
          client: "browser",
          at: 1,
        },
      },
    ),
  );
  await view
    .card("a")
    .locator(".closed-line .folded-title")
    .click()
    .catch(() => {});
  const text = await view.card("a").textContent();
  for (const part of ["You allowed this", "Allow Once", "npm test -- --run", "browser"]) {
    expect(text).toContain(part);
  }
});
