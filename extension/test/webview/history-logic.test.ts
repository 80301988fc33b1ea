// The history's pure parts: pages, filters, queries, matches, the state.

import { describe, expect, it } from "vitest";
import type { HistoryPage } from "../../src/protocol.gen";
import { emptyQuery, isFiltered, restoredQuery, toFilter } from "../../webview/history/filter";
import {
  arrive,
  extendTo,
  type HistoryState,
  noHistory,
  noSelection,
  toggle,
} from "../../webview/history/state";
import { answerLine, answerText, workspaceName, workspacePath } from "../../webview/history/words";
import { outcomeLine } from "../../webview/outcome";
import { english } from "../../webview/strings";
import { entry, kinds, newestAt, numbered } from "./history-entries";

const all = numbered(1000);
const page = (from: number, count = 50): HistoryPage => ({
  entries: all.slice(from, from + count),
  ...(from + count < all.length && { next: `after ${from + count}` }),
  saved: true,
});
const ids = (state: HistoryState) => state.read.map(({ questionId }) => questionId);
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `e${from + index}`);

type Change = (state: HistoryState) => HistoryState;
const arrived =
  (pageOf: HistoryPage, more = false): Change =>
  (state) =>
    arrive(state, more, state.query, pageOf);
const stateAfter = (...changes: Change[]) => changes.reduce((state, change) => change(state), noHistory);

describe("pages", () => {
  it("append, each entry once, however many there are", () => {
    const two = stateAfter(arrived(page(0)), arrived(page(45), true));
    expect(ids(two)).toEqual(numbers(1, 95));
    expect(two.next).toBe("after 95");
    const many = Array.from({ length: 14 }, (_, index) => arrived(page((index + 1) * 50), true));
    expect(ids(stateAfter(arrived(page(0)), ...many))).toEqual(numbers(1, 750));
  });

  it("are replaced on a reload: new entries first, deleted ones gone", () => {
    const fresh = { entries: [...all.slice(40, 60), ...all.slice(61, 80)], next: "x", saved: true };
    const before = [arrived(page(50)), arrived(page(100), true)];
    const after = stateAfter(...before, arrived(fresh));
    expect(ids(after)).toEqual([...numbers(41, 60), ...numbers(62, 80)]);
    expect(after.next).toBe("x");
  });
});

describe("filters", () => {
  const now = new Date(2026, 2, 14, 15, 10).getTime();
  const day = (date: number, month = 2) => new Date(2026, month, date).getTime();

  it("are empty if nothing is chosen", () => {
    expect(toFilter(emptyQuery, now)).toEqual({});
    expect(isFiltered({ ...emptyQuery, text: "x" })).toBe(false);
  });

  it.each([
    [{ time: "today" } as const, { from: day(14) }],
    [{ time: "days7" } as const, { from: day(8) }],
    [{ time: "days30" } as const, { from: day(13, 1) }],
    [{ time: "range", from: "2026-03-01", to: "2026-03-31" } as const, { from: day(1), to: day(1, 3) }],
    [{ time: "range", from: "", to: "2026-03-31" } as const, { to: day(1, 3) }],
    [{ time: "range", from: "", to: "" } as const, {}],
    [{ time: "today", from: "2026-03-01", to: "2026-03-31" } as const, { from: day(14) }],
  ])("count days in the user's time zone, the last one included: %j", (time, expected) => {
    expect(toFilter({ ...emptyQuery, ...time }, now)).toEqual(expected);
    expect(isFiltered({ ...emptyQuery, ...time })).toBe(Object.keys(expected).length > 0);
  });

  it("survive a reload", () => {
    const query = { ...emptyQuery, text: "x", agents: ["A"], outcomes: ["replied" as const], time: "days7" };
    expect(restoredQuery(JSON.parse(JSON.stringify(query)))).toEqual(query);
    expect(restoredQuery(undefined)).toEqual(emptyQuery);
  });
});

describe("a selection", () => {
  const onPage = ["a", "b", "c", "d"];

  it("adds and removes entries, and extends ranges from its anchor", () => {
    let selected = toggle(noSelection, "b", onPage);
    selected = extendTo(selected, "d", onPage);
    expect([...selected.ids]).toEqual(["b", "c", "d"]);
    selected = extendTo(selected, "a", onPage);
    expect([...selected.ids]).toEqual(["a", "b"]);
    selected = toggle(selected, "a", onPage);
    expect([...selected.ids]).toEqual(["b"]);
  });

  it("of everything becomes the page's entries when one is removed", () => {
    const everything = { ids: new Set(onPage), everything: true, anchor: "a" };
    const less = toggle(everything, "b", onPage);
    expect(less).toMatchObject({ ids: new Set(["a", "c", "d"]), everything: false });
  });

  it("drops deleted entries", () => {
    const selected = { ids: new Set(["e1", "e3"]), everything: false, anchor: null };
    const before = { ...stateAfter(arrived(page(0))), selection: selected };
    expect([...arrived(page(1))(before).selection.ids]).toEqual(["e3"]);
  });
});

describe("the state", () => {
  it("moves to the next entry after a deletion, or to the previous one at the end", () => {
    const four = { entries: all.slice(0, 4), saved: true };
    const without = (...gone: string[]) =>
      arrived({ ...four, entries: four.entries.filter(({ questionId }) => !gone.includes(questionId)) });
    const base = { ...stateAfter(arrived(four)), active: "e2" };
    expect(without("e2", "e3")(base).active).toBe("e4");
    expect(without("e2", "e3", "e4")(base).active).toBe("e1");
    expect(without("e1", "e2", "e3", "e4")(base).active).toBeNull();
    expect(without("e1")(base).active).toBe("e2");
  });

  it("keeps entries open across updates", () => {
    const opened = stateAfter(
      arrived(page(0)),
      (state) => ({ ...state, expanded: new Set(["e2"]) }),
      arrived(page(0)),
    );
    expect(opened.expanded.has("e2")).toBe(true);
    expect(arrived(page(500))(opened).expanded.size).toBe(0);
  });

  it("reports why the history is not saved, and nothing if it is switched off", () => {
    expect(stateAfter(arrived({ entries: [], saved: false, problem: "full" })).problem).toBe("full");
    expect(stateAfter(arrived({ entries: [], saved: false })).problem).toBeNull();
  });
});

describe("an entry's text", () => {
  const of = (id: string) => kinds.find(({ questionId }) => questionId === id) ?? entry("none");

  it.each([
    [
      "clicked",
      "Use Tailwind CSS for utility-first styling with maximum flexibility",
      "You chose suggestion 2",
    ],
    ["edited", "Use vanilla CSS, and a reset stylesheet", "You edited suggestion 3, with 2 images"],
    ["survey", "SQLite · Types, Unit tests, A spell check", "You answered"],
    ["replied", "Tell me more about the costs first.", "You wrote to the agent instead of answering"],
    [
      "dismissed",
      "Dismissed",
      "You dismissed this question. The agent was told that you chose not to answer.",
    ],
    ["invalid", "Invalid call", "This question was invalid. The agent got an error."],
  ])("%s", (id, line, outcome) => {
    expect([answerLine(of(id)), outcomeLine(of(id))]).toEqual([line, outcome]);
  });

  it.each([
    [
      { outcome: "answered" as const, provenance: "clicked" as const, suggestion: 1, images: 2 },
      "Ann answered, with 2 images",
    ],
    [{ outcome: "replied" as const, text: "x" }, "Ann wrote to the agent instead of answering"],
    [{ outcome: "dismissed" as const }, "Ann dismissed this question"],
    [{ outcome: "withdrawn" as const }, outcomeLine({ outcome: { outcome: "withdrawn" } })],
  ])("names the team member who ended it: %o", (outcome, line) => {
    expect(outcomeLine({ outcome: { ...outcome, answeredBy: "Ann" } })).toBe(line);
  });

  it("does not call an approval left to the agent's dialog a dismissed question", () => {
    const left = { approval: {}, outcome: { outcome: "dismissed" as const } };
    expect(outcomeLine(left)).toBe("Left to the agent's own dialog");
    const byAnn = { ...left, outcome: { ...left.outcome, answeredBy: "Ann" } };
    expect(outcomeLine(byAnn)).toBe("Ann left this to the agent's own dialog");
  });

  it("covers an answer of images alone, and an empty one", () => {
    const outcome = { outcome: "answered" as const, provenance: "typed" as const, at: newestAt };
    expect(answerLine(entry("a", { outcome: { ...outcome, images: 1 } }))).toBe("1 image");
    expect(answerLine(entry("a", { outcome }))).toBe("Nothing was chosen");
    expect(answerText(entry("a", { outcome }))).toBe("");
  });

  it("names a workspace by its folder", () => {
    expect(workspaceName("file:///home/me/a%20second%20folder/")).toBe("a second folder");
    expect(workspacePath("file:///home/me/a%20second%20folder")).toBe("/home/me/a second folder");
    expect(workspaceName("vscode-remote://ssh+host/srv/app")).toBe("app");
    expect(workspaceName("file:///%E0%A4%A")).toBe("%E0%A4%A");
  });
});

it("every text with a count has its plural forms, and no other text has such a key", () => {
  const stem = (key: string) => key.replace(/\.(one|other)$/, "");
  const forms = Object.keys(english).filter((key) => /\.(one|other)$/.test(key));
  const counting = Object.entries(english).filter(([, text]) => text.includes("{count}"));
  // "Your image" also counts, without a number.
  expect(new Set(forms.map(stem))).toEqual(new Set(counting.map(([key]) => stem(key))));
  const stems = forms.map(stem);
  expect(stems.filter((stem) => stems.filter((each) => each === stem).length !== 2)).toEqual([]);
});
