// The model of the inbox, and when the view appears.

import { expect, test } from "vitest";
import { InboxModel, keptClosed } from "../../src/inbox";
import { Reveal } from "../../src/page/reveal";
import { item } from "./fake/sidecar";

const outcome = { outcome: "answered", provenance: "clicked", text: "Yes", at: 5 } as const;
const all = () => true;
const none = () => false;

test("a change is applied: removed, then items, then grown", () => {
  const inbox = new InboxModel();
  inbox.reset({ items: [item("a", { order: 1 }), item("b", { order: 2 })] }, none);
  const differences = inbox.apply({
    removed: ["a", "never seen"],
    items: [item("c", { order: 3, state: "streaming", payload: { question: "W", suggest: [] } })],
    grown: [
      { questionId: "c", text: "hich?" },
      { questionId: "c", suggest: [{ answer: "this" }] },
      { questionId: "x" },
    ],
  });
  expect(differences.map(({ kind }) => kind)).toEqual(["remove", "put", "grow", "grow"]);
  expect(inbox.all().map(({ item: { questionId } }) => questionId)).toEqual(["b", "c"]);
  expect(inbox.get("c")?.payload).toEqual({ question: "Which?", suggest: [{ answer: "this" }] });
});

test("a snapshot in parts takes nothing away before its last part has come", () => {
  const inbox = new InboxModel();
  inbox.reset({ items: [item("a"), item("b"), item("c"), item("kept")] }, none);
  const ids = () => inbox.all().map(({ item: { questionId } }) => questionId);
  expect(inbox.reset({ items: [item("a")], more: 2 }, (id) => id === "kept").map(({ kind }) => kind)).toEqual(
    ["put"],
  );
  expect(inbox.apply({ items: [item("b")], more: 1 }).map(({ kind }) => kind)).toEqual(["put"]);
  expect(ids()).toEqual(["a", "b", "c", "kept"]);
  expect(inbox.apply({ items: [item("d")] }).map(({ kind }) => kind)).toEqual(["put", "remove"]);
  expect(ids().sort()).toEqual(["a", "b", "d", "kept"]);
});

test("growth costs what has grown: a megabyte in small pieces is no slower for each further piece", () => {
  const inbox = new InboxModel();
  inbox.reset({ items: [item("q", { state: "streaming", payload: { question: "", suggest: [] } })] }, none);
  const piece = "0123456789";
  for (let i = 0; i < 100_000; i++) {
    inbox.apply({ grown: [{ questionId: "q", text: piece }] });
  }
  expect(inbox.get("q")?.payload).toEqual({ question: piece.repeat(100_000), suggest: [] });
});

test("a question that grows on after it was looked at is whole", () => {
  const inbox = new InboxModel();
  inbox.apply({ items: [item("q", { state: "streaming", payload: { question: "a", suggest: [] } })] });
  const seen = inbox.get("q")?.payload;
  inbox.apply({ grown: [{ questionId: "q", text: "b", suggest: [{ answer: "x" }] }] });
  expect(seen).toEqual({ question: "a", suggest: [] });
  expect(inbox.get("q")?.payload).toEqual({ question: "ab", suggest: [{ answer: "x" }] });
});

test("a questionnaire grows question by question", () => {
  const inbox = new InboxModel();
  inbox.apply({ items: [item("q", { state: "streaming", payload: { questions: [] } })] });
  const option = (label: string) => ({ label, description: "" });
  for (const part of [
    { index: 0, text: "Wh" },
    { index: 0, text: "ich?", header: "H", options: [option("A")] },
    { index: 0, options: [option("B")], multiSelect: true },
    { index: 1, text: "Wh" },
    { index: 1, text: "y?" },
  ]) {
    inbox.apply({ grown: [{ questionId: "q", parts: [part] }] });
  }
  expect(inbox.get("q")?.payload).toEqual({
    questions: [
      { question: "Which?", header: "H", options: [option("A"), option("B")], multiSelect: true },
      { question: "Why?", header: "", options: [], multiSelect: false },
    ],
  });
});

test("what waits for the user is counted; what still streams or is closed is not", () => {
  const inbox = new InboxModel();
  inbox.apply({ items: [item("a"), item("b", { state: "queued" }), item("c", { state: "streaming" })] });
  expect(inbox.waiting([])).toBe(2);
  inbox.apply({ items: [item("a", { state: "closed", outcome })] });
  expect(inbox.waiting([])).toBe(1);
});

test("closed questions stay, but not more than the last ones", () => {
  const inbox = new InboxModel();
  const ids = Array.from({ length: keptClosed + 2 }, (_, index) => `q${index}`);
  const differences = ids.flatMap((id, order) =>
    inbox.apply({ items: [item(id, { order, state: "closed", outcome })] }),
  );
  expect(inbox.all().map(({ item: { questionId } }) => questionId)).toEqual(ids.slice(2));
  expect(differences.filter(({ kind }) => kind === "remove")).toEqual([
    { kind: "remove", id: "q0" },
    { kind: "remove", id: "q1" },
  ]);
});

test("a snapshot takes the place of what is open, but for what is being asked again", () => {
  const inbox = new InboxModel();
  inbox.apply({
    items: [
      item("kept", { order: 1 }),
      item("gone", { order: 2 }),
      item("old", { order: 0, state: "closed", outcome }),
    ],
  });
  const differences = inbox.reset({ items: [item("new", { order: 3 })] }, (id) => id === "kept");
  expect(differences).toMatchObject([{ kind: "remove", id: "gone" }, { kind: "put" }]);
  expect(inbox.all().map(({ item: { questionId } }) => questionId)).toEqual(["old", "kept", "new"]);
});

test("a question that is asked again after it was closed is open again", () => {
  const inbox = new InboxModel();
  inbox.apply({ items: [item("q", { state: "closed", outcome })] });
  inbox.reset({ items: [item("q")] }, all);
  expect(inbox.all()).toHaveLength(1);
  expect(inbox.get("q")?.item.state).toBe("pending");
});

test("an outcome that became known otherwise closes the question", () => {
  const inbox = new InboxModel();
  inbox.apply({ items: [item("q")] });
  expect(inbox.close("q", outcome)).toMatchObject([
    { kind: "put", question: { item: { state: "closed", outcome } } },
  ]);
  expect(inbox.close("q", outcome)).toEqual([]);
  expect(inbox.close("unknown", outcome)).toEqual([]);
});

test("the view appears once for a question, and not for queued or closed ones", () => {
  const inbox = new InboxModel();
  const reveal = new Reveal(() => []);
  const wanted = (change: Parameters<InboxModel["apply"]>[0]) => reveal.wanted(inbox.apply(change));
  expect(wanted({ items: [item("a", { state: "streaming" })] })).toBe(true);
  expect(wanted({ grown: [{ questionId: "a", text: "…" }] })).toBe(false);
  expect(wanted({ items: [item("a")] })).toBe(false);
  expect(wanted({ items: [item("b", { state: "queued" })] })).toBe(false);
  expect(wanted({ items: [item("a", { state: "closed", outcome }), item("b")] })).toBe(true);
  expect(wanted({ items: [item("c"), item("d")] })).toBe(true);
  expect(wanted({ items: [item("c"), item("d")] })).toBe(false);
  wanted({ removed: ["c"] });
  expect(wanted({ items: [item("c")] })).toBe(true);
});
