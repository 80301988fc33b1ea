// The pipe between the pages and the sidecar: what it passes, and what it blocks.

import { expect, test } from "vitest";
import { Emitter, ErrorCodes, ResponseError } from "vscode-jsonrpc";
import { messageLimit, Pages, type PagesOptions } from "../../src/page/pages";
import * as protocol from "../../src/protocol.gen";
import type { Connection } from "../../src/sidecar/connection";
import { passes } from "../wait";
import { FakeLog } from "./fake/log";

interface Posted {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

/** Pages with a sidecar that echoes its requests, and one of these pages. */
const strings = { key: "text", "problem.tooLong": "Too long." };

function open() {
  const requests: [string, unknown][] = [];
  const calls: unknown[][] = [];
  const log = new FakeLog();
  const inbox = { items: [] };
  let reply: (method: string) => unknown = (method) => (method === "inbox/subscribe" ? inbox : { method });
  /** The pages' listeners to the sidecar's notifications, by method. */
  const listeners = new Map<string, (params: unknown) => void>();
  let connected: (connection: Connection) => Promise<void> = async () => {};
  const note =
    (name: string) =>
    async (...args: unknown[]) =>
      void calls.push([name, ...args]);
  const options: PagesOptions = {
    state: { strings, locale: "fr", folders: [], keep: true, phrases: [], commands: [], trouble: null },
    sidecar: {
      addParticipant: (participant) => {
        connected = participant;
      },
      request: async ({ method }, params) => {
        requests.push([method, params]);
        return (await reply(method)) as never;
      },
    },
    host: {
      readFiles: async ({ uris, room, bytes }) => ({
        files: [{ name: [...uris, room, bytes].join(), path: "p" }],
      }),
      openLink: note("link"),
      findPlaces: async ({ texts }) => ({
        places: texts.map((_, text) => ({ text, start: 0, end: 1, file: "/a" })),
      }),
      openPlace: note("place"),
      openDiff: note("diff"),
      findFiles: async ({ text }) => ({ files: [text] }),
      didFocus: note("focused"),
      setPhrases: note("phrases"),
      openQuestion: note("openQuestion"),
      copy: note("copy"),
      confirmDelete: async ({ count }) => ({ confirmed: count === 2 }),
      export: note("export"),
      run: note("run"),
    },
    log,
  };
  const pages = new Pages(options);
  /** A page; `hear` is called with each message. */
  const join = (hear: (message: Posted) => void = () => {}) => {
    const posted: Posted[] = [];
    const messages = new Emitter<unknown>();
    const post = (message: unknown) => {
      posted.push(message as Posted);
      hear(message as Posted);
    };
    const page = pages.create();
    page.connect({ post, onMessage: messages.event });
    const say = (message: unknown) => messages.fire(message);
    let count = 0;
    const ask = async (method: string, params: unknown = {}) => {
      const id = ++count;
      say({ jsonrpc: "2.0", id, method, params });
      return passes(() => {
        const answer = posted.find((each) => each.id === id);
        if (!answer) throw new Error(`${method} was not answered`);
        return answer;
      });
    };
    const tell = (method: string, params: unknown = {}) => say({ jsonrpc: "2.0", method, params });
    /** The notifications that it got, once all its messages are handled. */
    const notices = async () => {
      await ask("host/open");
      return posted.filter(({ id }) => id === undefined).map(({ method, params }) => [method, params]);
    };
    return { page, posted, say, ask, tell, notices };
  };
  const answerBy = (next: typeof reply) => {
    reply = next;
  };
  /** A sidecar process connects. */
  const connect = () =>
    connected({
      on: ({ method }: { method: string }, listener: (params: unknown) => void) =>
        listeners.set(method, listener),
      request: async () => inbox,
    } as never);
  const notify = (method: string) => listeners.get(method)?.({ method });
  return { pages, join, requests, calls, log, answerBy, connect, notify };
}

/** The methods of all requests and notifications. */
const methods = (module: object) =>
  Object.values(module).flatMap((value) =>
    typeof value === "object" && value !== null && "method" in value ? [String(value.method)] : [],
  );

test("a page reaches only the sidecar's methods for interfaces", async () => {
  const { join, requests, log } = open();
  const { ask, tell, notices } = join();
  const all = methods(protocol);
  expect(all.length).toBeGreaterThan(30);
  const reached: string[] = [];
  for (const method of [...all, "host/quit", "rpc.exit", "__proto__", "constructor"]) {
    const { error } = await ask(method, { method });
    tell(method, { method }); // without an id, it has no effect
    if (!error) {
      reached.push(method);
    } else {
      expect(error.code, method).toBe(-32601);
    }
  }
  await notices();
  const { cancelRequest, interfaceMethods, inboxSubscribe } = protocol;
  const expected = [...interfaceMethods].filter((method) => method !== cancelRequest.method);
  expect(reached.sort()).toEqual(expected.sort());
  // Each was sent once, by the request only; a subscription has no params.
  const params = (method: string) => (method === inboxSubscribe.method ? {} : { method });
  expect(requests).toEqual(expect.arrayContaining(expected.map((method) => [method, params(method)])));
  expect(requests).toHaveLength(expected.length);
  expect(log.lines.filter((line) => line.includes("a page may not ask for it")).length).toBeGreaterThan(20);
});

test("forwards a saved draft to other pages unless it was not kept, and a page can show a single question", async () => {
  const { pages, join, answerBy } = open();
  const [one, other] = [join(), join()];
  await one.notices();
  await other.notices();
  const saved = { questionId: "q", draft: { text: "a", changedAt: 1 } };
  await one.ask("question/saveDraft", saved);
  answerBy(async () => ({ missing: ["hash"] }));
  await one.ask("question/saveDraft", { ...saved, draft: { text: "b" } });
  expect(await other.notices()).toEqual([["host/didSaveDraft", saved]]);
  expect(await one.notices()).toEqual([]);
  const posted: Posted[] = [];
  const messages = new Emitter<unknown>();
  pages
    .create("q")
    .connect({ post: (message: unknown) => posted.push(message as Posted), onMessage: messages.event });
  messages.fire({ jsonrpc: "2.0", id: 1, method: "host/open", params: {} });
  await passes(() => expect(posted[0]?.result).toMatchObject({ only: "q" }));
});

test("forwards only inbox and history notifications, and restarts both for each new process", async () => {
  const { join, connect, notify } = open();
  const { notices } = join();
  await notices();
  await connect();
  expect(await notices()).toEqual([
    ["history/didChange", {}],
    ["host/didSubscribe", { items: [] }],
  ]);
  methods(protocol).forEach(notify);
  const posted = (await notices()).slice(2).map(([method]) => method);
  expect(posted.sort()).toEqual(["history/didChange", "inbox/didChange"]);
});

test("returns the sidecar's answers, and its errors with code and message", async () => {
  const { join, requests, answerBy } = open();
  const { ask } = join();
  const params = { questionId: "q", provenance: "typed", text: " a " };
  expect((await ask("question/answer", params)).result).toEqual({ method: "question/answer" });
  expect(requests).toEqual([["question/answer", params]]);
  answerBy(() => {
    throw new ResponseError(protocol.CodeRefused, "The disk is full.");
  });
  expect((await ask("question/answer", params)).error).toEqual({
    code: protocol.CodeRefused,
    message: "The disk is full.",
  });
  answerBy(() => {
    throw new Error("There is no sidecar.");
  });
  expect((await ask("question/answer", params)).error).toEqual({
    code: protocol.CodeNotAsked,
    message: "There is no sidecar.",
  });
});

test("ignores invalid and oversized messages", async () => {
  const { join, requests } = open();
  const { say, ask, posted } = join();
  const deep: unknown[] = [];
  for (let depth = 0, at = deep; depth < 50_000; depth++) {
    const next: unknown[] = [];
    at.push(next);
    at = next;
  }
  const strange = [
    null,
    1,
    "x",
    [],
    {},
    { jsonrpc: "2.0" },
    { id: {}, method: 5 },
    { id: 9, result: 1 },
    { method: "" },
  ];
  strange.forEach(say);
  const text = "x".repeat(messageLimit);
  say({ jsonrpc: "2.0", id: 7, method: "question/saveDraft", params: { questionId: "q", draft: { text } } });
  say({ jsonrpc: "2.0", id: 8, method: "host/open", params: deep });
  const tooLong = { code: ErrorCodes.InvalidRequest, message: "Too long." };
  await passes(() => expect(posted.find(({ id }) => id === 7)?.error).toEqual(tooLong));
  expect((await ask("history/facets")).result).toEqual({ method: "history/facets" });
  expect(requests).toEqual([["history/facets", {}]]);
});

test("sends a page nothing before it opens, then the state and the focus", async () => {
  const { pages, join } = open();
  const { page, posted, ask, notices } = join();
  pages.create().send(protocol.hostFocus, { on: "list" }); // before a webview shows it
  pages.change({ trouble: { message: "down", restarting: true } });
  page.send(protocol.hostFocus, { on: "search" });
  expect(posted).toEqual([]);
  expect((await ask("host/open")).result).toEqual({
    strings,
    locale: "fr",
    folders: [],
    keep: true,
    phrases: [],
    commands: [],
    trouble: { message: "down", restarting: true },
  });
  pages.change({ trouble: null });
  expect(await notices()).toEqual([
    ["host/focus", { on: "search" }],
    ["host/didChange", { trouble: null }],
  ]);
});

test("sends changes after the pending answer to a page's first request", async () => {
  const { pages, join } = open();
  const { posted, ask, notices } = join((message) => {
    if (message.id === 1) {
      pages.change({ trouble: { message: "down", restarting: true } });
    }
  });
  expect((await ask("host/open")).result).toMatchObject({ trouble: null });
  await passes(() => expect(posted).toHaveLength(2));
  expect(posted[1]).toMatchObject({ method: "host/didChange", params: { trouble: { message: "down" } } });
  expect(await notices()).toHaveLength(1);
});

test("when one page subscribes, the other pages' changes restart, too", async () => {
  const { join } = open();
  const [one, two] = [join(), join()];
  await Promise.all([one.notices(), two.notices()]);
  expect((await one.ask("inbox/subscribe")).result).toEqual({ items: [] });
  expect(await one.notices()).toEqual([]);
  expect(await two.notices()).toEqual([["host/didSubscribe", { items: [] }]]);
});

test("forgets what a closed page showed of the history", async () => {
  const { pages, join } = open();
  const { page, ask } = join();
  await ask("host/didShow", { text: "port", filter: {} });
  expect(pages.shown).toEqual({ text: "port", filter: {} });
  page.dispose();
  expect(pages.shown).toBeUndefined();
});

test("sends a closed page nothing and ignores its messages", async () => {
  const { pages, join, requests } = open();
  const { page, posted, notices, tell } = join();
  await notices();
  page.dispose();
  posted.length = 0;
  pages.change({ keep: false });
  tell("question/dismiss", { questionId: "q" });
  expect([posted, requests]).toEqual([[], []]);
});

test("leaves editor functions to the host", async () => {
  const { pages, join, calls } = open();
  const { ask } = join();
  const files = await ask("host/readFiles", { uris: ["a", "b"], room: 2, bytes: 3 });
  expect(files.result).toEqual({ files: [{ name: "a,b,2,3", path: "p" }] });
  expect((await ask("host/confirmDelete", { count: 2 })).result).toEqual({ confirmed: true });
  await ask("host/copy", { text: "an answer" });
  await ask("host/export", { target: { questionIds: ["a"] } });
  await ask("host/run", { command: "escape" });
  await ask("host/didShow", { text: "x", filter: { agents: ["A"] } });
  expect(calls).toEqual([
    ["copy", { text: "an answer" }],
    ["export", { target: { questionIds: ["a"] } }],
    ["run", { command: "escape" }],
  ]);
  expect(pages.shown).toEqual({ text: "x", filter: { agents: ["A"] } });
});
