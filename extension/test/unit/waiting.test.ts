// What waits for the user, and when the view appears.

import { expect, test } from "vitest";
import { Reveal } from "../../src/page/appear";
import { Waiting } from "../../src/page/waiting";
import type { InboxChange } from "../../src/protocol.gen";
import { item } from "./fake/sidecar";

const outcome = { outcome: "answered", provenance: "clicked", text: "Yes", at: 5 } as const;

test("what waits for the user is counted; what still streams or is closed is not, nor another window's", () => {
  const waiting = new Waiting();
  const workspaces = [{ uri: "file:///there", name: "there" }];
  waiting.apply({
    items: [
      item("a"),
      item("b", { state: "queued" }),
      item("c", { state: "streaming" }),
      item("d", { workspaces }),
    ],
  });
  expect([waiting.count([]), waiting.count(["file:///there"])]).toEqual([2, 3]);
  waiting.apply({ items: [item("e", { workspaces, hub: "Team" })] });
  expect(waiting.count([])).toBe(3); // a hub's is no other window's
  waiting.apply({ removed: ["e"] });
  waiting.apply({ items: [item("a", { state: "closed", outcome })] });
  waiting.apply({ removed: ["b", "never seen"], grown: [{ questionId: "x" }] });
  expect(waiting.count([])).toBe(0);
});

test("a question's title has no marks of Markdown", () => {
  const waiting = new Waiting();
  const payload = { question: "Drop **users**?", suggest: [] };
  waiting.apply({
    items: [item("a", { payload, rendered: { plainQuestion: "Drop users?" } }), item("b", { payload })],
  });
  expect([waiting.title("a"), waiting.title("b")]).toEqual(["Drop users?", "Drop **users**?"]);
});

test("a snapshot in parts takes nothing away before its last part has come", () => {
  const waiting = new Waiting();
  waiting.reset({ items: [item("a"), item("b"), item("c"), item("kept")] });
  waiting.reset({ items: [item("a"), item("kept")], more: 2 });
  expect(waiting.count([])).toBe(4);
  waiting.apply({ items: [item("b")], more: 1 });
  expect(waiting.count([])).toBe(4);
  waiting.apply({ items: [item("d")] });
  expect(waiting.count([])).toBe(4); // a, b, d and kept, without c
  waiting.apply({ items: [item("c", { state: "closed", outcome })] });
  expect(waiting.count([])).toBe(4);
});

test("the view appears once for a question, and not for queued or closed ones", () => {
  const reveal = new Reveal(() => ["file:///here"]);
  const wanted = (change: InboxChange) => reveal.wanted(change);
  expect(wanted({ items: [item("a", { state: "streaming" })] })).toBe(true);
  expect(wanted({ grown: [{ questionId: "a", text: "…" }] })).toBe(false);
  expect(wanted({ items: [item("a")] })).toBe(false);
  expect(wanted({ items: [item("b", { state: "queued" })] })).toBe(false);
  expect(wanted({ items: [item("a", { state: "closed", outcome }), item("b")] })).toBe(true);
  expect(wanted({ items: [item("c"), item("d")] })).toBe(true);
  expect(wanted({ items: [item("c"), item("d")] })).toBe(false);
  wanted({ removed: ["c"] });
  expect(wanted({ items: [item("c")] })).toBe(true);
  expect(wanted({ items: [item("f", { inConversation: true })] })).toBe(false);
  expect(wanted({ items: [item("e", { workspaces: [{ uri: "file:///there", name: "there" }] })] })).toBe(
    false,
  );
});
