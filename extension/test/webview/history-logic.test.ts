// The history's pure parts: pages, filters, what is asked when, what matches, the state.

import { describe, expect, it } from "vitest";
import type { HistoryPage } from "../../src/protocol.gen";
import { emptyQuery, isFiltered, restoredQuery, toFilter } from "../../webview/history/filter";
import {
  arrive,
  entriesOf,
  extendTo,
  forget,
  type HistoryState,
  noHistory,
  noSelection,
  type Purpose,
  remove,
  restore,
  toggle,
  type Undo,
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
const ids = (state: HistoryState) => entriesOf(state).map(({ questionId }) => questionId);
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `e${from + index}`);

type Change = (state: HistoryState) => HistoryState;
const arrived =
  (pageOf: HistoryPage, purpose: Purpose = "first"): Change =>
  (state) =>
    arrive(state, purpose, state.query, pageOf);
const stateAfter = (...changes: Change[]) => changes.reduce((state, change) => change(state), noHistory);

describe("pages", () => {
  it("are read on, each entry once, however many there are", () => {
    const two = stateAfter(arrived(page(0)), arrived(page(45), "more"));
    expect(ids(two)).toEqual(numbers(1, 95));
    expect(two.next).toBe("after 95");
    const many = Array.from({ length: 14 }, (_, index) => arrived(page((index + 1) * 50), "more"));
    expect(ids(stateAfter(arrived(page(0)), ...many))).toEqual(numbers(1, 750));
  });

  it("are brought up to date at the newest end: new in front, deleted gone, older ones as they were", () => {
    const fresh = { entries: [...all.slice(40, 60), ...all.slice(61, 80)], next: "x", saved: true };
    const after = stateAfter(arrived(page(50)), arrived(page(100), "more"), arrived(fresh, "refresh"));
    expect(ids(after)).toEqual([...numbers(41, 60), ...numbers(62, 80), ...numbers(81, 150)]);
    expect(after.next).toBe("after 150");
  });

  it("begin anew where the newest page does not meet what was read, or is all there is", () => {
    const before = [arrived(page(200)), arrived(page(250), "more")];
    expect(ids(stateAfter(...before, arrived(page(0), "refresh")))).toEqual(numbers(1, 50));
    const last: HistoryPage = { entries: all.slice(200, 203), saved: true };
    const after = stateAfter(...before, arrived(last, "refresh"));
    expect(after).toMatchObject({ read: last.entries, next: undefined });
  });
});

describe("filters", () => {
  const now = new Date(2026, 2, 14, 15, 10).getTime();
  const day = (date: number, month = 2) => new Date(2026, month, date).getTime();

  it("name nothing where nothing is chosen", () => {
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

  it("survive a reload, and what is no query any more does not", () => {
    const query = { ...emptyQuery, text: "x", agents: ["A"], outcomes: ["replied" as const], time: "days7" };
    expect(restoredQuery(JSON.parse(JSON.stringify(query)))).toEqual(query);
    expect(restoredQuery(undefined)).toEqual(emptyQuery);
    expect(restoredQuery({ text: 1, agents: "A", filter: {}, time: { kind: "today" } })).toEqual(emptyQuery);
  });
});

describe("a selection", () => {
  const onPage = ["a", "b", "c", "d"];

  it("takes entries in and out, and ranges from where it began", () => {
    let selected = toggle(noSelection, "b", onPage);
    selected = extendTo(selected, "d", onPage);
    expect([...selected.ids]).toEqual(["b", "c", "d"]);
    selected = extendTo(selected, "a", onPage);
    expect([...selected.ids]).toEqual(["a", "b"]);
    selected = toggle(selected, "a", onPage);
    expect([...selected.ids]).toEqual(["b"]);
  });

  it("of everything leaves, with one entry taken out, what stands on the page", () => {
    const everything = { ids: new Set(onPage), everything: true, anchor: "a" };
    const less = toggle(everything, "b", onPage);
    expect(less).toMatchObject({ ids: new Set(["a", "c", "d"]), everything: false });
  });

  it("forgets what was deleted", () => {
    const base = stateAfter(arrived({ entries: all.slice(0, 4), saved: true }));
    const deleted = (...selected: string[]) =>
      remove(
        { ...base, selection: { ids: new Set(selected), everything: false, anchor: null } },
        {
          ids: ["e1", "e2"],
          count: 2,
        },
      ).selection;
    expect([...deleted("e1", "e2", "e3").ids]).toEqual(["e3"]);
    expect(deleted("e1", "e2")).toEqual(noSelection);
  });
});

describe("the state", () => {
  const deletion =
    (ids?: string[]): Change =>
    (state) =>
      remove(state, { ids, count: 2, undo: "u" });

  it("moves to the entry that comes to a deleted one's place, at the end to the one before", () => {
    const base = { ...stateAfter(arrived({ entries: all.slice(0, 4), saved: true })), active: "e2" };
    expect(deletion(["e2", "e3"])(base).active).toBe("e4");
    expect(deletion(["e2", "e3", "e4"])(base).active).toBe("e1");
    expect(deletion()(base).active).toBeNull();
  });

  it("gives back what an undo restores, unless it was too late or the list is another one now", () => {
    const deleted = stateAfter(arrived(page(0)), deletion(["e2", "e3"]));
    expect(deleted.undos).toMatchObject([{ undo: "u", count: 2 }]);
    expect(ids(deleted)).toEqual(["e1", ...numbers(4, 50)]);
    const [undone] = deleted.undos as [Undo];
    const restored = restore(deleted, undone);
    expect(ids(restored)).toEqual(numbers(1, 50));
    expect(restored).toMatchObject({ undos: [], active: "e2" });
    expect(ids(forget(deleted, undone))).toHaveLength(48);
    const narrowed = { ...deleted, query: { ...emptyQuery, text: "x" } };
    const searched = arrived({ entries: all.slice(0, 1), saved: true })(narrowed);
    expect(ids(restore(searched, undone))).toEqual(["e1"]);
  });

  it("lets an undo lapse, unless it was undone", () => {
    const deleted = stateAfter(arrived(page(0)), deletion(["e2"]));
    const [over] = deleted.undos as [Undo];
    const lapsed = forget(deleted, over);
    expect(lapsed.undos).toEqual([]);
    expect(ids(lapsed)).toEqual(["e1", ...numbers(3, 50)]);
    expect(ids(forget(restore(deleted, over), over))).toEqual(numbers(1, 50));
  });

  it("does not bring back what was deleted when a page comes that was read before", () => {
    const deleted = stateAfter(arrived(page(0)), deletion(["e2"]), arrived(page(0), "refresh"));
    expect(ids(deleted)).not.toContain("e2");
  });

  it("keeps what is opened when its newest end is brought up to date", () => {
    const opened = stateAfter(
      arrived(page(0)),
      (state) => ({ ...state, expanded: new Set(["e2"]) }),
      arrived(page(0), "refresh"),
    );
    expect(opened.expanded.has("e2")).toBe(true);
    expect(arrived(page(500))(opened).expanded.size).toBe(0);
  });

  it("says that the history is not saved for a reason, and nothing where it is switched off", () => {
    expect(stateAfter(arrived({ entries: [], saved: false, problem: "full" })).problem).toBe("full");
    expect(stateAfter(arrived({ entries: [], saved: false })).problem).toBeNull();
  });
});

describe("an entry in words", () => {
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
    ["invalid", "Faulty call", "This question was faulty. The agent was told what was wrong with it."],
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
  ])("says who of a team ended it: %o", (outcome, line) => {
    expect(outcomeLine({ outcome: { ...outcome, answeredBy: "Ann" } })).toBe(line);
  });

  it("has an answer of images alone, and of nothing", () => {
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

it("every text that counts has its plural forms, and no other text has the key of one", () => {
  const stem = (key: string) => key.replace(/\.(one|other)$/, "");
  const forms = Object.keys(english).filter((key) => /\.(one|other)$/.test(key));
  const counting = Object.entries(english).filter(([, text]) => text.includes("{count}"));
  // "Your image" counts, too, without a number.
  expect(new Set(forms.map(stem))).toEqual(new Set(counting.map(([key]) => stem(key))));
  const stems = forms.map(stem);
  expect(stems.filter((stem) => stems.filter((each) => each === stem).length !== 2)).toEqual([]);
});
