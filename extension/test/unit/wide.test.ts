// Which questions open wide by themselves, and when their tabs go.

import { expect, test } from "vitest";
import { Wide } from "../../src/page/appear";
import type { InboxItem } from "../../src/protocol.gen";

function item(questionId: string, preview: string, more: Partial<InboxItem> = {}): InboxItem {
  const options = [
    { label: "A", description: "", preview },
    { label: "B", description: "" },
  ];
  const payload = {
    questions: [{ question: `Which\n${questionId}?`, header: "", options, multiSelect: false }],
  };
  const rest = {
    session: "s",
    agent: "Claude",
    tool: "AskUserQuestion",
    ask: "questions",
    askedAt: 1,
    order: 1,
  } as const;
  return { ...rest, questionId, state: "pending", payload, ...more };
}

test("a question with previews opens once, beside what the user is at, if they want that; its tab goes with it", () => {
  const done: string[] = [];
  const tabs = {
    openBeside: (id: string, title: string) => done.push(`beside ${id}: ${title}`),
    over: (id: string) => done.push(`over ${id}`),
  };
  const wide = new Wide(tabs, () => ["file:///here"]);
  const workspaces = [{ uri: "file:///there", name: "there" }];
  wide.began({ items: [item("before", "x")] });
  wide.changed({ items: [item("before", "x"), item("off", "x", { state: "streaming" })] }, true);
  wide.changed({ items: [item("off", "x")] }, false);
  wide.changed({ items: [item("a", "x", { state: "streaming" })] }, true);
  expect(done).toEqual([]);
  wide.changed({ items: [item("a", "x"), item("plain", ""), item("far", "x", { workspaces })] }, true);
  wide.changed({ items: [item("a", "x", { orphaned: true })] }, true);
  expect(done).toEqual(["beside a: Which a?"]);
  wide.changed({ items: [item("a", "x", { state: "closed" })], removed: ["gone"] }, true);
  expect(done.slice(1)).toEqual(["over a", "over gone"]);
});

test("what was open before the window knew of it opens nothing, however many parts it comes in", () => {
  const done: string[] = [];
  const tabs = {
    openBeside: (id: string) => done.push(id),
    over: () => {},
  };
  const wide = new Wide(tabs, () => []);
  wide.began({ items: [item("a", "x")], more: 2 });
  wide.changed({ items: [item("b", "x")], more: 1 }, true);
  wide.changed({ items: [item("c", "x")] }, true);
  expect(done).toEqual([]);
  wide.changed({ items: [item("d", "x")] }, true);
  expect(done).toEqual(["d"]);
});
