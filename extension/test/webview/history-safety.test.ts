// What stands in the history is shown and never run, is never wider than the view, and is told to a screen reader; axe finds
// nothing in any state.

import { AxeBuilder } from "@axe-core/playwright";
import { describe, expect, it } from "vitest";
import type { HistoryEntry, Questionnaire } from "../../src/protocol.gen";
import { useBrowser } from "./harness";
import { entry, kinds } from "./history-entries";
import { openHistory } from "./history-harness";
import { historyStates, openState } from "./history-states";
import { type ThemeName, themes } from "./themes";

useBrowser();

describe.each(Object.keys(themes) as ThemeName[])("in the theme %s, axe finds nothing", (theme) => {
  it.each(Object.keys(historyStates))("in the state %s", async (name) => {
    const { page } = await openState(name, { theme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(
      violations.map(({ id, nodes }) => [
        id,
        nodes.map(({ html, failureSummary }) => [html, failureSummary]),
      ]),
    ).toEqual([]);
  });
});

const nasty = [
  `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`,
  `</followup-entry><iframe srcdoc="<script>parent.document.title='run'</script>"></iframe>`,
  `javascript:document.title='run'//\u202e\u0000\${document.title='run'}`,
  `<svg onload="document.title='run'"><a href="javascript:document.title='run'">x</a></svg>`,
];

function hostile(text: string): HistoryEntry[] {
  const option = { label: text, description: text, preview: text };
  const questionnaire: Questionnaire = {
    questions: [
      {
        question: text,
        header: text,
        multiSelect: true,
        options: [option, { ...option, label: `2${text}` }],
      },
    ],
  };
  const rendered = {
    question: text,
    questions: [{ question: text, options: [{ description: text, preview: text }] }],
  };
  const common = { agent: text, source: text, workspace: `file:///${text}`, tool: text, rendered };
  return [
    entry(`a"]${text}`, {
      ...common,
      payload: { question: text, suggest: [{ answer: text, mode: text }] },
      error: { code: text, message: text },
      outcome: { outcome: "answered", provenance: "typed", text, mode: text, images: 1, at: 3 },
    }),
    entry("b", {
      ...common,
      payload: questionnaire,
      outcome: { outcome: "answered", picks: [{ options: [0], other: text, notes: text }], at: 2 },
    }),
    entry("c", {
      ...common,
      guidance: { consecutiveMistakes: 3, error: { code: text, message: text } },
      outcome: { outcome: "replied", text, at: 1 },
    }),
  ];
}

it.each(nasty)("shows %s as text everywhere, and loads nothing", async (text) => {
  const entries = hostile(text);
  const history = await openHistory({ entries, saving: { saved: false, problem: text }, width: 900 });
  const requests: string[] = [];
  history.page.on("request", (request) => requests.push(request.url()));
  history.intercept = async (message) => {
    if (message.type === "get") {
      const images = [
        { mimeType: text, data: text },
        { mimeType: "image/svg+xml", data: btoa("<svg/>") },
      ];
      await history.post({
        type: "entry",
        id: message.id,
        entry: { ...(entries[0] as HistoryEntry), images },
      });
    }
    return message.type === "get";
  };
  for (let row = 0; row < entries.length; row++) {
    await history.rows.nth(row).locator(".entry-question").click();
    await history.rows.nth(row).locator(".facts").waitFor();
  }
  await history.page.getByText("Preview", { exact: true }).first().click();
  await history.page.locator("#filter-agents-button").click();
  await history.page.locator("#filter-agents label").first().click();
  await history.page.keyboard.press("Escape");
  await history.post({ type: "notice", message: text });
  for (const part of [".words", ".agent", ".menu-label", ".badge", ".bar-text", ".label"]) {
    expect((await history.page.locator(part).allTextContents()).join("\n"), part).toContain(
      text.replace("\0", "\0"),
    );
  }
  expect(await history.page.title()).toBe("Followup");
  const built = "followup-history :is(img, script, iframe, svg, a, [onerror], [onload])";
  expect(await history.page.locator(built).count()).toBe(0);
  expect(requests).toEqual([]);
});

describe.each([250, 320, 900])("at %i px", (width) => {
  it.each(["long", "open-survey", "open-images", "search", "selected-all", "menu-time", "failed"])(
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
    expect(await grid.getByRole("row", { expanded: true }).getByRole("heading").allTextContents()).toContain(
      "Your note",
    );
  });

  it("is told the language of the page", async () => {
    const strings = { "search.placeholder": "Rechercher" };
    const { page } = await openHistory({ locale: "fr", strings });
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("fr");
    expect(await page.getByRole("searchbox").getAttribute("placeholder")).toBe("Rechercher");
  });
});

it("stays small with a megabyte in a row: the row holds its beginning, and the opened one all of it", async () => {
  const text = "A line of the question, with an emoji 🙂 in it.\n".repeat(22_000);
  const history = await openHistory({
    entries: [entry("a", { payload: { question: text, suggest: [] } })],
  });
  expect((await history.row("a").textContent())?.length).toBeLessThan(1_000);
  await history.row("a").locator(".entry-question").click();
  await history.row("a").locator(".facts").waitFor();
  expect((await history.row("a").locator(".words").first().textContent()) === text).toBe(true);
});
