// Every state of the history's interface, by name, for the accessibility tests and the pictures.

import { editedImages, entry, kinds, numbered } from "./history-entries";
import { type HistoryOptions, type HistoryView, openHistory } from "./history-harness";

interface HistoryState {
  options?: HistoryOptions;
  reach?(history: HistoryView): Promise<unknown>;
}

const arabic = entry("arabic", {
  payload: {
    question: "أي قاعدة بيانات يجب أن يستخدمها هذا التطبيق لتخزين بيانات المستخدم؟",
    suggest: [{ answer: "قاعدة PostgreSQL للبيانات العلائقية" }, { answer: "قاعدة SQLite", mode: "code" }],
  },
});

const long = entry("long", {
  agent: "An agent with quite a long name of its own",
  workspace: `file:///home/me/${"a-long-folder-name-".repeat(8)}`,
  payload: {
    question: `The migration touches several tables.\n\n${"Each of them holds rows that an older release wrote without a time zone. ".repeat(40)}`,
    suggest: [{ answer: "W".repeat(400) }, { answer: "and log it ".repeat(200) }],
  },
});

const open = (id: string) => async (history: HistoryView) => {
  await history.row(id).locator(".entry-question").click();
  await history.row(id).locator(".facts").waitFor();
};

/** How to reach each state. */
export const historyStates: Record<string, HistoryState> = {
  list: { options: { entries: kinds } },
  empty: {},
  off: { options: { keep: false } },
  "off-with-entries": { options: { keep: false, entries: kinds.slice(0, 3) } },
  "nothing-matches": {
    options: { entries: kinds },
    reach: async (history) => {
      await history.search.fill("xylophone");
      await history.page.locator(".empty").waitFor();
    },
  },
  "not-saved": {
    options: {
      entries: kinds.slice(0, 2),
      saving: { saved: false, problem: "The disk is full. Questions still work; nothing of them is saved." },
    },
  },
  search: {
    options: { entries: kinds },
    reach: async (history) => {
      await history.search.fill("css use");
      await history.page.waitForFunction(() => (CSS.highlights.get("followup-match")?.size ?? 0) > 0);
    },
  },
  "menu-agent": {
    options: { entries: kinds },
    reach: async (history) => {
      await history.page.locator("#filter-agents-button").click();
      await history.page.locator("#filter-agents label").first().click();
      await history.page.locator(".clear-filters").waitFor();
    },
  },
  time: {
    options: { entries: kinds },
    reach: async (history) => {
      await history.page.locator(".filter select").selectOption("range");
      await history.page.getByLabel("From", { exact: true }).fill("2026-03-01");
      await history.page.locator(".clear-filters").first().waitFor();
    },
  },
  "open-clicked": { options: { entries: kinds }, reach: open("clicked") },
  "open-survey": { options: { entries: kinds }, reach: open("survey") },
  "open-replied": { options: { entries: kinds }, reach: open("replied") },
  "open-invalid": { options: { entries: kinds }, reach: open("invalid") },
  "open-images": {
    options: { entries: kinds },
    reach: async (history) => {
      await open("edited")(history);
      await history
        .row("edited")
        .locator("img")
        .nth(editedImages.length - 1)
        .waitFor();
    },
  },
  selected: {
    options: { entries: numbered(12), pageSize: 10 },
    reach: async (history) => {
      await history.row("e2").locator("input").check();
      await history
        .row("e4")
        .locator("input")
        .click({ modifiers: ["Shift"] });
    },
  },
  "selected-all": {
    options: { entries: numbered(12), pageSize: 10 },
    reach: async (history) => {
      await history.row("e1").locator("input").check();
      await history.row("e1").press("Control+a");
    },
  },
  deleted: {
    options: { entries: kinds },
    reach: async (history) => {
      await history.row("clicked").focus();
      await history.row("clicked").press("Delete");
      await history.page.locator(".undo-bar").waitFor();
    },
  },
  failed: {
    options: { entries: kinds },
    reach: async (history) => {
      history.intercept = async (message) => {
        if (message.type === "list") {
          await history.post({
            type: "failed",
            request: message.request,
            message: "The sidecar does not run.",
          });
        }
        return message.type === "list";
      };
      await history.search.fill("css");
      await history.page.locator('.bar[data-kind="error"]').waitFor();
    },
  },
  long: { options: { entries: [long, arabic] }, reach: open("long") },
  "right-to-left": { options: { entries: [arabic, long] }, reach: open("arabic") },
};

/** Opens the history in a state. */
export async function openState(name: string, options: HistoryOptions): Promise<HistoryView> {
  const state = historyStates[name];
  const history = await openHistory({ ...state?.options, ...options });
  await state?.reach?.(history);
  return history;
}
