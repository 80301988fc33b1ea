// The host's side of the boundary to the interface.

import { expect, test } from "vitest";
import { ResponseError } from "vscode-jsonrpc";
import { Cards } from "../../src/cards";
import { Drafts } from "../../src/drafts";
import { InboxModel } from "../../src/inbox";
import { type CloseResult, CodeRefused, type InboxChange } from "../../src/protocol.gen";
import { answerWords } from "../../src/sidecar/problems";
import type { Draft, HostMessage } from "../../webview/boundary";
import { item } from "./fake/sidecar";

const outcome = { outcome: "answered", provenance: "typed", text: "x", at: 5 } as const;
const draft = (text: string, image = ""): Draft => ({
  text,
  images: image ? [{ mimeType: "image/png", data: image }] : [],
});

function open(stored: Record<string, Draft> = {}) {
  const inbox = new InboxModel();
  const drafts = new Drafts(async () => ({}));
  for (const [id, draft] of Object.entries(stored)) {
    drafts.set(id, draft);
  }
  const requests: [string, unknown][] = [];
  const acts: string[] = [];
  const links: string[] = [];
  let reply: CloseResult | Error = { accepted: true, outcome };
  const cards = new Cards({
    inbox,
    drafts,
    strings: { key: "text" },
    locale: "fr",
    request: async <P, R>({ method }: { method: string }, params: P) => {
      requests.push([method, params]);
      if (reply instanceof Error) {
        throw reply;
      }
      return reply as R;
    },
    describe: answerWords,
    act: (action) => acts.push(action),
    folders: () => ["file:///here"],
    readFiles: async () => [],
    openLink: (href) => links.push(href),
  });
  const posted: HostMessage[] = [];
  const apply = (change: InboxChange) => cards.show(inbox.apply(change));
  const answerWith = (next: CloseResult | Error) => {
    reply = next;
  };
  cards.attach((message) => posted.push(message));
  return { inbox, drafts, cards, requests, acts, links, posted, apply, answerWith };
}

test("nothing is said before the interface listens; then everything in order", async () => {
  const { cards, apply, posted } = open({ q1: draft("begun") });
  apply({ items: [item("q1", { order: 2 }), item("q0", { order: 1, state: "closed", outcome })] });
  cards.showTrouble("down", true);
  cards.focusCard();
  expect(posted).toEqual([]);
  await cards.receive({ type: "ready" });
  expect(posted).toMatchObject([
    { type: "init", strings: { key: "text" }, locale: "fr", drafts: { q1: draft("begun") } },
    { type: "ask", ask: "followup", meta: { id: "q0", state: "closed", outcome, order: 1 } },
    {
      type: "ask",
      ask: "followup",
      payload: item("q1").payload,
      meta: { id: "q1", agent: "Agent", state: "pending", askedAt: 1, order: 2 },
    },
    { type: "trouble", message: "down", restarting: true },
    { type: "storage", problem: null },
    { type: "focus" },
  ]);
  cards.attach((message) => posted.push(message));
  await cards.receive({ type: "ready" });
  expect(posted.filter(({ type }) => type === "focus")).toHaveLength(1);
});

test("changes are handed on as they come", async () => {
  const { cards, apply, posted } = open();
  await cards.receive({ type: "ready" });
  posted.length = 0;
  apply({ items: [item("q", { state: "streaming", payload: { question: "W", suggest: [] } })] });
  apply({ grown: [{ questionId: "q", text: "hy?", suggest: [{ answer: "So" }] }] });
  apply({ removed: ["q"] });
  expect(posted).toMatchObject([
    { type: "ask", payload: { question: "W", suggest: [] }, meta: { state: "streaming" } },
    { type: "append", id: "q", text: "hy?", suggest: [{ answer: "So" }] },
    { type: "remove", id: "q" },
  ]);
});

test("answers and dismissals go to the sidecar; an image's name does not", async () => {
  const { cards, requests } = open();
  const images = [{ mimeType: "image/png", data: "AA==", name: "secret.png" } as const];
  await cards.receive({ type: "answer", id: "q", answer: { provenance: "clicked", suggestion: 1 } });
  await cards.receive({
    type: "answer",
    id: "q",
    answer: { provenance: "edited", suggestion: 0, text: " a ", mode: "code", images },
  });
  await cards.receive({ type: "dismiss", id: "q" });
  expect(requests).toEqual([
    ["question/answer", { questionId: "q", provenance: "clicked", suggestion: 1 }],
    [
      "question/answer",
      {
        questionId: "q",
        provenance: "edited",
        suggestion: 0,
        text: " a ",
        mode: "code",
        images: [{ mimeType: "image/png", data: "AA==" }],
      },
    ],
    ["question/dismiss", { questionId: "q" }],
  ]);
});

test("a questionnaire is shown and grows as what it is", async () => {
  const { cards, apply, posted } = open();
  await cards.receive({ type: "ready" });
  posted.length = 0;
  const payload = { questions: [{ question: "W", header: "", options: [], multiSelect: false }] };
  apply({ items: [item("q", { state: "streaming", tool: "AskUserQuestion", payload })] });
  const parts = [{ index: 0, text: "hy?", options: [{ label: "So", description: "" }] }];
  apply({ grown: [{ questionId: "q", parts }] });
  const markdown = [{ kind: "emphasis" as const, text: "Why?" }];
  const rendered = { questions: [{ question: markdown, options: [] }] };
  apply({ items: [item("q", { payload, rendered }), item("f", { rendered: { question: markdown } })] });
  expect(posted).toMatchObject([
    { type: "ask", ask: "questions", payload, meta: { state: "streaming" } },
    { type: "append", id: "q", parts },
    { type: "ask", ask: "questions", payload, rendered, meta: { state: "pending" } },
    { type: "ask", ask: "followup", rendered: { question: markdown } },
  ]);
});

test("picks and replies go to the sidecar; an image's name does not", async () => {
  const { cards, requests } = open();
  const images = [{ mimeType: "image/png", data: "AA==", name: "secret.png" } as const];
  const picks = [{ options: [1], notes: " n " }, {}];
  await cards.receive({ type: "answerQuestions", id: "q", answer: { picks, images: [...images] } });
  await cards.receive({ type: "answerQuestions", id: "q", answer: { picks } });
  await cards.receive({ type: "reply", id: "q", reply: { text: " why ", picks, images: [...images] } });
  const sent = [{ mimeType: "image/png", data: "AA==" }];
  expect(requests).toEqual([
    ["question/answer", { questionId: "q", provenance: "clicked", picks, images: sent }],
    ["question/answer", { questionId: "q", provenance: "clicked", picks }],
    ["question/reply", { questionId: "q", text: " why ", picks, images: sent }],
  ]);
});

test("a reply that is refused is told, too", async () => {
  const { cards, posted, apply, answerWith } = open();
  await cards.receive({ type: "ready" });
  apply({ items: [item("q")] });
  answerWith(new ResponseError(CodeRefused, "No."));
  await cards.receive({ type: "reply", id: "q", reply: { text: "why", picks: [] } });
  expect(posted.at(-1)).toEqual({ type: "refused", id: "q", message: "No." });
});

test("only links to the web and to mail are opened", async () => {
  const { cards, links } = open();
  for (const href of [
    "https://a.example/",
    "http://a.example/",
    "mailto:a@b.example",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "command:workbench.action.quit",
    "vscode://x/y",
    "nonsense",
  ]) {
    await cards.receive({ type: "openLink", href });
  }
  expect(links).toEqual(["https://a.example/", "http://a.example/", "mailto:a@b.example"]);
});

test("an answer that is refused is told with the sidecar's words, and the draft stays", async () => {
  const { cards, posted, apply, answerWith, drafts } = open();
  await cards.receive({ type: "ready" });
  apply({ items: [item("q")] });
  await cards.receive({ type: "draft", id: "q", draft: draft("mine") });
  answerWith(new ResponseError(CodeRefused, "The image is too large."));
  await cards.receive({ type: "answer", id: "q", answer: { provenance: "typed", text: "mine" } });
  expect(posted.at(-1)).toEqual({ type: "refused", id: "q", message: "The image is too large." });
  expect(drafts.all()).toEqual({ q: draft("mine") });
});

test("a question that had an outcome already closes with that one", async () => {
  const { cards, posted, apply, answerWith } = open();
  await cards.receive({ type: "ready" });
  apply({ items: [item("q")] });
  answerWith({ accepted: false, outcome: { ...outcome, text: "the first one" } });
  await cards.receive({ type: "answer", id: "q", answer: { provenance: "typed", text: "the second one" } });
  expect(posted.at(-1)).toMatchObject({
    type: "ask",
    meta: { id: "q", state: "closed", outcome: { text: "the first one" } },
  });
});

test("a draft ends with its question, and none is kept for a closed one", async () => {
  const { cards, apply, drafts } = open();
  apply({ items: [item("a"), item("b")] });
  await cards.receive({ type: "draft", id: "a", draft: draft("x") });
  await cards.receive({ type: "draft", id: "b", draft: draft("y") });
  apply({ items: [item("a", { state: "closed", outcome })], removed: ["b"] });
  await cards.receive({ type: "draft", id: "a", draft: draft("late") });
  expect(drafts.all()).toEqual({});
});

test("what the user has cleared is not shown again, and nothing open can be cleared", async () => {
  const { cards, apply, posted } = open();
  apply({
    items: [
      item("done", { state: "closed", outcome }),
      item("kept", { state: "closed", outcome }),
      item("open"),
    ],
  });
  await cards.receive({ type: "clear", ids: ["done", "open", "never heard of"] });
  await cards.receive({ type: "ready" });
  const shown = posted.flatMap((message) => (message.type === "ask" ? [message.meta.id] : []));
  expect(shown.sort()).toEqual(["kept", "open"]);
  cards.clearClosed();
  expect(posted.at(-1)).toEqual({ type: "clearClosed" });
});

test("what the interface asks of the editor is passed on", async () => {
  const { cards, acts } = open();
  for (const type of ["escape", "openLog", "restart", "askSample"] as const) {
    await cards.receive({ type });
  }
  expect(acts).toEqual(["escape", "openLog", "restart", "askSample"]);
});

test("an interface that is gone is told nothing", async () => {
  const { cards, apply, posted } = open();
  await cards.receive({ type: "ready" });
  cards.detach();
  posted.length = 0;
  apply({ items: [item("q")] });
  expect(posted).toEqual([]);
});

test("only links that an agent may give are opened", async () => {
  const { cards, links } = open();
  for (const href of [
    "https://example.org/a?b#c",
    "mailto:a@example.org",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "x",
  ]) {
    await cards.receive({ type: "openLink", href });
  }
  expect(links).toEqual(["https://example.org/a?b#c", "mailto:a@example.org"]);
});

test("a draft that was saved comes with its card, the newest one", async () => {
  const { cards, apply, posted, drafts } = open();
  await cards.receive({ type: "ready" });
  apply({ items: [item("q", { draft: { text: "saved", changedAt: 5 } })] });
  expect(posted.at(-1)).toMatchObject({ meta: { id: "q", draft: { text: "saved" } } });
  drafts.set("q", { text: "newer", changedAt: 9 });
  apply({ items: [item("q", { draft: { text: "saved", changedAt: 5 } })] });
  expect(posted.at(-1)).toMatchObject({ meta: { id: "q", draft: { text: "newer" } } });
});

test("a question of another window says where it was asked, and one whose agent is gone that it is", async () => {
  const { cards, apply, posted } = open();
  await cards.receive({ type: "ready" });
  posted.length = 0;
  const there = { uri: "file:///there", name: "there" };
  apply({
    items: [
      item("a", { workspaces: [{ uri: "file:///here", name: "here" }, there] }),
      item("b", { workspaces: [there], orphaned: true }),
    ],
  });
  expect(posted.map((message) => message.type === "ask" && message.meta)).toMatchObject([
    { id: "a", elsewhere: undefined },
    { id: "b", elsewhere: "there", orphaned: true },
  ]);
});

test("trouble with saving is told until it is over", async () => {
  const { cards, posted } = open();
  cards.showStorage("The disk is full.");
  await cards.receive({ type: "ready" });
  expect(posted.at(-1)).toEqual({ type: "storage", problem: "The disk is full." });
  cards.showStorage(null);
  expect(posted.at(-1)).toEqual({ type: "storage", problem: null });
});
