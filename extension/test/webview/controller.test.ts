// The controller's requests to the sidecar, and its handling of the answers, without a page.

import { describe, expect, it } from "vitest";
import { CodeNotAsked, CodeRefused, type InboxItem } from "../../src/protocol.gen";
import { Controller } from "../../webview/controller";
import { Kept } from "../../webview/kept";
import { Link } from "../../webview/link";
import { onePixel, sentPixel, styling } from "./questions";

const item = (questionId: string, more: Partial<InboxItem> = {}): InboxItem => ({
  questionId,
  session: "s",
  agent: "Agent",
  tool: "ask_followup_question",
  state: "pending",
  ask: "followup",
  payload: styling,
  askedAt: 1,
  order: 1,
  ...more,
});
const outcome = { outcome: "answered", provenance: "typed", text: "theirs", at: 5 } as const;
const host = {
  strings: {},
  locale: "en",
  folders: ["file:///here"],
  keep: true,
  commands: [],
  trouble: null,
};
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** An opened page with a question, and the other end of its link. */
function open(...items: InboxItem[]) {
  return openOn(new Map(), ...items);
}

/** Like open, with earlier stored data. */
async function openOn(stored: Map<string, string>, ...items: InboxItem[]) {
  return openAgain(stored, new Map(), ...items);
}

/** Like open, after a reload of the page. */
async function openAgain(stored: Map<string, string>, session: Map<string, string>, ...items: InboxItem[]) {
  const sent: { id?: number; method: string; params: Record<string, unknown> }[] = [];
  let connected = true;
  const link = new Link((message) => connected && sent.push(message as never) > 0);
  const controller = new Controller(
    link,
    new Kept(
      () => storageOf(stored),
      () => storageOf(session),
    ),
  );
  const tell = (method: string, params: unknown) => link.receive({ jsonrpc: "2.0", method, params });
  const requests = (method: string) => sent.filter((message) => message.method === method);
  const answer = async (method: string, said: { result?: unknown; error?: unknown }, of?: string) => {
    const about = requests(method).filter(({ params }) => of === undefined || params.questionId === of);
    link.receive({ jsonrpc: "2.0", id: about.at(-1)?.id, ...said });
    await settled();
  };
  const started = controller.start();
  await answer("host/open", { result: host });
  await answer("inbox/subscribe", { result: { items } });
  await started;
  const card = (id = "a") => controller.state.cards.find((each) => each.id === id);
  const disconnect = () => {
    connected = false;
    link.lost();
  };
  return { controller, link, sent, requests, answer, tell, card, disconnect, stored, session };
}

function storageOf(stored: Map<string, string>): Storage {
  return new Proxy({} as Storage, {
    get: (_, name) =>
      ({
        getItem: (key: string) => stored.get(key) ?? null,
        setItem: (key: string, value: string) => stored.set(key, value),
        removeItem: (key: string) => stored.delete(key),
      })[String(name)],
    ownKeys: () => [...stored.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
}

/** The sidecar's error for an unknown question. */
const unknown = { code: CodeRefused, message: "No such question." };

describe("an answer", () => {
  it("names the question and omits the images' names", async () => {
    const { controller, requests } = await open(item("a"));
    controller.redraft("a", () => ({ text: " mine ", images: [{ ...onePixel, hash: "h" }] }));
    controller.submit("a");
    expect(requests("question/answer").map(({ params }) => params)).toEqual([
      { questionId: "a", provenance: "typed", text: " mine ", images: [sentPixel] },
    ]);
    controller.submit("a");
    expect(requests("question/answer")).toHaveLength(1);
  });

  it("that comes second closes the card with the first one", async () => {
    const { controller, answer, card } = await open(item("a"));
    controller.choose("a", 0);
    expect(card()?.phase).toBe("sending");
    await answer("question/answer", { result: { accepted: false, outcome } });
    expect(card()).toMatchObject({ phase: "closed", outcome });
  });

  it("that is refused reopens the card with the sidecar's message and the draft", async () => {
    const { controller, answer, card } = await open(item("a"));
    controller.redraft("a", (draft) => ({ ...draft, text: "mine" }));
    controller.submit("a");
    await answer("question/answer", { error: { code: CodeRefused, message: "The disk is full." } });
    expect(card()).toMatchObject({ phase: "pending", refused: "The disk is full.", draft: { text: "mine" } });
  });

  it("is resent after a lost connection, unless it had arrived", async () => {
    const { controller, link, requests, tell, card } = await open(item("a"), item("b", { order: 2 }));
    controller.choose("a", 0);
    controller.gesture.press({ type: "click", timeStamp: 5000 } as Event);
    controller.choose("b", 1);
    link.lost();
    await settled();
    expect([card("a")?.phase, card("b")?.phase]).toEqual(["sending", "sending"]);
    const over = item("b", { state: "closed", order: 2, outcome });
    tell("host/didSubscribe", { items: [item("a"), over] });
    expect(requests("question/answer").map(({ params }) => params.questionId)).toEqual(["a", "b", "a"]);
    expect([card("a")?.phase, card("b")?.phase]).toEqual(["sending", "closed"]);
  });
});

describe("an answer accepted before the connection was lost", () => {
  it("closes its card on the reply, because no change does", async () => {
    const { controller, answer, tell, card } = await open(item("a"));
    controller.choose("a", 0);
    tell("host/didSubscribe", { items: [item("a")] });
    await answer("question/answer", { result: { accepted: true, outcome } });
    expect(card("a")).toMatchObject({ phase: "closed", outcome, answeredHere: true });
    tell("inbox/didChange", { items: [item("a", { state: "closed", outcome })] });
    expect(card("a")).toMatchObject({ phase: "closed", outcome, answeredHere: true });
  });
});

describe("a snapshot", () => {
  it("replaces the open questions", async () => {
    const { controller, answer, tell } = await open(item("gone"), item("kept", { order: 2 }));
    const shown = () => controller.state.cards.map(({ id, phase }) => `${id} ${phase}`);
    tell("host/didSubscribe", { items: [item("kept", { order: 2 }), item("new", { order: 3 })] });
    expect(shown()).toEqual(["gone pending", "kept pending", "new pending"]);
    await answer("history/get", { error: unknown });
    expect(shown()).toEqual(["gone closed", "kept pending", "new pending"]);
  });

  it("in several parts ends nothing before its last part", async () => {
    const { controller, answer, requests, tell } = await open(
      item("a"),
      item("b", { order: 2 }),
      item("c", { order: 3 }),
    );
    const shown = () => controller.state.cards.flatMap(({ id, phase }) => (phase === "closed" ? [] : id));
    tell("host/didSubscribe", { items: [item("a")], more: 2 });
    tell("inbox/didChange", { items: [item("b", { order: 2 })], more: 1 });
    expect(requests("history/get")).toEqual([]);
    tell("inbox/didChange", { items: [item("d", { order: 4 })] });
    await answer("history/get", { error: unknown });
    expect(shown()).toEqual(["a", "b", "d"]);
  });

  it("keeps the text of a missing question, and closed cards unchanged", async () => {
    const { controller, answer, tell, card } = await open(item("a"));
    tell("inbox/didChange", { items: [item("b", { state: "closed", outcome })] });
    controller.redraft("a", (draft) => ({ ...draft, text: "mine" }));
    tell("host/didSubscribe", { items: [] });
    await answer("history/get", { error: unknown });
    expect(card()).toMatchObject({ phase: "closed", draft: { text: "mine" } });
    expect(card("b")).toMatchObject({ phase: "closed", outcome });
  });

  it("triggers resending of unsaved drafts, with the images that the sidecar lacks", async () => {
    const { controller, requests, answer, tell } = await open(item("a"));
    const image = { ...onePixel, hash: "h" };
    controller.redraft("a", () => ({ text: "one", images: [image] }));
    controller.drafts.flush();
    await answer("question/saveDraft", { result: {} });
    controller.redraft("a", () => ({ text: "two", images: [image] }));
    controller.drafts.flush();
    tell("host/didSubscribe", { items: [item("a")] });
    await answer("question/saveDraft", { result: { missing: ["h"] } });
    const drafts = requests("question/saveDraft").map(
      ({ params }) => params.draft as { text: string; images: object[] },
    );
    const { data: _, ...slim } = image;
    expect(drafts.map(({ text, images }) => [text, images])).toEqual([
      ["one", [image]],
      ["two", [slim]],
      ["two", [slim]],
      ["two", [image]],
    ]);
  });
});

describe("a reloaded page", () => {
  const ended = (id: string) => ({ items: [{ ...item(id), state: "closed", outcome }] });

  it("shows closed cards only if they have unsent text", async () => {
    const first = await open(item("a"), item("b"));
    first.controller.redraft("b", (draft) => ({ ...draft, text: "mine" }));
    first.tell("inbox/didChange", ended("a"));
    first.tell("inbox/didChange", ended("b"));
    const { controller } = await openAgain(first.stored, first.session, item("d"));
    expect(controller.state.cards.map(({ id, phase }) => `${id} ${phase}`)).toEqual([
      "b closed",
      "d pending",
    ]);
  });

  it("drops text that the agent received after all", async () => {
    const words = "long words ".repeat(3000);
    const first = await open(item("a"));
    first.controller.redraft("a", (draft) => ({ ...draft, text: words }));
    first.controller.submit("a");
    first.link.lost();
    await settled();
    expect([...first.stored.keys()]).toEqual(["followup.kept.a"]);
    const { answer, card, stored } = await openAgain(first.stored, first.session);
    await answer("question/saveDraft", { error: unknown });
    expect(card("a")).toBeUndefined();
    expect([...stored.keys()]).toEqual([]);
  });

  it("does not show cleared cards", async () => {
    const first = await open(item("a"));
    first.controller.redraft("a", (draft) => ({ ...draft, text: "mine" }));
    first.tell("inbox/didChange", ended("a"));
    first.controller.clear(["a"]);
    const { card } = await openAgain(first.stored, first.session);
    expect(card("a")).toBeUndefined();
  });
});

it("files a kept card under its question's id", async () => {
  const other = { id: "other", ask: "followup", agent: "Roo Code", askedAt: 1, order: 1, parts: [] };
  const closed = { ...other, phase: "closed", outcome, draft: { text: "mine", images: [] } };
  const { card, controller, stored } = await openOn(
    new Map([["followup.kept.a", JSON.stringify({ closed })]]),
  );
  expect(card("a")).toMatchObject({ phase: "closed", draft: { text: "mine" } });
  controller.clear(["a"]);
  expect([...stored.keys()]).toEqual([]);
});

describe("a question missing after a reconnect", () => {
  const again = { items: [] };

  it("shows the answer that had arrived, without unsent text", async () => {
    const { controller, answer, tell, link, card, stored } = await open(item("a"), item("b"));
    controller.redraft("a", (draft) => ({ ...draft, text: "mine" }));
    controller.submit("a");
    controller.gesture.press({ type: "click", timeStamp: 5000 } as Event);
    controller.choose("b", 0);
    link.lost();
    await settled();
    tell("host/didSubscribe", again);
    expect(card("b")?.phase).toBe("sending");
    await answer("history/get", { result: { outcome } }, "b");
    await answer("history/get", { result: { outcome: { ...outcome, text: "mine" } } }, "a");
    expect(card("a")).toMatchObject({ phase: "closed", outcome: { text: "mine" } });
    expect(card("a")?.draft).toBeUndefined();
    expect(card("b")).toMatchObject({ phase: "closed", outcome });
    expect([...stored.keys()]).toEqual([]);
  });

  it("shows unsent text beside the other answer", async () => {
    const { controller, answer, tell, card } = await open(item("a"));
    controller.redraft("a", (draft) => ({ ...draft, text: "mine" }));
    tell("host/didSubscribe", again);
    await answer("history/get", { result: { outcome } });
    expect(card()).toMatchObject({ phase: "closed", outcome, draft: { text: "mine" } });
  });

  it("counts as withdrawn if the history does not have it, and is looked up again after a failed request", async () => {
    const { controller, answer, requests, tell, card } = await open(item("a"));
    controller.redraft("a", (draft) => ({ ...draft, text: "mine" }));
    tell("host/didSubscribe", again);
    await answer("history/get", { error: { code: CodeNotAsked, message: "" } });
    tell("host/didSubscribe", again);
    await answer("history/get", { error: { code: CodeRefused, message: "No such entry." } });
    tell("host/didSubscribe", again);
    expect(requests("history/get")).toHaveLength(2);
    const withdrawn = { outcome: "withdrawn" };
    expect(card()).toMatchObject({ phase: "closed", outcome: withdrawn, draft: { text: "mine" } });
  });

  it("stays open if it returns meanwhile", async () => {
    const { answer, tell, card } = await open(item("a"));
    tell("host/didSubscribe", again);
    tell("inbox/didChange", { items: [item("a")] });
    await answer("history/get", { error: { code: CodeRefused, message: "" } });
    expect(card()?.phase).toBe("pending");
  });
});

it("a page leaves alone what another page of the same storage keeps", async () => {
  const { stored, tell } = await open(item("a"));
  stored.set("followup.kept.a", "{}");
  tell("inbox/didChange", { items: [item("a", { state: "closed", outcome })] });
  expect([...stored.keys()]).toEqual(["followup.kept.a"]);
});

it("shows a draft whole if its image is already known and the sidecar sends only the hash", async () => {
  const image = { ...onePixel, hash: "h" };
  const { tell, card } = await open(item("a", { draft: { text: "one", images: [image], changedAt: 1 } }));
  const { data: _, ...slim } = image;
  tell("inbox/didChange", { items: [item("a", { draft: { text: "two", images: [slim], changedAt: 2 } })] });
  expect(card()?.draft).toMatchObject({ text: "two", images: [image] });
});

it("saves an unacknowledged draft from the next page", async () => {
  const first = await open(item("a"));
  first.disconnect();
  first.controller.redraft("a", (draft) => ({ ...draft, text: "mine" }));
  first.controller.drafts.flush();
  await settled();
  expect([...first.stored.keys()]).toEqual(["followup.kept.a"]);
});

it("keeps a draft with the page if the sidecar cannot be reached", async () => {
  const { controller, answer, requests, tell, stored } = await open(item("a"));
  controller.redraft("a", (draft) => ({ ...draft, text: "mine" }));
  controller.drafts.flush();
  await answer("question/saveDraft", { error: { code: CodeNotAsked, message: "It does not run." } });
  expect([...stored.keys()]).toEqual(["followup.kept.a"]);
  tell("host/didSubscribe", { items: [item("a")] });
  expect(requests("question/saveDraft")).toHaveLength(2);
  await answer("question/saveDraft", { error: { code: CodeRefused, message: "It is closed." } });
  expect([...stored.keys()]).toEqual([]);
});

it("gets an image that was kept only by hash from the sidecar", async () => {
  const image = { ...onePixel, hash: "h" };
  const { data: _, ...slim } = image;
  const kept = { draft: { text: "newer", images: [slim], changedAt: Date.now() } };
  const stored = new Map([["followup.kept.a", JSON.stringify(kept)]]);
  const { card } = await openOn(
    stored,
    item("a", { draft: { text: "older", images: [image], changedAt: 1 } }),
  );
  expect(card()?.draft).toMatchObject({ text: "newer", images: [image] });
});

it("keeps text whose images do not fit, and foreign entries hide nothing", () => {
  const stored = new Map([["followup.kept.b", "no JSON"]]);
  const storage = storageOf(stored);
  const full = new Proxy(storage, {
    get: (target, name) =>
      name === "setItem"
        ? (key: string, value: string) => {
            if (value.includes('"data"')) throw new DOMException("full", "QuotaExceededError");
            target.setItem(key, value);
          }
        : Reflect.get(target, name),
  });
  const kept = new Kept(() => full);
  const image = { ...onePixel, hash: "h" };
  const { data: _, ...named } = image;
  kept.put("a", { draft: { text: "mine", images: [image] } });
  expect(kept.all()).toEqual([["a", { draft: { text: "mine", images: [named] } }]]);
});

it("names the other window in which a question was asked", async () => {
  const there = { uri: "file:///there", name: "there" };
  const here = { uri: "file:///here", name: "here" };
  const { card, tell } = await open(
    item("a", { workspaces: [here, there] }),
    item("b", { workspaces: [there] }),
    item("c"),
  );
  expect(["a", "b", "c"].map((id) => card(id)?.elsewhere)).toEqual([undefined, "there", undefined]);
  tell("host/didChange", { folders: ["file:///there"] });
  expect(["a", "b", "c"].map((id) => card(id)?.elsewhere)).toEqual([undefined, undefined, undefined]);
});

it("reports each editor file that cannot be read", async () => {
  const { controller, disconnect } = await open(item("a"));
  const read = controller.readFiles(["file:///a", "file:///b"], 2);
  disconnect();
  expect(await read).toEqual([
    { name: "file:///a", refused: "notRead" },
    { name: "file:///b", refused: "notRead" },
  ]);
});

describe("a touch", () => {
  it("during a lost connection is repeated after the reconnect", async () => {
    const timed = item("a", { timer: { left: 5000 } });
    const { controller, requests, answer, tell } = await open(timed);
    controller.touch("a");
    controller.touch("a");
    expect(requests("question/touch")).toHaveLength(1);
    await answer("question/touch", { error: { code: CodeNotAsked, message: "away" } });
    tell("host/didSubscribe", { items: [structuredClone(timed)] });
    expect(requests("question/touch")).toHaveLength(2);
  });
});
