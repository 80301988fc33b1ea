// The history's pure parts: pages, filters, what is asked when, what matches, the state.

import { describe, expect, it } from "vitest";
import type { HistoryPage } from "../../src/protocol.gen";
import { emptyQuery, narrows, noFilter, restoredQuery, toFilter } from "../../webview/history/filter";
import { Loader, type Purpose } from "../../webview/history/loader";
import { excerpt, findMatches, termsOf } from "../../webview/history/matches";
import {
  begin,
  extend,
  heldEntries,
  putBack,
  refresh,
  type Stretch,
  without,
} from "../../webview/history/pages";
import * as selection from "../../webview/history/selection";
import { browse, type HistoryEvent, noHistory } from "../../webview/history/state";
import { answerLine, answerText, workspaceName, workspacePath } from "../../webview/history/words";
import { outcomeLine } from "../../webview/outcome";
import { english, translator } from "../../webview/strings";
import { entry, kinds, newestAt, numbered } from "./history-entries";

const all = numbered(1000);
const page = (from: number, count = 50): HistoryPage => ({
  entries: all.slice(from, from + count),
  ...(from + count < all.length && { next: `after ${from + count}` }),
  saved: true,
});
const ids = ({ entries }: Pick<Stretch, "entries">) => entries.map(({ questionId }) => questionId);
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `e${from + index}`);

describe("pages", () => {
  it("are read on, each entry once", () => {
    const stretch = extend(begin(page(0)), page(45));
    expect(ids(stretch)).toEqual(numbers(1, 95));
    expect(stretch.next).toBe("after 95");
  });

  it("hold a bounded number of entries: the newest are let go", () => {
    let stretch = begin(page(0));
    for (let from = 50; from < 600; from += 50) {
      stretch = extend(stretch, page(from));
    }
    expect(ids(stretch)).toEqual(numbers(101, 600));
    expect([stretch.entries.length, stretch.trimmed]).toEqual([heldEntries, true]);
    expect(refresh(stretch, page(0))).toBe(stretch);
  });

  it("are brought up to date at the newest end: new in front, deleted gone, older ones as they were", () => {
    const stretch = extend(begin(page(50)), page(100));
    const fresh = { entries: [...all.slice(40, 60), ...all.slice(61, 80)], next: "x", saved: true };
    const after = refresh(stretch, fresh);
    expect(ids(after)).toEqual([...numbers(41, 60), ...numbers(62, 80), ...numbers(81, 150)]);
    expect(after.next).toBe("after 150");
  });

  it("begin anew where the newest page does not meet what was read, or is all there is", () => {
    const stretch = extend(begin(page(200)), page(250));
    expect(ids(refresh(stretch, page(0)))).toEqual(numbers(1, 50));
    const last: HistoryPage = { entries: all.slice(200, 203), saved: true };
    expect(refresh(stretch, last)).toMatchObject({ entries: last.entries, next: undefined });
  });

  it("brought up to date again and again stay bounded, and reading goes on at the end of a page", () => {
    let stretch = begin(page(100));
    for (let from = 150; from < 600; from += 50) {
      stretch = extend(stretch, page(from));
    }
    expect(stretch.entries).toHaveLength(heldEntries);
    const after = refresh(stretch, page(60));
    expect(after.entries.length).toBeLessThanOrEqual(heldEntries);
    const last = Number(ids(after).at(-1)?.slice(1));
    expect(ids(after)).toEqual(numbers(61, last));
    expect(after.next).toBe(`after ${last}`);
    expect(ids(extend(after, page(last)))).toContain(`e${last + 1}`);
  });

  it("lose what is deleted and get it back in its place, among what has come since", () => {
    const stretch = begin(page(0));
    const gone = stretch.entries.slice(3, 6);
    const less = without(stretch, new Set(gone.map(({ questionId }) => questionId)));
    expect(ids(less)).toEqual([...numbers(1, 3), ...numbers(7, 50)]);
    expect(ids(putBack(less, gone, ids(stretch)))).toEqual(numbers(1, 50));
    const [newest, oldest] = [all.slice(0, 1), all.slice(49, 50)];
    const ends = without(stretch, new Set(["e1", "e50"]));
    const since = { ...ends, entries: [entry("new"), ...ends.entries, entry("old")] };
    expect(ids(putBack(since, [...newest, ...oldest], ids(stretch)))).toEqual([
      "new",
      ...numbers(1, 50),
      "old",
    ]);
    expect(ids(putBack(stretch, gone, ids(stretch)))).toEqual(numbers(1, 50));
    expect(without(stretch, new Set(["no such"]))).toBe(stretch);
  });
});

describe("the loader", () => {
  function make() {
    const state = { query: { text: "" } };
    const sent: { request: number; purpose: Purpose; text: string }[] = [];
    const loader = new Loader(
      () => state.query,
      ({ request, purpose, query }) => sent.push({ request, purpose, text: query.text }),
    );
    const type = (text: string) => {
      state.query = { text };
      loader.ask("first");
    };
    const answer = (request: number) => {
      const flight = loader.answered(request);
      loader.goOn();
      return flight?.query.text;
    };
    return { loader, sent, type, answer };
  }

  it("asks for the last of what was typed while an answer was awaited, and drops the stale answer", () => {
    const { sent, type, answer } = make();
    for (const text of ["p", "po", "por", "port"]) {
      type(text);
    }
    expect(sent.map(({ text }) => text)).toEqual(["p"]);
    expect(answer(1)).toBeUndefined();
    expect(sent.map(({ text }) => text)).toEqual(["p", "port"]);
    expect(answer(2)).toBe("port");
    expect(sent).toHaveLength(2);
  });

  it("takes no answer twice and none to a request that is not under way", () => {
    const { type, answer } = make();
    type("a");
    expect([answer(9), answer(1), answer(1)]).toEqual([undefined, "a", undefined]);
  });

  it("lets a new list go before what else was wanted", () => {
    const { loader, sent, answer } = make();
    loader.ask("refresh");
    loader.ask("more");
    loader.ask("first");
    loader.ask("refresh");
    answer(1);
    expect(sent.map(({ purpose }) => purpose)).toEqual(["refresh", "first"]);
  });
});

describe("filters", () => {
  const now = new Date(2026, 2, 14, 15, 10).getTime();
  const day = (date: number, month = 2) => new Date(2026, month, date).getTime();

  it("name nothing where nothing is chosen", () => {
    expect(toFilter(noFilter, now)).toEqual({});
    expect(narrows(noFilter)).toBe(false);
  });

  it.each([
    [{ kind: "today" } as const, { from: day(14) }],
    [{ kind: "days7" } as const, { from: day(8) }],
    [{ kind: "days30" } as const, { from: day(13, 1) }],
    [{ kind: "range", from: "2026-03-01", to: "2026-03-31" } as const, { from: day(1), to: day(1, 3) }],
    [{ kind: "range", from: "", to: "2026-03-31" } as const, { to: day(1, 3) }],
    [{ kind: "range", from: "", to: "" } as const, {}],
  ])("count days in the user's time zone, the last one included: %j", (time, expected) => {
    expect(toFilter({ ...noFilter, time }, now)).toEqual(expected);
    expect(narrows({ ...noFilter, time })).toBe(Object.keys(expected).length > 0);
  });

  it("survive a reload, and what is no query any more does not", () => {
    const query = {
      text: "x",
      filter: {
        agents: ["A"],
        workspaces: [],
        outcomes: ["replied" as const],
        time: { kind: "days7" as const },
      },
    };
    expect(restoredQuery(JSON.parse(JSON.stringify(query)))).toEqual(query);
    expect(restoredQuery(null)).toEqual(emptyQuery);
    const broken = { text: 1, filter: { agents: [1], outcomes: ["no"], time: { kind: "toString" } } };
    expect(restoredQuery(broken)).toEqual(emptyQuery);
  });
});

describe("matches", () => {
  const found = (text: string, search: string) =>
    findMatches(text, termsOf(search)).map(({ start, end }) => text.slice(start, end));

  it.each([
    ["words, whatever their case", "Which Port? PORT 80", "port", ["Port", "PORT"]],
    ["the beginning of a word for the last one only", "portable ports", "portable po", ["portable", "po"]],
    ["no other than whole words before it", "portable ports", "port portable", ["portable"]],
    ["no middle of a word", "support", "port", []],
    ["letters whatever their accents", "Décidé: café", "decide cafe", ["Décidé", "café"]],
    ["accents of their own code point", "cafe\u0301 au lait", "café", ["cafe\u0301"]],
    ["Chinese anywhere", "使用数据库存储", "数据", ["数据"]],
    ["a script without spaces beside one with", "使用PostgreSQL数据库", "postgresql数据", ["PostgreSQL数据"]],
    ["characters outside the basic plane", "𝒳 𝒳yz and 🙂", "𝒳y", ["𝒳y"]],
    ["nothing for nothing", "text", ' .,-" ', []],
    ["no operator of the search", "a OR b* (c)", 'OR "b*', ["OR", "b"]],
  ])("find %s", (_, text, search, expected) => {
    const joined = found(text, search);
    expect(joined.join("|").replaceAll("PostgreSQL|数据", "PostgreSQL数据")).toBe(expected.join("|"));
  });

  it("stand at their places in the text as it is, in order and without overlap", () => {
    const text = "ÀÀ İİ ﬁn port";
    const matches = findMatches(text, termsOf("port p"));
    expect(matches.map(({ start, end }) => text.slice(start, end))).toEqual(["port"]);
    expect(findMatches("a a a", termsOf("a"), 2)).toHaveLength(2);
  });

  it("bring an excerpt with them where they are far behind the beginning", () => {
    const text = `${"word ".repeat(100)}the needle ${"word ".repeat(100)}`;
    const line = excerpt(text, termsOf("needle"), 80);
    expect(line).toMatch(/^….*needle.*…$/);
    expect(line.length).toBeLessThan(90);
    expect(excerpt(" two\n\tlines ", termsOf(""), 80)).toBe("two lines");
    expect(excerpt("x".repeat(100), [], 10)).toBe(`${"x".repeat(10)}…`);
    expect(excerpt("🙂".repeat(10), [], 5)).toBe("🙂🙂…");
  });
});

describe("a selection", () => {
  const onPage = ["a", "b", "c", "d"];

  it("takes entries in and out, and ranges from where it began", () => {
    let selected = selection.toggle(selection.noSelection, "b", onPage);
    selected = selection.extendTo(selected, "d", onPage);
    expect([...selected.ids]).toEqual(["b", "c", "d"]);
    selected = selection.extendTo(selected, "a", onPage);
    expect([...selected.ids]).toEqual(["a", "b"]);
    selected = selection.toggle(selected, "a", onPage);
    expect([...selected.ids]).toEqual(["b"]);
  });

  it("of everything names what lets it through; with one taken out, what stands on the page", () => {
    const everything = { ...selection.all(onPage), everything: true };
    expect(selection.targetOf(everything, "x", { agents: ["A"] })).toEqual({
      text: "x",
      filter: { agents: ["A"] },
    });
    expect(selection.isSelected(everything, "elsewhere")).toBe(true);
    const less = selection.toggle(everything, "b", onPage);
    expect(selection.targetOf(less, "", {})).toEqual({ questionIds: ["a", "c", "d"] });
  });

  it("forgets what was deleted", () => {
    const selected = selection.all(onPage);
    expect([...selection.unselect(selected, new Set(["a", "b"])).ids]).toEqual(["c", "d"]);
    expect(selection.isEmpty(selection.unselect(selected, new Set(onPage)))).toBe(true);
  });
});

describe("the state", () => {
  const arrived = (pageOf: HistoryPage, purpose: Purpose = "first"): HistoryEvent => ({
    type: "arrived",
    purpose,
    query: emptyQuery,
    page: pageOf,
  });
  const stateAfter = (...events: HistoryEvent[]) => events.reduce(browse, noHistory);
  const deletion = (names?: string[]): HistoryEvent => ({
    type: "removed",
    ids: names,
    deletion: { count: 2, undo: "u" },
    undoFor: 100,
    now: 1000,
  });

  it("moves to the entry that comes to a deleted one's place, at the end to the one before", () => {
    const base = stateAfter(arrived({ entries: all.slice(0, 4), saved: true }), { type: "active", id: "e2" });
    expect(browse(base, deletion(["e2", "e3"])).active).toBe("e4");
    expect(browse(base, deletion(["e2", "e3", "e4"])).active).toBe("e1");
    expect(browse(base, deletion()).active).toBeNull();
  });

  it("gives back what an undo restores, unless it was too late or the list is another one now", () => {
    const deleted = stateAfter(arrived(page(0)), deletion(["e2", "e3"]));
    expect(deleted.undos).toMatchObject([{ undo: "u", until: 1100, count: 2 }]);
    const restored = browse(deleted, { type: "undone", undo: "u", count: 2 });
    expect(ids(restored.stretch)).toEqual(numbers(1, 50));
    expect(restored).toMatchObject({ undos: [], active: "e2" });
    expect(ids(browse(deleted, { type: "undone", undo: "u", count: 0 }).stretch)).toHaveLength(48);
    const searched = browse(deleted, { type: "narrowed", query: { ...emptyQuery, text: "x" } });
    expect(ids(browse(searched, { type: "undone", undo: "u", count: 2 }).stretch)).toHaveLength(48);
  });

  it("lets an undo lapse in its time", () => {
    const deleted = stateAfter(arrived(page(0)), deletion(["e2"]));
    expect(browse(deleted, { type: "lapsed", now: 1099 }).undos).toHaveLength(1);
    expect(browse(deleted, { type: "lapsed", now: 1100 }).undos).toEqual([]);
  });

  it("does not bring back what was deleted when a page comes that was read before", () => {
    const deleted = stateAfter(arrived(page(0)), deletion(["e2"]), arrived(page(0), "refresh"));
    expect(ids(deleted.stretch)).not.toContain("e2");
  });

  it("keeps what is opened when its newest end is brought up to date", () => {
    const opened = stateAfter(
      arrived(page(0)),
      { type: "opened", id: "e2", open: true },
      arrived(page(0), "refresh"),
    );
    expect(opened.expanded.has("e2")).toBe(true);
    expect(browse(opened, arrived(page(500))).expanded.size).toBe(0);
  });

  it("forgets the selection when the list is narrowed: nothing unseen is acted upon", () => {
    const selected = stateAfter(arrived(page(0)), { type: "selected", selection: selection.all(["e1"]) });
    expect(
      selection.isEmpty(
        browse(selected, { type: "narrowed", query: { ...emptyQuery, text: "x" } }).selection,
      ),
    ).toBe(true);
  });

  it("says that the history is not saved for a reason, and nothing where it is switched off", () => {
    expect(stateAfter(arrived({ entries: [], saved: false, problem: "full" })).problem).toBe("full");
    expect(stateAfter(arrived({ entries: [], saved: false })).problem).toBeNull();
  });
});

describe("an entry in words", () => {
  const t = translator({}, "en");
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
    expect([answerLine(of(id), t), outcomeLine(of(id), t)]).toEqual([line, outcome]);
  });

  it.each([
    [
      { outcome: "answered" as const, provenance: "clicked" as const, suggestion: 1, images: 2 },
      "Ann answered, with 2 images",
    ],
    [{ outcome: "replied" as const, text: "x" }, "Ann wrote to the agent instead of answering"],
    [{ outcome: "dismissed" as const }, "Ann dismissed this question"],
    [{ outcome: "withdrawn" as const }, outcomeLine({ outcome: { outcome: "withdrawn" } }, t)],
  ])("says who of a team ended it: %o", (outcome, line) => {
    expect(outcomeLine({ outcome: { ...outcome, answeredBy: "Ann" } }, t)).toBe(line);
  });

  it("has an answer of images alone, and of nothing", () => {
    const outcome = { outcome: "answered" as const, provenance: "typed" as const, at: newestAt };
    expect(answerLine(entry("a", { outcome: { ...outcome, images: 1 } }), t)).toBe("1 image");
    expect(answerLine(entry("a", { outcome }), t)).toBe("Nothing was chosen");
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
