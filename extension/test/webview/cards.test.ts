// A question's life on the page, in Chromium: it streams in, is answered, and shows its outcome.

import { describe, expect, it } from "vitest";
import type { HubState } from "../../src/protocol.gen";
import { openView, useBrowser } from "./harness";
import { ask, guidance, styling } from "./questions";

useBrowser();

const answered = { outcome: "answered", provenance: "clicked", suggestion: 1, at: 1 } as const;

describe("a streaming question", () => {
  it("shows its text as it grows and each suggestion when complete, disabled", async () => {
    const view = await openView();
    await view.post(ask("a", "streaming", { payload: { question: "Which sty", suggest: [] } }));
    expect(await view.state("a")).toBe("streaming");
    expect(await view.card("a").locator(".question").textContent()).toBe("Which sty");
    expect(await view.card("a").getByRole("textbox").count()).toBe(0);

    await view.post({ type: "append", id: "a", text: "ling?" });
    await view.post({ type: "append", id: "a", suggest: [{ answer: "Tailwind" }] });
    expect(await view.card("a").locator(".question").textContent()).toBe("Which styling?");
    expect(await view.suggestion("a", 0).isDisabled()).toBe(true);
    await view.suggestion("a", 0).click({ force: true });
    await view.page.keyboard.press("1");
    expect(await view.sentOf("answer")).toEqual([]);

    await view.post(
      ask("a", "pending", { payload: { question: "Which styling?", suggest: [{ answer: "Tailwind" }] } }),
    );
    await view.suggestion("a", 0).click();
    expect(await view.sentOf("answer")).toEqual([
      { type: "answer", id: "a", answer: { provenance: "clicked", suggestion: 0 } },
    ]);
  });

  it("keeps its elements when it completes", async () => {
    const view = await openView();
    await view.post(
      ask("a", "streaming", { payload: { question: styling.question.slice(0, 20), suggest: [] } }),
    );
    await view.card("a").evaluate((card) => card.querySelector(".question")?.setAttribute("data-seen", ""));
    await view.post(ask("a"));
    expect(await view.card("a").locator(".question[data-seen]").textContent()).toBe(styling.question);
    expect(await view.suggestion("a", 2).isEnabled()).toBe(true);
  });
});

describe("an answer", () => {
  it("names the clicked suggestion once, and waits for the host", async () => {
    const view = await openView();
    await view.post(ask("a"));
    await view.suggestion("a", 1).dblclick();
    expect(await view.sentOf("answer")).toEqual([
      { type: "answer", id: "a", answer: { provenance: "clicked", suggestion: 1 } },
    ]);
    expect(await view.state("a")).toBe("sending");
    expect(await view.card("a").locator(".suggestion[data-chosen]").textContent()).toContain("Tailwind");
    for (const index of [0, 1, 2]) {
      expect(await view.suggestion("a", index).getAttribute("aria-disabled")).toBe("true");
    }
    await view.suggestion("a", 0).click({ force: true });
    await view.card("a").locator(".dismiss").click({ force: true });
    expect(await view.sent()).toHaveLength(2);
  });

  it.each([
    ["a click", answered, "Use Tailwind CSS", "You chose suggestion 2"],
    [
      "an edited suggestion",
      {
        ...answered,
        provenance: "edited",
        suggestion: 2,
        text: "Use plain CSS",
        mode: "architect",
        images: 2,
      } as const,
      "Use plain CSS",
      "You edited suggestion 3, with 2 images Mode: architect",
    ],
    [
      "own words",
      { outcome: "answered", provenance: "typed", text: "Neither", images: 1, at: 1 } as const,
      "Neither",
      "You answered in your own words, with 1 image",
    ],
    [
      "the timer",
      { ...answered, provenance: "timer", suggestion: 0 } as const,
      "Use Bootstrap",
      "The timer chose suggestion 1",
    ],
    [
      "a reply",
      { outcome: "replied", text: "Tell me more", at: 1 } as const,
      "Tell me more",
      "You wrote to the agent",
    ],
    [
      "a dismissal",
      { outcome: "dismissed", at: 1 } as const,
      "",
      "The agent was told that you chose not to answer",
    ],
    ["a withdrawal", { outcome: "withdrawn", at: 1 } as const, "", "The agent withdrew this question"],
    [
      "the end of its time",
      { outcome: "expired", at: 1 } as const,
      "",
      "The time that the agent gave you has run out",
    ],
    ["an agent that is gone", { outcome: "disconnected", at: 1 } as const, "", "The agent disconnected"],
    [
      "an agent whose own dialog may be open",
      { outcome: "disconnected", at: 1 } as const,
      "",
      "Its own dialog may still be open",
      { beside: true },
    ],
    [
      "the agent's own dialog",
      { outcome: "withdrawn", elsewhere: true, at: 1 } as const,
      "",
      "in the agent's own dialog",
    ],
    [
      "words in the agent's own dialog",
      { outcome: "withdrawn", elsewhere: true, text: "Said there", at: 1 } as const,
      "Said there",
      "in the agent's own dialog",
    ],
    [
      "a question that nobody saw",
      { outcome: "notShown", at: 1 } as const,
      "",
      "The agent was told that nobody saw it",
    ],
    ["a fault", { outcome: "invalid", at: 1 } as const, "", "This question was invalid"],
  ])(
    "shows the outcome %s on the card, which keeps only the clear button and unsent text",
    async (_, outcome, text, line, more?: { beside: boolean }) => {
      const view = await openView();
      await view.post(ask("a"));
      await view.post(ask("a", "closed", { outcome, ...more }));
      await view.unfold("a");
      const card = view.card("a");
      expect(await view.state("a")).toBe("closed");
      expect(await card.locator(".question").textContent()).toBe(styling.question);
      const shown = card.locator(".offers .words");
      expect((await shown.count()) > 0 ? await shown.textContent() : "").toContain(text);
      expect((await card.locator(".outcome-line").textContent())?.replace(/\s+/g, " ")).toContain(line);
      expect(
        await card.getByRole("button").evaluateAll((all) => all.map(({ className }) => className)),
      ).toEqual([
        "icon-button fold",
        "icon-button clear",
        ...(line.includes("your own words") ? ["link-button save-phrase"] : []),
      ]);
      expect(await card.getByRole("textbox").count()).toBe(0);
    },
  );
});

describe("a refusal", () => {
  it("reopens the card with the reason, and the answer can be sent again", async () => {
    const view = await openView();
    await view.post(ask("a"));
    await view.box("a").fill("my words");
    await view.box("a").press("Enter");
    expect(await view.state("a")).toBe("sending");
    expect(await view.box("a").getAttribute("readonly")).not.toBeNull();
    await view.post({ type: "refused", id: "a", message: "The answer could not be saved." });
    expect(await view.state("a")).toBe("pending");
    expect(await view.card("a").getByRole("alert").textContent()).toContain("The answer could not be saved.");
    expect(await view.box("a").inputValue()).toBe("my words");
    expect(await view.focus()).toBe("textarea");
    await view.box("a").press("Enter");
    expect(await view.sentOf("answer")).toHaveLength(2);
    expect(await view.card("a").getByRole("alert").count()).toBe(0);
  });
});

describe("a dismissal", () => {
  it("is sent by its button, whose title says what the agent gets", async () => {
    const view = await openView();
    await view.post(ask("a"));
    const button = view.card("a").getByRole("button", { name: "Dismiss" });
    expect(await button.getAttribute("title")).toContain("The agent is told that you chose not to answer");
    await button.click();
    expect(await view.sentOf("dismiss")).toEqual([{ type: "dismiss", id: "a" }]);
    expect(await view.state("a")).toBe("sending");
    await button.click({ force: true });
    expect(await view.sentOf("dismiss")).toHaveLength(1);
  });
});

describe("several questions", () => {
  it("are shown together with their agents' names, and queued ones below", async () => {
    const view = await openView();
    await view.post(
      ask("a", "pending", { order: 1 }),
      ask("b", "pending", { order: 2, agent: "Kilo Code" }),
      ask("c", "queued", { order: 3 }),
    );
    const cards = view.page.locator("followup-card");
    expect(await cards.evaluateAll((all) => all.map((card) => (card as HTMLElement).dataset.id))).toEqual([
      "a",
      "b",
      "c",
    ]);
    expect(await cards.locator(".agent").allTextContents()).toEqual(["Roo Code", "Kilo Code", "Roo Code"]);
    expect(await view.card("c").textContent()).toContain("Queued");
    expect(await view.card("c").getByRole("button").count()).toBe(0);
    await view.suggestion("b", 0).click();
    expect((await view.waitFor("answer")).id).toBe("b");
    expect(await view.state("a")).toBe("pending");
  });
});

describe("trouble", () => {
  it("offers a restart only while the keeper hangs", async () => {
    const view = await openView();
    const restart = view.page.getByRole("button", { name: "Restart" });
    await view.post({ type: "storage", problem: "The disk is full." });
    await view.page.getByText("The disk is full.").waitFor();
    expect(await restart.count()).toBe(0);
    await view.post({ type: "storage", problem: "It does not answer.", hung: true });
    await restart.click();
    await view.post({ type: "storage", problem: null });
    await restart.waitFor({ state: "detached" });
  });

  it("is reported with remedies, also on the card, whose buttons look and act disabled; nothing is lost", async () => {
    const view = await openView();
    await view.post(ask("a"));
    await view.box("a").fill("my words");
    await view.post({ type: "trouble", message: "The Followup process ended.", restarting: false });
    expect(await view.page.getByRole("alert").textContent()).toContain("The Followup process ended.");
    expect(await view.card("a").locator(".away").textContent()).toContain("There is no connection");
    for (const button of [view.suggestion("a", 1), view.card("a").locator(".dismiss")]) {
      expect(await button.getAttribute("aria-disabled")).toBe("true");
    }
    const row = view.card("a").locator(".suggestion").first();
    expect(await row.evaluate((element) => getComputedStyle(element).borderTopStyle)).toBe("dashed");
    await view.suggestion("a", 1).click({ force: true });
    await view.box("a").press("Enter");
    expect(await view.sentOf("answer")).toEqual([]);
    await view.box("a").pressSequentially("!");

    await view.page.getByRole("button", { name: "Open Log" }).click();
    await view.page.getByRole("button", { name: "Restart" }).click();
    expect(
      (await view.sent()).map(({ type }) => type).filter((type) => type === "openLog" || type === "restart"),
    ).toEqual(["openLog", "restart"]);
    await view.post({ type: "trouble", message: "The Followup process ended.", restarting: true });
    await view.page.getByRole("button", { name: "Restarting…" }).click({ force: true });
    expect(await view.sentOf("restart")).toHaveLength(1);

    await view.post({ type: "trouble", message: null, restarting: false });
    expect(await view.page.locator(".bar, .away").count()).toBe(0);
    await view.box("a").press("Enter");
    expect((await view.sentOf("answer")).at(-1)?.answer).toEqual({ provenance: "typed", text: "my words!" });
  });

  it("keeps a sent answer, and explains after a while why it takes long", async () => {
    const view = await openView();
    await view.post(ask("a"));
    await view.suggestion("a", 0).click();
    await view.card("a").locator(".away", { hasText: "has not confirmed your answer yet" }).waitFor();
    await view.post({ type: "trouble", message: "The Followup process ended.", restarting: false });
    expect(await view.state("a")).toBe("sending");
    expect(await view.card("a").locator(".away").textContent()).toContain(
      "is sent when the connection is back",
    );
  });
});

it("shows when its question expires, until it closes", async () => {
  const view = await openView();
  const expires = new Date().setUTCHours(23, 59, 0, 0); // the page is in UTC
  await view.post(ask("a", "pending", { expires }), ask("b"));
  expect(await view.card("a").locator(".meta").innerText()).toMatch(/Expires 11:59\sPM/);
  expect(await view.card("b").locator(".meta").innerText()).not.toContain("Expires");
  await view.post(ask("a", "closed", { expires, outcome: { outcome: "expired", at: 0 } }));
  await expect.poll(() => view.card("a").locator("text=/Expires/").count()).toBe(0);
});

describe("a team's hub", () => {
  const hub = (state: HubState["state"], problem?: string) =>
    ({ type: "hub", hub: { state, name: "Team", account: "Ann", problem } }) as const;

  it("is shown with its state; without a link its questions accept text but no answers", async () => {
    const view = await openView();
    await view.post(ask("own"), ask("theirs", "pending", { order: 2, hub: "Team" }), hub("connected"));
    const bar = view.page.locator(".hub");
    expect(await bar.textContent()).toContain("Hub Team: connected as Ann");
    expect(await view.card("theirs").locator(".meta").innerText()).toMatch(/at Team/);

    await view.post(hub("connecting", "There is no connection to the hub Team."));
    expect(await bar.textContent()).toContain("There is no connection to the hub Team.");
    expect(await view.page.locator("followup-card .away").count()).toBe(1);
    await view.box("theirs").fill("my words");
    await view.box("theirs").press("Enter");
    await view.suggestion("theirs", 0).click({ force: true });
    expect(await view.sentOf("answer")).toHaveLength(0);
    await view.suggestion("own", 0).click();
    expect(await view.sentOf("answer")).toHaveLength(1);

    await view.post(hub("refused", "The hub Team does not accept the token."));
    expect(await view.page.getByRole("alert").textContent()).toContain("does not accept the token");
    await view.page.getByRole("button", { name: "Connect Again…" }).click();
    expect(await view.sentOf("connectHub")).toHaveLength(1);

    await view.post(hub("connected"));
    await view.box("theirs").press("Enter");
    expect((await view.sentOf("answer")).at(-1)).toMatchObject({
      id: "theirs",
      answer: { provenance: "typed", text: "my words" },
    });
    await view.post(hub("off"));
    expect(await bar.count()).toBe(0);
  });
});

it("a card's header says who asks, where, and when", async () => {
  const view = await openView({ width: 420 });
  await view.post(ask("a", "pending", { agent: "deploy.sh", elsewhere: "shop" }));
  const header = view.card("a").locator(".card-header");
  expect((await header.innerText()).replace(/\s+/g, " ")).toMatch(/^deploy\.sh in shop/);
  expect((await header.boundingBox())?.height).toBeLessThan(30);
});

describe("an empty view", () => {
  it("offers a sample question once the host has sent its state", async () => {
    const view = await openView({ silent: true });
    expect(await view.page.locator(".empty").count()).toBe(0);
    await view.post({ type: "init", strings: {}, locale: "en", drafts: {} });
    await view.page.getByRole("button", { name: "Ask a Sample Question" }).click();
    expect(await view.sentOf("askSample")).toHaveLength(1);
    await view.post(ask("a"));
    expect(await view.page.locator(".empty").count()).toBe(0);
  });

  it("is in the user's language", async () => {
    const view = await openView({
      locale: "fr",
      strings: { "empty.title": "Aucune question pour le moment" },
    });
    expect(await view.page.getByRole("heading", { level: 2 }).textContent()).toBe(
      "Aucune question pour le moment",
    );
    expect(await view.page.evaluate(() => document.documentElement.lang)).toBe("fr");
  });
});

describe("unsent text", () => {
  it("stays on the closed card and can be copied", async () => {
    const view = await openView();
    await view.post(ask("a"));
    await view.box("a").fill("my own\nwords");
    await view.suggestion("a", 1).click();
    await view.post(ask("a", "closed", { outcome: answered }));
    expect(await view.card("a").locator(".unsent-text").textContent()).toBe("my own\nwords");
    await view.card("a").getByRole("button", { name: "Copy" }).click();
    expect(await view.waitFor("copy")).toEqual({ type: "copy", text: "my own\nwords" });
  });
});

describe("a request for guidance", () => {
  it("says what was wrong, takes the user's message and shows how it ended", async () => {
    const view = await openView();
    await view.post(ask("g", "pending", guidance));
    expect(await view.card("g").getAttribute("aria-label")).toBe("Roo Code needs your guidance");
    expect(await view.card("g").textContent()).toContain("Missing required parameter 'question'");
    await view.box("g").fill("Ask me about the database first.");
    await view.box("g").press("Enter");
    expect(await view.sentOf("answer")).toEqual([
      { type: "answer", id: "g", answer: { provenance: "typed", text: "Ask me about the database first." } },
    ]);
    await view.post(ask("g", "closed", { ...guidance, outcome: { outcome: "dismissed", at: 1 } }));
    expect(await view.card("g").locator(".outcome-line").textContent()).toContain("You gave no guidance.");
  });
});

describe("an agent's own dialog beside the card", () => {
  it("is mentioned while the question is open", async () => {
    const view = await openView();
    const hint = "Claude Code may ask this in its own dialog, too. The first answer counts.";
    await view.post(ask("a", "pending", { agent: "Claude Code", beside: true }));
    expect(await view.card("a").textContent()).toContain(hint);
    await view.post(ask("b", "pending", { agent: "Claude Code" }));
    expect(await view.card("b").textContent()).not.toContain(hint);
  });
});

describe("an agent without a cancellation notice", () => {
  it("is named while the question is open", async () => {
    const view = await openView();
    const hint = "Gemini CLI does not notify Followup when it stops waiting, for example after Esc.";
    await view.post(ask("a", "pending", { agent: "Gemini CLI", noCancel: true }));
    expect(await view.card("a").textContent()).toContain(hint);
    await view.post(ask("a", "pending", { agent: "Gemini CLI", noCancel: true, orphaned: true }));
    expect(await view.card("a").textContent()).not.toContain(hint);
    await view.post(ask("b", "pending", { agent: "Codex" }));
    expect(await view.card("b").textContent()).not.toContain("when it stops waiting");
  });
});
