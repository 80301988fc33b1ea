// A request for permission is never allowed by accident: each guard here has a case that fails without it.

import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { openView, useBrowser, type View } from "./harness";
import { ask, askFor } from "./questions";

useBrowser();

const long = Array.from({ length: 120 }, (_, line) => `echo ${line}`).join("\n");

const decisions = (view: View) => view.sentOf("decide");

const button = (view: View, id: string, kind: string) => view.card(id).locator(`.approval-${kind}`);

const isLocked = (view: View, id: string, kind: string) =>
  button(view, id, kind).getAttribute("aria-disabled");

/** Waits until the request can be allowed. */
const unlocked = (view: View, id = "a") => expect.poll(() => isLocked(view, id, "once")).toBeNull();

/** What the sidecar expects, by the words of docs/protocol.md. */
function digest(...texts: string[]): string {
  const netstrings = texts.map((text) => `${Buffer.byteLength(text)}:${text},`);
  return createHash("sha256").update(netstrings.join("")).digest("hex");
}

describe("a request for permission", () => {
  it("is allowed by a click, with the digest of what is shown", async () => {
    const view = await openView();
    await view.post(askFor("a", { text: "echo é 😀", rest: "{}" }));
    await unlocked(view);
    await button(view, "a", "once").click();
    const expected = digest("command", "echo é 😀", "/work", "", "", "", "", "{}", "once", "once", "");
    expect(await decisions(view)).toEqual([
      { type: "decide", id: "a", decision: { option: "once", digest: expected } },
    ]);
  });

  it("says what is allowed for longer, and names it in the digest", async () => {
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

  it("is denied with words, which lock what allows it", async () => {
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

  it("runs a changed command once, and never for longer", async () => {
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

  it("is left to the agent's own dialog", async () => {
    const view = await openView();
    await view.post(askFor("a"));
    await view.card("a").getByRole("button", { name: "Answer in the Agent's Dialog" }).click();
    expect(await view.sentOf("dismiss")).toEqual([{ type: "dismiss", id: "a" }]);
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

describe("nothing is allowed by accident", () => {
  it("no button has the focus, and Enter and digits do nothing on the card", async () => {
    const view = await openView();
    await view.post(askFor("a"));
    await unlocked(view);
    expect(await view.page.evaluate(() => document.activeElement?.closest("button"))).toBeNull();
    for (const key of ["1", "2", "Enter", " "]) {
      await view.page.keyboard.press(key);
    }
    await view.page.keyboard.press("ArrowDown"); // gives the card the focus
    expect(await view.page.evaluate(() => document.activeElement?.className)).toBe("approval-subject");
    for (const key of ["1", "2", "Enter", " "]) {
      await view.page.keyboard.press(key);
    }
    expect(await decisions(view)).toEqual([]);
  });

  it("not before all of it was in sight, from its beginning to its end", async () => {
    const view = await openView();
    await view.post(askFor("a", { text: long }));
    const once = button(view, "a", "once");
    await once.evaluate((element) => element.scrollIntoView()); // the middle is skipped
    await view.page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    expect(await isLocked(view, "a", "once")).toBe("true");
    expect(await view.card("a").textContent()).toContain("Scroll through all of it");
    // What a screen reader, or a program, does in place of a click.
    await once.evaluate((element) => (element as HTMLElement).click());
    await once.focus();
    await view.page.keyboard.press("Enter");
    expect(await decisions(view)).toEqual([]);
    await view.page.evaluate(() => scrollTo(0, 0));
    await view.page.mouse.move(100, 300);
    await expect
      .poll(async () => {
        await view.page.mouse.wheel(0, 200);
        return isLocked(view, "a", "once");
      })
      .toBeNull();
    await once.click({ force: true }); // the buttons have just come to life
    expect(await decisions(view)).toEqual([]);
    await view.page.evaluate(() => window.clock.advance(1000));
    await once.click();
    expect(await decisions(view)).toHaveLength(1);
  });

  it("what was not seen can be denied", async () => {
    const view = await openView();
    await view.post(askFor("a", { text: long }));
    await button(view, "a", "deny").click();
    expect(await decisions(view)).toHaveLength(1);
  });

  it("no key that is held down, nor the key that brought the focus", async () => {
    const view = await openView();
    await view.post(askFor("a"));
    await unlocked(view);
    await button(view, "a", "once").evaluate((element) => {
      (element as HTMLElement).focus();
      for (const repeat of [true, true]) {
        const event = new KeyboardEvent("keydown", {
          key: "Enter",
          code: "Enter",
          bubbles: true,
          cancelable: true,
          repeat,
        });
        if (element.dispatchEvent(event)) {
          (element as HTMLElement).click();
        }
      }
    });
    expect(await decisions(view)).toEqual([]);
  });

  it("a double click decides one request", async () => {
    const view = await openView();
    await view.post(askFor("a"), askFor("b", { text: "npm run build" }, { order: 2 }));
    await unlocked(view);
    await button(view, "a", "once").dblclick();
    expect(await decisions(view)).toHaveLength(1);
  });

  it("no click on a card that has just come", async () => {
    const view = await openView();
    await view.postNow(askFor("a"));
    await button(view, "a", "deny").click({ force: true });
    expect(await decisions(view)).toEqual([]);
  });

  it("two that look alike are marked as two", async () => {
    const view = await openView();
    await view.post(
      askFor("a", { text: "rm -rf build" }),
      askFor("b", { text: "rm -rf  b\u200build" }, { order: 2 }),
      askFor("c", { text: "rm -rf dist" }, { order: 3 }),
      ask("d", "pending", { order: 4 }),
    );
    const note = (id: string) => view.card(id).locator(".approval-alike");
    expect(await note("a").textContent()).toContain("number 1");
    expect(await note("b").textContent()).toContain("number 2");
    expect(await note("c").count()).toBe(0);
  });
});

describe("a plan", () => {
  const plan = {
    kind: "plan",
    text: "# Plan\n\nLook.\n\nChange it.",
  } as const;
  const rendered = {
    subject: [
      { kind: "heading", text: "Plan" },
      { kind: "paragraph", text: "Look." },
      { kind: "paragraph", text: "Change it." },
    ],
  } as const;

  it("is denied with a comment below each paragraph, which is kept as a draft", async () => {
    const view = await openView();
    await view.post(
      askFor("a", { ...plan, cwd: undefined }, { rendered: { subject: [...rendered.subject] } }),
    );
    await view.card("a").locator(".approval-comment").nth(2).click();
    await view.card("a").locator('[data-comment="2"]').fill("Change nothing");
    await view.card("a").locator(".approval-words").fill("Not yet.");
    await button(view, "a", "deny").click();
    const [sent] = await decisions(view);
    expect(sent?.decision).toEqual({ option: "deny", text: "> Change it.\n\nChange nothing\n\nNot yet." });
    const drafts = await view.sentOf("draft");
    expect(drafts.at(-1)?.draft?.picks).toEqual([{}, {}, { notes: "Change nothing" }]);
  });

  it("is approved with notes", async () => {
    const view = await openView();
    await view.post(
      askFor("a", { ...plan, cwd: undefined }, { rendered: { subject: [...rendered.subject] } }),
    );
    await view.card("a").locator(".approval-words").fill("Start with the tests.");
    await unlocked(view);
    await button(view, "a", "once").click();
    const [sent] = await decisions(view);
    expect(sent?.decision).toMatchObject({ option: "once", text: "Start with the tests." });
  });
});

it("a decided request says what was decided, what was changed and from where", async () => {
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
