// The history shows its content and never runs it, is never wider than the view, and works with a screen
// reader; axe finds no violation in any state.

import { describe, expect, it } from "vitest";
import type { HistoryEntry, Questionnaire } from "../../src/protocol.gen";
import { expectAccessible } from "./axe";
import { until, useBrowser } from "./harness";
import { entry, kinds } from "./history-entries";
import { type HistoryView, openHistory } from "./history-harness";
import { historyStates, openState } from "./history-states";
import { code, hostileMarkdown, link, node } from "./nodes";
import vectors from "./vectors.json";

useBrowser();

describe("axe finds no violation in any theme", () => {
  it.each(Object.keys(historyStates))("in the state %s", async (name) => {
    const { page } = await openState(name, {});
    await expectAccessible(page);
  });
});

/** Entries with a text in every field from an agent, a log or the user; `rendered` has it as if the sidecar did not check it. */
function hostile(text: string, id: string): HistoryEntry[] {
  const option = { label: text, description: text, preview: text };
  const payload: Questionnaire = {
    questions: [
      {
        question: text,
        header: text,
        multiSelect: true,
        options: [option, { ...option, label: `2${text}` }],
      },
    ],
  };
  const error = { code: text, message: text };
  const common = { agent: text, source: text, workspace: `file:///${text}`, tool: text };
  const rendered = hostileMarkdown(text, payload.questions);
  return [
    entry(`${id} ${text}`, {
      ...common,
      error,
      payload: { question: text, suggest: [{ answer: text, mode: text }] },
      outcome: { outcome: "answered", provenance: "typed", text, mode: text, images: 1, at: 3 },
    }),
    entry(`${id}b`, {
      ...common,
      rendered,
      payload,
      outcome: { outcome: "answered", picks: [{ options: [0], other: text, notes: text }], at: 2 },
    }),
    entry(`${id}c`, {
      ...common,
      rendered,
      guidance: { consecutiveMistakes: 3, error },
      outcome: { outcome: "replied", text, at: 1 },
    }),
  ];
}

/** Opens all rows; returns the resources and dialogs since then. */
async function openAll(history: HistoryView): Promise<string[]> {
  const happened: string[] = [];
  history.page.on("request", (request) => happened.push(`request ${request.url()}`));
  history.page.on("dialog", (dialog) => {
    happened.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  history.page.on("framenavigated", (frame) => happened.push(`navigation ${frame.url()}`));
  await history.page.evaluate(() => {
    for (const row of document.querySelectorAll<HTMLElement>(".summary")) {
      row.click();
    }
    // Every preview is also shown.
    requestAnimationFrame(() => {
      for (const preview of document.querySelectorAll("details")) {
        preview.open = true;
      }
    });
  });
  const count = await history.rows.count();
  await until(async () => ((await history.page.locator(".facts").count()) === count ? true : undefined));
  return happened;
}

/** Everything in the page that could run, load, or navigate. */
function dangers(history: HistoryView): Promise<string[]> {
  return history.page.evaluate(() =>
    [
      ...document.querySelectorAll("followup-history *:not(svg.codicon, svg.codicon *, search > form)"),
    ].flatMap((element) => {
      const attributes = element
        .getAttributeNames()
        .filter((name) => /^(on|src|href|style|form|action)/.test(name));
      const harmless =
        /^(DIV|P|SPAN|A|BUTTON|INPUT|LABEL|SEARCH|MAIN|SECTION|SELECT|OPTION|DETAILS|SUMMARY|H1|H2|H3|H4|OL|UL|LI|DL|DT|DD|TIME|CODE|PRE|EM|STRONG|DEL|BR|HR|BLOCKQUOTE|TABLE|THEAD|TBODY|TR|TH|TD|BDI|FOLLOWUP-[A-Z-]+)$/;
      return harmless.test(element.tagName) && attributes.length === 0
        ? []
        : [`${element.tagName} ${attributes}`];
    }),
  );
}

describe("hostile content", () => {
  // The cost of opening all rows is quadratic in their number.
  const count = 16;
  it.each(vectors.flatMap((_, at) => (at % count === 0 ? at : [])))(
    "neither runs, loads nor navigates in the history, from number %i on",
    async (from) => {
      const some = vectors.slice(from, from + count);
      const entries = some.flatMap((text, index) => hostile(text, `v${index}`));
      const history = await openHistory(
        { entries, pageSize: entries.length },
        (message) => message.type === "get",
      );
      await until(async () => ((await history.rows.count()) === entries.length ? true : undefined));
      const happened = await openAll(history);
      await history.page.evaluate(() => {
        for (const link of document.querySelectorAll<HTMLElement>(".md-link")) {
          link.click();
        }
      });
      // After two frames and a message, a script would have run.
      await history.refuse(some.join());
      expect(happened).toEqual([]);
      expect(await dangers(history)).toEqual([]);
      expect(await history.page.title()).toBe("Followup");
      for (const { href } of history.all("openLink")) {
        expect(new URL(href).protocol).toMatch(/^(https?|mailto):$/);
      }
    },
  );

  it("is shown as text", async () => {
    const text = `<img src=x onerror="document.title='run'"></followup-entry>&lt;b&gt; \${1}\u202e`;
    const history = await openHistory({
      entries: hostile(text, "a"),
      saving: { saved: false, problem: text },
    });
    await openAll(history);
    const first = history.rows.first();
    for (const part of [".words", ".agent", ".mode", ".fault code", ".facts"]) {
      expect((await first.locator(part).allTextContents()).join("\n"), part).toContain(text);
    }
    expect(await history.page.getByRole("alert").textContent()).toContain(text);
    await history.page.locator("#filter-agents-button").click();
    await history.page.locator("#filter-agents label").first().click();
    expect(await history.page.locator("#filter-agents-button").textContent()).toContain(text);
  });

  it("is not an image, whatever type it claims", async () => {
    const history = await openHistory({ entries: kinds }, async (message) => {
      if (message.type === "get") {
        const images = [
          { mimeType: "image/svg+xml", data: btoa("<svg onload='alert(1)'/>") },
          { mimeType: "text/html,<script>alert(1)</script>", data: "" },
        ];
        await history.post({ type: "entry", id: message.id, entry: { ...entry(message.id), images } });
      }
      return message.type === "get";
    });
    await history.row("edited").locator(".entry-question").click();
    await history.row("edited").locator(".history-image").nth(1).waitFor();
    expect(await history.page.locator("img").count()).toBe(0);
  });
});

describe("an agent's Markdown", () => {
  const rendered = {
    question: [
      node("paragraph", "See ", link("https://example.com/x", "the ", node("emphasis", "page"))),
      code("npm ci"),
    ],
  };

  it("is shown as parsed by the sidecar; a link asks the host, and matches are marked in it", async () => {
    const history = await openHistory({ entries: [entry("a", { rendered })] });
    await history.search.fill("page");
    await history.sent("list", 2);
    history.entries = [entry("a", { rendered, payload: { question: "See the page", suggest: [] } })];
    await history.post({ type: "changed" });
    await history.shows(["a"]);
    await history.row("a").locator(".entry-question").click();
    const link = history.row("a").getByRole("link", { name: "the page" });
    await link.click();
    expect(await history.sent("openLink")).toEqual({ type: "openLink", href: "https://example.com/x" });
    expect(await history.row("a").locator("pre code").textContent()).toBe("npm ci");
    await until(async () => ((await history.marked()).join() === "page" ? true : undefined));
  });
});

describe.each([250, 320, 900])("at %i px", (width) => {
  it.each(["long", "open-survey", "open-images", "search", "selected-all", "menu-agent", "time", "failed"])(
    "nothing is wider than the view in the state %s",
    async (name) => {
      const { page } = await openState(name, { width });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      const right = await page
        .locator("followup-history :is(button, input, .words, .badge, .menu-panel:popover-open)")
        .evaluateAll((all) => Math.max(...all.map((each) => each.getBoundingClientRect().right)));
      expect(right).toBeLessThanOrEqual(width);
    },
  );
});

describe("a screen reader", () => {
  it("finds the rows as a grid, each with its agent, time, question and answer", async () => {
    const history = await openHistory({ entries: kinds.slice(0, 2) });
    await history.row("survey").locator(".entry-question").click();
    await history.row("survey").locator(".facts").waitFor();
    const grid = history.page.getByRole("treegrid", { name: "Questions and answers, newest first" });
    expect(await grid.getByRole("row").count()).toBe(2);
    const row = grid.getByRole("row", {
      name: /^Roo Code, .+: Which styling approach would you prefer for this web application\? Use Tailwind CSS/,
    });
    expect(await row.getAttribute("aria-expanded")).toBe("false");
    expect(await row.getByRole("checkbox", { name: "Select" }).count()).toBe(1);
    expect(
      (await grid.getByRole("row", { expanded: true }).getByRole("listitem").allInnerTexts()).join("\n"),
    ).toMatch(/Chosen:\s+SQLite[\s\S]+Note:\s+Move to PostgreSQL/);
  });

  it("gets the page's language", async () => {
    const strings = { "search.placeholder": "Rechercher" };
    const { page } = await openHistory({ locale: "fr", strings });
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("fr");
    expect(await page.getByRole("searchbox").getAttribute("placeholder")).toBe("Rechercher");
  });
});

it("a row with a megabyte of text shows only its beginning until it is opened", async () => {
  const text = "A line of the question, with an emoji 🙂 in it.\n".repeat(22_000);
  const history = await openHistory({
    entries: [entry("a", { payload: { question: text, suggest: [] } })],
  });
  expect((await history.row("a").textContent())?.length).toBeLessThan(1_000);
  await history.row("a").locator(".entry-question").click();
  await history.row("a").locator(".facts").waitFor();
  expect((await history.row("a").locator(".words").first().textContent()) === text).toBe(true);
});
