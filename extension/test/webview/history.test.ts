// The history's list in Chromium: pages, search, filters, details, deletion, and stable positions.

import { describe, expect, it } from "vitest";
import type { HistoryEntry, ItemOutcome, Subject } from "../../src/protocol.gen";
import { until, useBrowser } from "./harness";
import { entry, kinds, newestAt, numbered } from "./history-entries";
import { type HistoryView, openHistory } from "./history-harness";
import { node } from "./nodes";
import type { Heard } from "./script";

useBrowser();

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `e${from + index}`);

/** A question that has just been closed. */
const newer = (id: string, minutes = 1): HistoryEntry =>
  entry(id, { outcome: { outcome: "dismissed", at: newestAt + minutes * 60_000 } });

describe("pages", () => {
  it("load as the user scrolls, and none before", async () => {
    const history = await openHistory({ entries: numbered(130), height: 400 });
    expect(await history.ids()).toEqual(numbers(1, 50));
    expect(history.all("list")).toHaveLength(1);
    await history.page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await history.shows(numbers(1, 100));
    await history.page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await history.shows(numbers(1, 130));
    expect(await history.page.locator(".more").count()).toBe(0);
    expect(history.all("list").map(({ after }) => after === undefined)).toEqual([true, false, false]);
  });

  it("load until the view is full", async () => {
    const history = await openHistory({ entries: numbered(40), pageSize: 4, height: 700 });
    await until(async () => ((await history.ids()).length >= 20 ? true : undefined));
  });

  it("load by a button, too", async () => {
    const history = await openHistory({ entries: numbered(60), height: 300 });
    const more = history.page.getByRole("button", { name: "Show More" });
    await more.focus();
    await history.shows(numbers(1, 60));
  });

  it("stay, however many there are", async () => {
    const history = await openHistory({ entries: numbered(700), pageSize: 200 });
    for (const shown of [400, 600, 700]) {
      await history.page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      await until(async () => ((await history.rows.count()) === shown ? true : undefined));
    }
    expect(await history.ids()).toEqual(numbers(1, 700));
  });
});

describe("the search", () => {
  it("sends the next text once the last one is answered, and shows no stale results", async () => {
    const held: Extract<Heard, { type: "list" }>[] = [];
    const history = await openHistory({ entries: kinds });
    history.intercept = (message) => message.type === "list" && held.push(message) > 0;
    await history.search.pressSequentially("dism");
    await history.sent("list", 2);
    expect(held.map(({ text }) => text)).toEqual(["d"]);
    const before = await history.ids();
    await history.post({
      type: "page",
      request: held[0]?.request ?? 0,
      page: { entries: [entry("stale")], saved: true },
    });
    await history.sent("list", 3);
    expect(held.map(({ text }) => text)).toEqual(["d", "dism"]);
    expect(await history.ids()).toEqual(before);
    const request = held[1]?.request ?? 0;
    await history.post({ type: "page", request, page: { entries: [entry("fresh")], saved: true } });
    await history.shows(["fresh"]);
    // A repeated response changes nothing.
    await history.post({ type: "page", request, page: { entries: [entry("again")], saved: true } });
    expect(await history.ids()).toEqual(["fresh"]);
  });

  it("marks matches in rows and their details, and nothing else", async () => {
    const history = await openHistory({ entries: kinds });
    await history.search.fill("tailwind");
    await history.shows(["clicked", "edited", "typed", "dismissed", "withdrawn", "notShown"]);
    await until(async () => ((await history.marked()).length === 6 ? true : undefined));
    expect(new Set(await history.marked())).toEqual(new Set(["Tailwind"]));
    // If neither the question nor the answer matches, the row shows where the match is.
    expect(await history.row("dismissed").locator(".entry-found").textContent()).toContain("Tailwind CSS");
    await history.row("typed").locator(".entry-question").click();
    await history.row("typed").locator(".facts").waitFor();
    expect(await history.marked()).toHaveLength(6);
    await history.search.fill("");
    await history.shows(kinds.map(({ questionId }) => questionId));
    await until(async () => ((await history.marked()).length === 0 ? true : undefined));
  });

  it("does not mark the interface's own labels, even if they match", async () => {
    const question = "which mode is left or recommended?";
    const options = ["One (Recommended)", "Two"].map((label) => ({ label, description: "" }));
    const survey = { questions: [{ question, header: "", options, multiSelect: false }] };
    const modes = { question, suggest: [{ answer: "One", mode: "code" }] };
    const entries = [
      entry("survey", { payload: survey, outcome: { outcome: "answered", picks: [{}], at: newestAt } }),
      entry("modes", {
        payload: modes,
        outcome: { outcome: "answered", provenance: "clicked", suggestion: 0, at: newestAt - 1 },
      }),
    ];
    const history = await openHistory({ entries });
    await history.search.fill("mode left recommended");
    await history.shows(["survey", "modes"]);
    for (const [id, own] of [
      ["survey", ["Recommended", "Skipped"]],
      ["modes", ["Mode:"]],
    ] as const) {
      await history.row(id).locator(".entry-question").click();
      await history.row(id).locator(".facts").waitFor();
      const text = await history.row(id).locator(".detail").textContent();
      expect(own.filter((words) => !text?.includes(words))).toEqual([]);
      expect(new Set(await history.marked())).toEqual(new Set(["mode", "left", "recommended"]));
    }
  });

  it("shows the agent's context on demand, as text and as Markdown", async () => {
    const context = "I looked at <b>both</b>.";
    const rendered = { context: [node("paragraph", "I looked at ", node("strong", "both"), ".")] };
    const history = await openHistory({
      entries: [
        entry("plain", { context }),
        entry("marked", { context, rendered, outcome: { outcome: "dismissed", at: newestAt - 1 } }),
        entry("none", { outcome: { outcome: "dismissed", at: newestAt - 2 } }),
      ],
    });
    await history.shows(["plain", "marked", "none"]);
    for (const [id, shown] of [
      ["plain", context],
      ["marked", "I looked at both."],
    ] as const) {
      await history.row(id).locator(".summary").click();
      const words = history.row(id).locator(".context .words");
      expect(await words.isVisible()).toBe(false);
      await history.row(id).getByText("What Roo Code wrote before").click();
      expect(await words.innerText()).toBe(shown);
    }
    expect(await history.row("marked").locator(".context strong").innerText()).toBe("both");
    await history.row("none").locator(".summary").click();
    await history.row("none").locator(".facts").waitFor();
    expect(await history.row("none").locator(".context").count()).toBe(0);
  });

  it("ignores text that an input method is still composing", async () => {
    const history = await openHistory({ entries: kinds });
    const client = await history.page.context().newCDPSession(history.page);
    await history.search.focus();
    await client.send("Input.imeSetComposition", { text: "しゃ", selectionStart: 2, selectionEnd: 2 });
    await client.send("Input.insertText", { text: "数据" });
    await history.sent("list", 2);
    expect(history.all("list").map(({ text }) => text)).toEqual(["", "数据"]);
  });

  it("announces the number of results, or that nothing matches", async () => {
    const history = await openHistory({ entries: numbered(60) });
    await history.search.fill("entry");
    await until(async () => ((await history.heard()) === "More than 50 entries match" ? true : undefined));
    await history.search.fill("entry 42");
    await until(async () => ((await history.heard()) === "1 entry matches" ? true : undefined));
    await history.search.fill("xylophone");
    await until(async () => ((await history.heard()) === "Nothing matches" ? true : undefined));
    await history.page.getByRole("button", { name: "Clear Search" }).last().click();
    await history.shows(numbers(1, 50));
  });

  it("survives a reload", async () => {
    const history = await openHistory({ entries: kinds });
    await history.search.fill("tailwind");
    await history.sent("list", 2);
    await history.answering;
    history.intercept = ({ type }) => type === "ready";
    await history.page.reload();
    expect(await history.search.count()).toBe(0);
    await history.view.waitFor("ready");
    await history.post({ type: "init", strings: {}, locale: "en", keep: true });
    const sent = (await history.view.sent()) as unknown as Heard[];
    expect(sent.find(({ type }) => type === "list")).toMatchObject({ text: "tailwind" });
    expect(await history.search.inputValue()).toBe("tailwind");
  });
});

describe("the filters", () => {
  const choice = (history: HistoryView, name: string) =>
    history.page.locator(".menu-panel").getByRole("checkbox", { name });
  const menu = (history: HistoryView, name: string) =>
    history.page.locator(".filters").getByRole("button", { name: new RegExp(`^${name}`) });

  it("by agent, workspace and outcome take several values, and one button clears them", async () => {
    const history = await openHistory({ entries: kinds, width: 900 });
    await menu(history, "Agent").click();
    await choice(history, "Claude Code").check();
    await choice(history, "Kilo Code").check();
    await history.shows(["survey", "typed", "replied"]);
    await history.page.keyboard.press("Escape");
    expect(await menu(history, "Agent").textContent()).toContain("Agent: Claude Code +1");
    await menu(history, "Workspace").click();
    await choice(history, "a second folder").check();
    await history.shows(["typed"]);
    expect(history.all("list").at(-1)?.filter).toEqual({
      agents: ["Claude Code", "Kilo Code"],
      workspaces: ["file:///home/me/a%20second%20folder"],
    });
    await history.page.keyboard.press("Escape");
    await menu(history, "Outcome").click();
    await choice(history, "Dismissed").check();
    await history.page.locator(".empty").waitFor();
    await history.page.keyboard.press("Escape");
    await history.page.locator(".filters").getByRole("button", { name: "Clear Filters" }).click();
    await history.shows(kinds.map(({ questionId }) => questionId));
    expect(await history.focus()).toBe("search");
  });

  it("by kind exist; an approval shows the request, decision, change, person and client", async () => {
    const options = [
      { id: "y", kind: "once" },
      { id: "n", kind: "deny" },
    ] as const;
    const approval = (id: string, subject: Subject, outcome: Partial<ItemOutcome>) =>
      entry(id, {
        kind: subject.kind === "plan" ? "plan" : "approval",
        payload: { title: "Bash", subject, options: [...options] },
        outcome: { outcome: "allowed", option: "y", at: newestAt, answeredBy: "Ann", ...outcome },
      });
    const ran = approval(
      "ran",
      { kind: "command", text: "npm test", cwd: "/work" },
      {
        changed: "npm test -- --run",
        client: "browser",
      },
    );
    const plan = approval(
      "plan",
      { kind: "plan", text: "Look first." },
      {
        outcome: "denied",
        option: "n",
        text: "Too slow",
      },
    );
    const history = await openHistory({ entries: [ran, plan, entry("asked")], width: 900 });
    await menu(history, "Kind").click();
    await choice(history, "Permission").check();
    await history.shows(["ran"]);
    await choice(history, "Plan").check();
    await history.shows(["ran", "plan"]);
    await history.page.keyboard.press("Escape");
    expect(history.all("list").at(-1)?.filter).toEqual({ kinds: ["approval", "plan"] });
    await history.row("ran").press("Enter");
    const text = await history.row("ran").textContent();
    for (const part of [
      "npm test",
      "/work",
      "Ann allowed this",
      "Allow Once",
      "npm test -- --run",
      "browser",
    ]) {
      expect(text).toContain(part);
    }
    await history.row("plan").press("Enter");
    const planned = await history.row("plan").textContent();
    for (const part of ["Look first.", "Ann denied this", "Keep Planning", "Too slow"]) {
      expect(planned).toContain(part);
    }
  });

  it("that match nothing offer a way back", async () => {
    const history = await openHistory({ entries: numbered(3) });
    await menu(history, "Outcome").click();
    await choice(history, "Replied").check();
    await history.page.keyboard.press("Escape");
    await history.page.getByRole("heading", { name: "Nothing matches" }).waitFor();
    await history.page.locator(".empty").getByRole("button", { name: "Clear Filters" }).click();
    await history.shows(numbers(1, 3));
  });

  it("by time take a range of days", async () => {
    const history = await openHistory({ entries: kinds, width: 900 });
    const time = history.page.getByRole("combobox", { name: "Time" });
    await time.selectOption("Today");
    const { filter } = await history.sent("list", 2);
    const midnight = await history.page.evaluate(() => new Date().setHours(0, 0, 0, 0));
    expect(filter).toEqual({ from: midnight });
    await time.selectOption("Custom range");
    await history.page.getByLabel("From", { exact: true }).fill("2026-03-01");
    await history.page.getByLabel("To", { exact: true }).fill("2026-03-31");
    await until(async () => (history.all("list").at(-1)?.filter.to === undefined ? undefined : true));
    expect(history.all("list").at(-1)?.filter).toEqual(
      await history.page.evaluate(() => ({
        from: new Date(2026, 2, 1).getTime(),
        to: new Date(2026, 3, 1).getTime(),
      })),
    );
    await history.page.getByRole("button", { name: "Clear Filters" }).first().click();
    expect(await time.inputValue()).toBe("any");
    expect(await history.page.getByLabel("From", { exact: true }).count()).toBe(0);
  });

  it.each([120, 200, 700])("open completely within a view %i px high", async (height) => {
    const history = await openHistory({ entries: kinds, height, width: 250 });
    await menu(history, "Outcome").click();
    const box = await history.page.locator("#filter-outcomes").boundingBox();
    expect(box).toMatchObject({ x: expect.any(Number) });
    const { x, y, width, height: tall } = box ?? { x: -1, y: -1, width: 0, height: 0 };
    expect([x >= 0, y >= 0, x + width <= 250, y + tall <= height]).toEqual([true, true, true, true]);
    expect(tall).toBeGreaterThan(100);
    await choice(history, "Invalid call").check();
    await history.shows(["invalid"]);
  });

  it("work by keyboard; Esc closes the menu and stays in the view", async () => {
    const history = await openHistory({ entries: kinds });
    await menu(history, "Agent").focus();
    await history.page.keyboard.press("Enter");
    await history.focusIs("checkbox");
    await history.page.keyboard.press("Tab");
    await history.page.keyboard.press(" ");
    await history.shows(["typed"]);
    await history.page.keyboard.press("Escape");
    await history.page.locator("#filter-agents").waitFor({ state: "hidden" });
    expect(history.all("escape")).toEqual([]);
    expect(await history.page.evaluate(() => document.activeElement?.id)).toBe("filter-agents-button");
  });
});

describe("an open entry", () => {
  const open = async (history: HistoryView, id: string) => {
    await history.row(id).locator(".entry-question").click();
    await history.row(id).locator(".facts").waitFor();
    return history.row(id);
  };

  it("shows all suggestions, the chosen one, and that the agent has not collected the answer", async () => {
    const history = await openHistory({ entries: kinds });
    const row = await open(history, "clicked");
    expect(await row.getByRole("listitem").count()).toBe(3);
    expect(await row.locator("[data-chosen]").allTextContents()).toEqual([
      expect.stringContaining("Use Tailwind CSS"),
    ]);
    expect(await row.textContent()).toContain("You chose suggestion 2");
    expect(await row.locator(".uncollected").textContent()).toContain("kept until an agent collects it");
    await row.locator(".entry-meta").click();
    expect(await row.locator(".facts").count()).toBe(0);
  });

  it("shows every question of a questionnaire with options, picks, text, notes and skipped ones", async () => {
    const history = await openHistory({ entries: kinds });
    const row = await open(history, "survey");
    const parts = row.locator(".review-item");
    expect(await parts.locator(".tag[title]").allTextContents()).toEqual(["Database", "Target"]);
    expect(await parts.locator("[data-chosen] span.words").allTextContents()).toEqual([
      "SQLite",
      "Types",
      "Unit tests",
    ]);
    expect(await row.locator(".said").allTextContents()).toEqual([
      expect.stringContaining("Move to PostgreSQL"),
      expect.stringContaining("A spell check"),
    ]);
    expect(await parts.nth(2).textContent()).toContain("Skipped");
    await row.getByText("Preview", { exact: true }).click();
    expect(await row.locator(".preview").innerText()).toBe("┌──────┐\n│ file │\n└──────┘");
  });

  it("opens an allowed edit in the host's diff view, once all of its text is here", async () => {
    const subject = { kind: "edit", path: "/home/ana/shop/a.ts", before: "a\n", after: "b\n" } as const;
    const edit = (id: string, { shortened, ...changed }: Partial<Subject> & { shortened?: true } = {}) =>
      entry(id, {
        payload: { title: "Edit", subject: { ...subject, ...changed }, options: [{ id: "y", kind: "once" }] },
        outcome: { outcome: "allowed", option: "y", at: newestAt },
        shortened,
      });
    const entries = [edit("cut", { after: "b…", shortened: true }), edit("whole")];
    const history = await openHistory({ entries, diffs: true });
    let send = () => {};
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    history.intercept = async ({ type }) => {
      type === "get" && (await sent);
      return false;
    };
    const button = (id: string) => history.row(id).getByRole("button", { name: "Open the Diff" });
    await history.row("cut").press("Enter");
    await history.row("whole").press("Enter");
    await history.row("whole").locator(".approval-subject").focus();
    await history.page.keyboard.press("Shift+Tab");
    await history.page.keyboard.press("Enter");
    const { type: _, ...opened } = await history.sent("openDiff");
    expect(opened).toEqual({ path: "/home/ana/shop/a.ts", before: "a\n", after: "b\n" });
    expect(await button("cut").getAttribute("aria-disabled")).toBe("true");
    history.entries = [edit("cut"), edit("whole")];
    send();
    await expect.poll(() => button("cut").getAttribute("aria-disabled")).toBeNull();
    await button("cut").click();
    expect(await history.sent("openDiff", 2)).toMatchObject(opened);
  });

  it("shows a reply, an invalid call, and a request for guidance", async () => {
    const history = await openHistory({ entries: kinds });
    expect(await (await open(history, "replied")).textContent()).toContain("Imported from");
    expect(await (await open(history, "invalid")).locator(".fault").textContent()).toContain(
      "missing_parameter",
    );
    const guidance = await open(history, "guidance");
    expect(await guidance.textContent()).toContain("3 invalid calls in a row");
    expect(await guidance.locator(".said").textContent()).toContain("Ask me in plain text.");
  });

  it("loads its images on opening, and enlarges them", async () => {
    const history = await openHistory({ entries: kinds });
    const row = await open(history, "edited");
    await row.locator("img").nth(1).waitFor();
    expect(history.all("get")).toEqual([{ type: "get", id: "edited" }]);
    const image = row.getByRole("img", { name: "Image 2" });
    const width = async () => (await image.boundingBox())?.width ?? 0;
    const small = await width();
    await row.getByTitle("Show image 2 larger").click();
    expect(await width()).not.toBe(small);
    await image.click();
    expect(await width()).toBe(small);
    await row.locator(".entry-meta").click();
    await open(history, "typed");
    expect(history.all("get")).toHaveLength(1);
  });

  it("explains missing images, and retries when opened again", async () => {
    const history = await openHistory({ entries: kinds });
    history.intercept = async (message) => {
      if (message.type === "get") {
        await history.post({ type: "entry", id: message.id, message: "gone" });
      }
      return message.type === "get";
    };
    const row = await open(history, "edited");
    await row.getByText("The images could not be loaded: gone").waitFor();
    await row.locator(".entry-meta").click();
    await row.locator(".entry-question").click();
    await history.sent("get", 2);
  });

  it("is copied, exported and deleted by its buttons", async () => {
    const history = await openHistory({ entries: kinds });
    const row = await open(history, "typed");
    await row.getByRole("button", { name: "Copy Answer" }).click();
    expect(await history.sent("copy")).toEqual({ type: "copy", text: "Neither:\nkeep what we have" });
    await until(async () => ((await history.heard()) === "Copied to the clipboard." ? true : undefined));
    await row.getByRole("button", { name: "Copy as Markdown" }).click();
    expect(await history.sent("copyEntries")).toEqual({ type: "copyEntries", ids: ["typed"] });
    await row.getByRole("button", { name: "Export…" }).click();
    expect(await history.sent("export")).toEqual({ type: "export", target: { questionIds: ["typed"] } });
    await row.getByRole("button", { name: "Delete" }).click();
    expect(await history.sent("delete")).toEqual({ type: "delete", target: { questionIds: ["typed"] } });
    await history.focusIs("replied");
  });

  it("cannot be deleted in a hub's history", async () => {
    const history = await openHistory({ entries: kinds, saving: { saved: true, shared: true } });
    const row = await open(history, "typed");
    await row.focus();
    await row.press("Delete");
    await row.press(" ");
    await history.page.locator(".export").first().waitFor();
    expect(await history.page.locator(".delete").count()).toBe(0);
    await row.locator(".export").click();
    await history.sent("export");
    expect(history.all("delete")).toEqual([]);
  });
});

describe("a deletion", () => {
  it("can be undone, and is announced", async () => {
    const history = await openHistory({ entries: numbered(5) });
    await history.row("e2").focus();
    await history.page.keyboard.press("Delete");
    await history.shows(["e1", "e3", "e4", "e5"]);
    expect(await history.heard()).toBe(
      "1 entry deleted. You can undo this for 10 seconds with the Undo button or Ctrl+Z.",
    );
    await history.focusIs("e3");
    await history.page.getByRole("button", { name: "Undo" }).click();
    await history.shows(numbers(1, 5));
    await history.focusIs("e2");
    await until(async () => ((await history.heard()) === "1 entry restored" ? true : undefined));
  });

  it("reports an undo that came too late", async () => {
    const history = await openHistory({ entries: numbered(2) });
    history.intercept = async (message) => {
      if (message.type === "restore") {
        await history.post({ type: "restored", undo: message.undo, count: 0, message: "It is too late." });
      }
      return message.type === "restore";
    };
    await history.row("e1").focus();
    await history.page.keyboard.press("Delete");
    await history.page.getByRole("button", { name: "Undo" }).click();
    await history.page.getByRole("alert").getByText("It is too late.").waitFor();
    expect(await history.page.locator(".undo-bar").count()).toBe(0);
  });

  it("loses its bar when the time is over", async () => {
    const history = await openHistory({ entries: numbered(2) });
    history.intercept = async ({ type }) => {
      if (type === "delete") {
        history.entries = history.entries.slice(1);
        await history.post({ type: "deleted", count: 1, undo: "u", undoFor: 3_000 });
      }
      return type === "delete";
    };
    await history.row("e1").press("Delete");
    await history.page.locator(".undo-bar").waitFor();
    await history.page.locator(".undo-bar").waitFor({ state: "detached" });
    await history.shows(["e2"]);
  });

  it("leaves as many entries loaded as before, and so does its undo", async () => {
    const history = await openHistory({ entries: numbered(700), pageSize: 200 });
    await history.page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await until(async () => ((await history.rows.count()) === 400 ? true : undefined));
    await history.row("e300").focus();
    await history.page.keyboard.press("Delete");
    await history.shows([...numbers(1, 299), ...numbers(301, 401)]);
    await history.focusIs("e301");
    await history.page.getByRole("button", { name: "Undo" }).click();
    await history.focusIs("e300");
    await history.shows(numbers(1, 400));
  });

  it("of the whole history, by the editor's command, is confirmed and can be undone", async () => {
    const history = await openHistory({ entries: numbered(3) });
    await history.search.fill("entry 2");
    await history.post({ type: "deleteAll" });
    expect((await history.sent("delete")).target).toEqual({ text: "", filter: {} });
    await history.page.getByRole("button", { name: "Undo" }).waitFor();
  });

  it("of all matches is confirmed as such, and the list reloads", async () => {
    const history = await openHistory({ entries: [...numbered(60), ...kinds.slice(5, 6)] });
    await history.search.fill("entry");
    await until(async () => ((await history.heard()) === "More than 50 entries match" ? true : undefined));
    await history.row("e1").focus();
    await history.page.keyboard.press("Control+a");
    await history.page.getByRole("button", { name: "Select All Matches" }).click();
    await history.page.getByText("All matches selected").waitFor();
    await history.page.getByRole("toolbar").getByRole("button", { name: "Delete" }).click();
    expect((await history.sent("delete")).target).toEqual({ text: "entry", filter: {} });
    await history.page.getByRole("heading", { name: "Nothing matches" }).waitFor();
    await history.page.getByRole("button", { name: "Undo" }).click();
    await history.shows(numbers(1, 50));
  });
});

it("narrowing the list clears the selection, so nothing unseen is acted on", async () => {
  const history = await openHistory({ entries: numbered(3) });
  await history.row("e1").press(" ");
  await history.page.getByRole("toolbar").waitFor();
  await history.search.fill("entry 2");
  await history.page.getByRole("toolbar").waitFor({ state: "detached" });
});

describe("a question that just closed", () => {
  it("comes first, and the scroll position and open entries stay", async () => {
    const history = await openHistory({ entries: numbered(100), height: 500 });
    await history.row("e30").scrollIntoViewIfNeeded();
    await history.row("e30").locator(".entry-question").click();
    await history.row("e30").locator(".facts").waitFor();
    const place = () => history.row("e30").evaluate((row) => Math.round(row.getBoundingClientRect().top));
    const before = await place();
    history.entries = [newer("new2", 2), newer("new1"), ...history.entries];
    await history.post({ type: "changed" });
    await until(async () => ((await history.ids())[0] === "new2" ? true : undefined));
    expect((await history.ids()).slice(0, 3)).toEqual(["new2", "new1", "e1"]);
    expect(await place()).toBe(before);
    expect(await history.row("e30").getAttribute("aria-expanded")).toBe("true");
    await history.focusIs("e30");
  });

  it("stays hidden if it does not match the search", async () => {
    const history = await openHistory({ entries: numbered(3) });
    await history.search.fill("entry 2");
    await history.shows(["e2"]);
    history.entries = [newer("new1"), ...history.entries];
    await history.post({ type: "changed" });
    await history.sent("list", 3);
    await history.post();
    expect(await history.ids()).toEqual(["e2"]);
  });
});

describe("a problem", () => {
  it("is shown in its own words, with a link to the log", async () => {
    const history = await openHistory({
      entries: numbered(2),
      saving: { saved: false, problem: "The disk is full." },
    });
    expect(await history.page.getByRole("alert").textContent()).toContain("The disk is full.");
    await history.page.getByRole("button", { name: "Open Log" }).click();
    await history.sent("openLog");
    expect(await history.ids()).toEqual(["e1", "e2"]);
  });

  it("with a page offers a retry, and keeps the list", async () => {
    const history = await openHistory({ entries: numbered(3) });
    let fails = true;
    history.intercept = async (message) => {
      if (message.type === "list" && fails) {
        await history.post({
          type: "failed",
          request: message.request,
          message: "The sidecar does not run.",
        });
        return true;
      }
      return false;
    };
    await history.search.fill("entry 2");
    await history.page.getByRole("alert").getByText("The sidecar does not run.").waitFor();
    expect(await history.ids()).toEqual(numbers(1, 3));
    fails = false;
    await history.page.getByRole("button", { name: "Try Again" }).click();
    await history.shows(["e2"]);
    expect(await history.page.getByRole("alert").count()).toBe(0);
  });

  it("with a user's action is shown until they close it", async () => {
    const history = await openHistory({ entries: numbered(1) });
    await history.refuse("Nothing could be deleted.");
    await history.page.getByRole("button", { name: "Close" }).click();
    expect(await history.page.getByRole("alert").count()).toBe(0);
  });

  it("or a disabled history is shown with a link to the settings", async () => {
    const history = await openHistory({ keep: false });
    await history.page.getByRole("heading", { name: "History is off" }).waitFor();
    await history.page.getByRole("button", { name: "Open Settings" }).click();
    await history.sent("openSettings");
    await history.post({ type: "keep", keep: true });
    await history.page.getByRole("heading", { name: "No history yet" }).waitFor();
    await history.page.getByRole("button", { name: "Import Questions from a Log…" }).click();
    await history.sent("import");
  });
});
