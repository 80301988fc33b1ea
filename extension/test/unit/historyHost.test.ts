// The host's side of the boundary to the history's interface.

import { expect, test, vi } from "vitest";
import { HistoryHost } from "../../src/history/host";
import { InboxModel } from "../../src/inbox";
import type { HistoryPage } from "../../src/protocol.gen";
import type { HistoryHostMessage, HistoryTarget } from "../../webview/history/boundary";
import { item } from "./fake/sidecar";

function open() {
  const calls: unknown[][] = [];
  const posted: HistoryHostMessage[] = [];
  const world = {
    keep: true,
    confirmed: true,
    fails: false,
    page: { entries: [], saved: true } as HistoryPage,
  };
  /** A request that is noted and answered, or fails. */
  const method =
    <Result>(name: string, result: Result) =>
    async (...args: unknown[]) => {
      calls.push([name, ...args]);
      if (world.fails) {
        throw new Error("The sidecar does not run.");
      }
      return result;
    };
  const entry = { questionId: "a" } as never;
  const host = new HistoryHost({
    history: {
      page: (params) => method("page", world.page)(params),
      facets: method("facets", { agents: ["A"], workspaces: [] }),
      entry: method("entry", entry),
      count: method("count", 2),
      delete: method("delete", { count: 2, undo: "u", undoUntil: 10_500 }),
      restore: method("restore", { count: 2 }),
      export: method("export", { count: 1, text: "# Markdown" }),
    },
    strings: { key: "text" },
    locale: "fr",
    keep: () => world.keep,
    describe: (error) => `words: ${(error as Error).message}`,
    confirmDelete: async (count) => {
      calls.push(["confirm", count]);
      return world.confirmed;
    },
    export: (target: HistoryTarget) => calls.push(["exporting", target]),
    copy: async (text) => void calls.push(["copy", text]),
    openLink: (href) => calls.push(["link", href]),
    act: (action) => calls.push(["act", action]),
    now: () => 1_500,
  });
  host.attach((message) => posted.push(message));
  return { host, calls, posted, world };
}

async function ready() {
  const opened = open();
  await opened.host.receive({ type: "ready" });
  opened.posted.length = 0;
  return opened;
}

test("nothing is said before the interface listens; then the texts, and where the focus is to go", async () => {
  const { host, posted } = open();
  host.changed();
  host.focus("search");
  expect(posted).toEqual([]);
  await host.receive({ type: "ready" });
  expect(posted).toEqual([
    { type: "init", strings: { key: "text" }, locale: "fr", keep: true },
    { type: "focus", on: "search" },
  ]);
  host.focus("list");
  expect(posted.at(-1)).toEqual({ type: "focus", on: "list" });
});

test("a page is answered under its number, and so is what went wrong with it", async () => {
  const { host, posted, calls, world } = await ready();
  const filter = { agents: ["A"] };
  await host.receive({ type: "list", request: 7, text: "x", filter, after: "k" });
  expect(calls).toEqual([["page", { text: "x", filter, after: "k" }]]);
  expect(posted).toEqual([{ type: "page", request: 7, page: { entries: [], saved: true } }]);
  expect(host.query).toEqual({ text: "x", filter });
  world.fails = true;
  await host.receive({ type: "list", request: 8, text: "", filter: {} });
  expect(posted.at(-1)).toEqual({ type: "failed", request: 8, message: "words: The sidecar does not run." });
});

test("an entry comes with its images, or with why it does not", async () => {
  const { host, posted, world } = await ready();
  await host.receive({ type: "get", id: "a" });
  world.fails = true;
  await host.receive({ type: "get", id: "b" });
  expect(posted).toEqual([
    { type: "entry", id: "a", entry: { questionId: "a" } },
    { type: "entry", id: "b", message: "words: The sidecar does not run." },
  ]);
});

test("what the filters can name is told; where that fails, the page tells why", async () => {
  const { host, posted, world } = await ready();
  await host.receive({ type: "facets" });
  world.fails = true;
  await host.receive({ type: "facets" });
  expect(posted).toEqual([{ type: "facets", facets: { agents: ["A"], workspaces: [] } }]);
});

test("entries are deleted at once; the time to undo is counted by the sidecar's machine", async () => {
  const { host, posted, calls } = await ready();
  await host.receive({ type: "delete", target: { ids: ["a", "b"] } });
  await host.receive({ type: "restore", undo: "u" });
  expect(calls).toEqual([
    ["delete", { ids: ["a", "b"] }],
    ["restore", "u"],
  ]);
  expect(posted).toEqual([
    { type: "deleted", ids: ["a", "b"], count: 2, undo: "u", undoFor: 9_000 },
    { type: "restored", undo: "u", count: 2 },
  ]);
});

test("everything that matches is deleted only when the user has confirmed it", async () => {
  const { host, posted, calls, world } = await ready();
  const target = { text: "x", filter: {} };
  world.confirmed = false;
  await host.receive({ type: "delete", target });
  const asked = [
    ["count", target],
    ["confirm", 2],
  ];
  expect(calls.splice(0)).toEqual(asked);
  world.confirmed = true;
  await host.receive({ type: "delete", target });
  expect(calls).toEqual([...asked, ["delete", target]]);
  expect(posted).toEqual([{ type: "deleted", count: 2, undo: "u", undoFor: 9_000 }]);
});

test("a text is copied as it is, entries as the sidecar writes them", async () => {
  const { host, posted, calls } = await ready();
  await host.receive({ type: "copy", text: "an answer" });
  await host.receive({ type: "copyEntries", ids: ["a"] });
  expect(calls).toEqual([
    ["copy", "an answer"],
    ["export", { ids: ["a"] }, "markdown"],
    ["copy", "# Markdown"],
  ]);
  expect(posted).toEqual([{ type: "copied" }, { type: "copied" }]);
});

test("what fails is told as a notice", async () => {
  const { host, posted, world } = await ready();
  world.fails = true;
  await host.receive({ type: "delete", target: { ids: ["a"] } });
  await host.receive({ type: "copyEntries", ids: ["a"] });
  expect(posted).toEqual(Array(2).fill({ type: "notice", message: "words: The sidecar does not run." }));
  await host.receive({ type: "restore", undo: "u" });
  expect(posted.at(-1)).toEqual({
    type: "restored",
    undo: "u",
    count: 0,
    message: "words: The sidecar does not run.",
  });
});

test("what the interface asks of the editor is passed on", async () => {
  const { host, calls } = await ready();
  await host.receive({ type: "export", target: { ids: ["a"] } });
  await host.receive({ type: "openLink", href: "https://example.com" });
  await host.receive({ type: "openLink", href: "command:workbench.action.quit" });
  for (const type of ["escape", "openLog", "openSettings", "import"] as const) {
    await host.receive({ type });
  }
  expect(calls).toEqual([
    ["exporting", { ids: ["a"] }],
    ["link", "https://example.com"],
    ...["escape", "openLog", "openSettings", "import"].map((action) => ["act", action]),
  ]);
});

test("an agent is given time to collect its answer before the interface says that it has not", async () => {
  vi.useFakeTimers();
  try {
    const { host, posted, world } = await ready();
    const at = (time: number) =>
      ({ questionId: `q${time}`, outcome: { at: time }, collected: false }) as never;
    world.page = { entries: [at(1_400), at(-1_600)], saved: true };
    await host.receive({ type: "list", request: 1, text: "", filter: {} });
    expect(posted.at(-1)).toMatchObject({ page: { entries: [{ collected: true }, { collected: false }] } });
    posted.length = 0;
    const inbox = new InboxModel();
    const outcome = { outcome: "dismissed", at: 5 } as const;
    host.follow(inbox.apply({ items: [item("q", { state: "closed", outcome })] }));
    host.follow(inbox.apply({ items: [item("r", { state: "closed", outcome })] }));
    expect(posted).toHaveLength(2);
    vi.runAllTimers();
    expect(posted).toEqual(Array(3).fill({ type: "changed" }));
  } finally {
    vi.useRealTimers();
  }
});

test("the closing of a question brings the interface up to date, and nothing else of the inbox does", async () => {
  const { host, posted } = await ready();
  const inbox = new InboxModel();
  host.follow(inbox.apply({ items: [item("q", { state: "streaming" })] }));
  host.follow(inbox.apply({ grown: [{ questionId: "q", text: "more" }] }));
  expect(posted).toEqual([]);
  const outcome = { outcome: "answered", provenance: "typed", text: "x", at: 5 } as const;
  host.follow(inbox.apply({ items: [item("q", { state: "closed", outcome })] }));
  expect(posted).toEqual([{ type: "changed" }]);
  host.detach();
});

test("the setting is told when it changes; an interface that is gone is told nothing", async () => {
  const { host, posted, world } = await ready();
  world.keep = false;
  host.keepChanged();
  expect(posted).toEqual([{ type: "keep", keep: false }]);
  host.detach();
  host.changed();
  expect(posted).toHaveLength(1);
  expect(host.query).toEqual({ text: "", filter: {} });
});
