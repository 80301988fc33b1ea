// The rules of acts, without a page: what a key is for, how long what has changed rests, what becomes of a card that
// closes under the user's hands.

import { afterEach, describe, expect, it, vi } from "vitest";
import type { SaveDraftParams, SaveDraftResult } from "../../src/protocol.gen";
import type { AnswerImage } from "../../webview/answer";
import { type Attention, digitTarget, nowhere, sameAttention } from "../../webview/attention";
import { closedKept } from "../../webview/cards";
import { DraftKeeper } from "../../webview/drafts";
import { ActGuard, type Layout, type Place, restTime } from "../../webview/guard";
import { fromKept, Kept, toKept } from "../../webview/kept";
import { RequestError } from "../../webview/link";
import { initialState, reduce as reduceEvent, type ViewEvent, type ViewState } from "../../webview/state";
import { ask, askAll, database, four } from "./questions";
import { eventOf, type Told } from "./script";

type Step = Told | ViewEvent;
const reduce = (state: ViewState, event: Step) => reduceEvent(state, eventOf(event));
const run = (...events: Step[]) => events.reduce(reduce, initialState);
const inCard = (id: string, writing = false): Attention => ({ at: "card", id, writing });
const attends = (attention: Attention): ViewEvent => ({ type: "attended", attention });
const drafted = (id: string, text: string): ViewEvent => ({
  type: "drafted",
  id,
  draft: { text, images: [] },
});
const withdrawn = { outcome: "withdrawn", at: 1 } as const;
const closed = (id: string, more = {}) => ask(id, "closed", { outcome: withdrawn, ...more });

describe("the guard", () => {
  const [one, two] = [{}, {}];
  const layout = (...places: [object, Place][]): Layout<object> => new Map(places);

  it.each([
    ["what is new", layout(), layout([one, { x: 0, y: 0 }]), ["pointer", "key"]],
    ["what has moved far", layout([one, { x: 0, y: 0 }]), layout([one, { x: 0, y: 90 }]), ["pointer", "key"]],
    ["what has moved by a line", layout([one, { x: 0, y: 0 }]), layout([one, { x: 0, y: 19 }]), ["pointer"]],
    ["what has moved aside", layout([one, { x: 0, y: 0 }]), layout([one, { x: 30, y: 0 }]), ["pointer"]],
    ["what was rounded", layout([one, { x: 0, y: 0 }]), layout([one, { x: 0.4, y: 1 }]), []],
    ["what stands", layout([one, { x: 0, y: 0 }]), layout([one, { x: 0, y: 0 }]), []],
    ["what is gone", layout([one, { x: 0, y: 0 }]), layout(), []],
  ] as const)("keeps acts off %s, for 400 ms", (_, before, after, kept) => {
    const guard = new ActGuard();
    expect(guard.compare(before, after, 1000)).toBe(kept.length > 0);
    for (const means of ["pointer", "key"] as const) {
      const rests = [999, 1000, 1399, 1400].map((time) => guard.rests(one, means, time));
      expect(rests).toEqual(
        (kept as readonly string[]).includes(means) ? [false, false, false, true] : [true, true, true, true],
      );
    }
    expect(guard.rests(two, "pointer", 1000)).toBe(true);
  });

  it("begins anew with every change", () => {
    const guard = new ActGuard();
    guard.compare(layout(), layout([one, { x: 0, y: 0 }]), 0);
    guard.compare(layout([one, { x: 0, y: 0 }]), layout([one, { x: 0, y: 0 }]), 300);
    expect(guard.rests(one, "key", restTime)).toBe(true);
    guard.compare(layout([one, { x: 0, y: 0 }]), layout([one, { x: 0, y: 50 }]), 500);
    expect(guard.rests(one, "key", 899)).toBe(false);
  });

  it("lets one gesture do one thing", () => {
    const guard = new ActGuard();
    const key = (timeStamp: number) => ({ timeStamp }) as Event;
    expect(guard.allows("a", key(0))).toBe(true);
    expect(guard.allows("a", key(10))).toBe(true);
    expect(guard.allows("b", key(409))).toBe(false);
    expect(guard.allows("b", key(410))).toBe(true);
    guard.remember("c step", key(1000));
    expect(guard.allows("c", key(1399))).toBe(false);
  });

  it("knows digits that are part of words", () => {
    const guard = new ActGuard();
    expect(guard.isTyping(0)).toBe(false);
    guard.typed(100);
    expect([guard.isTyping(1099), guard.isTyping(1100)]).toEqual([true, false]);
  });
});

describe("digits", () => {
  const { cards } = run(
    ask("a"),
    ask("b", "pending", { order: 2 }),
    ask("q", "queued", { order: 3 }),
    closed("z"),
  );
  const alone = run(ask("a"), closed("z")).cards;

  it.each([
    ["the card with the focus", cards, inCard("b"), "b"],
    ["none, where a card that is closed has it", alone, inCard("z"), undefined],
    ["none, where one that waits has it", cards, inCard("q"), undefined],
    ["none, where nothing has it and several can be answered", cards, nowhere, undefined],
    ["the only one, where nothing has it", alone, nowhere, "a"],
    ["none, where something else has it", alone, { at: "elsewhere" } as const, undefined],
    ["none, where none can be answered", [], nowhere, undefined],
  ])("choose from %s", (_, from, attention, expected) => {
    expect(digitTarget(from, attention)).toBe(expected);
  });

  it("follow an attention that is compared by what it says", () => {
    expect(sameAttention(inCard("a"), inCard("a"))).toBe(true);
    expect(sameAttention(inCard("a"), inCard("a", true))).toBe(false);
    expect(sameAttention(inCard("a"), inCard("b"))).toBe(false);
    expect(sameAttention(nowhere, inCard("b"))).toBe(false);
    expect(sameAttention(nowhere, { at: "elsewhere" })).toBe(false);
  });
});

describe("a card that closes while the user writes on it", () => {
  const writing = [
    ask("b", "pending", { order: 2 }),
    ask("a"),
    attends(inCard("a", true)),
    drafted("a", "mine"),
  ];
  const states = (...events: Step[]) =>
    run(...events).cards.map(({ id, phase, held, draft, unsent }) => ({
      id,
      phase,
      held,
      text: draft?.text,
      unsent,
    }));
  const b = { id: "b", phase: "pending", held: undefined, text: undefined, unsent: undefined };
  const held = { id: "a", phase: "closed", held: true, text: "mine", unsent: undefined };
  const over = { id: "a", phase: "closed", held: undefined, text: undefined, unsent: "mine" };

  it.each<[string, Told]>([
    ["withdrawn", closed("a")],
    ["answered elsewhere", closed("a", { outcome: { outcome: "answered", suggestion: 1, at: 1 } })],
    ["taken away", { type: "remove", id: "a" }],
  ])("%s, stands where it stood with the words, until they leave it", (_, end) => {
    expect(states(...writing, end)).toEqual([held, b]);
    expect(states(...writing, end, drafted("a", "more"))).toEqual([held, b]);
    expect(states(...writing, end, attends(inCard("a")))).toEqual([b, over]);
    expect(states(...writing, end, attends(nowhere))).toEqual([b, over]);
    expect(states(...writing, end, attends({ at: "elsewhere" }))).toEqual([b, over]);
  });

  it("is over at once when it was the user's own answer that closed it", () => {
    const answer = { provenance: "typed", text: "mine" } as const;
    const outcome = { outcome: "answered", provenance: "typed", text: "mine", at: 1 } as const;
    const sent: ViewEvent = { type: "sent", id: "a", answer };
    expect(states(...writing, sent, closed("a", { outcome }))).toEqual([b, { ...over, unsent: undefined }]);
    expect(states(...writing, sent, closed("a", { outcome: { ...outcome, text: "theirs" } }))).toEqual([
      held,
      b,
    ]);
  });

  it("goes on when it is asked again", () => {
    const again = states(...writing, closed("a"), ask("a"));
    expect(again).toEqual([{ ...held, phase: "pending", held: undefined }, b]);
  });

  it("stays while the focus is on it though nothing was typed, and goes with the focus", () => {
    for (const writes of [true, false]) {
      const events = [ask("a"), ask("b", "pending", { order: 2 }), attends(inCard("a", writes))];
      const state = run(...events, { type: "remove", id: "a" });
      expect(state.cards.map(({ id }) => id).sort()).toEqual(["a", "b"]);
      expect(reduce(state, attends(inCard("a"))).cards.map(({ id }) => id)).toEqual(["b", "a"]);
      expect(reduce(state, attends(nowhere)).cards.map(({ id }) => id)).toEqual(["b"]);
    }
  });

  it("cannot be cleared meanwhile, and no open one can", () => {
    const state = run(...writing, closed("a"), closed("c"));
    const left = reduce(state, { type: "cleared", ids: ["a", "b", "c"] });
    expect(left.cards.map(({ id }) => id)).toEqual(["a", "b"]);
  });
});

describe("words that were not sent", () => {
  const words = [ask("a"), drafted("a", "mine"), closed("a")];

  it.each([
    ["of a question", run(...words)],
    ["of a card that is held", run(ask("a"), attends(inCard("a", true)), drafted("a", "mine"), closed("a"))],
    [
      "of a questionnaire",
      run(askAll("a", four), drafted("a", "mine"), askAll("a", four, "closed", { outcome: withdrawn })),
    ],
  ])("%s are kept as JSON and come back, also to a host that tells of the card again", (_, state) => {
    const [card] = state.cards;
    const kept = card && toKept(card);
    expect(kept).toMatchObject({ unsent: "mine", outcome: withdrawn });
    const back = run({
      type: "restored",
      drafts: {},
      closed: [fromKept("a", JSON.parse(JSON.stringify(kept)))],
    });
    expect(back.cards).toMatchObject([{ id: "a", phase: "closed", unsent: "mine" }]);
    expect(toKept(fromKept("a", kept as never))).toEqual(kept);
    const again = card?.parts ? askAll("a", four, "closed", { outcome: withdrawn }) : closed("a");
    expect(reduce(back, again).cards).toMatchObject([{ id: "a", unsent: "mine" }]);
  });

  it("are kept of nothing else", () => {
    const { cards } = run(ask("open"), drafted("open", "x"), closed("done"), askAll("all", [database]));
    expect(cards.map(toKept)).toEqual([undefined, undefined, undefined]);
  });

  it("stay on the page however many questions have closed since", () => {
    const many = Array.from({ length: closedKept + 5 }, (_, index) =>
      closed(`c${index}`, { outcome: { ...withdrawn, at: index + 2 } }),
    );
    const { cards } = run(...words, ...many);
    expect(cards).toHaveLength(closedKept + 1);
    expect(cards.at(-1)).toMatchObject({ id: "a", unsent: "mine" });
  });
});

describe("a draft", () => {
  /** A keeper of question a's drafts, and when it saved what; `answer` is what the sidecar says to it. */
  function keeper(answer: (params: SaveDraftParams) => SaveDraftResult | Error = () => ({})) {
    vi.useFakeTimers();
    let state = run(ask("a"));
    const saved: [number, SaveDraftParams["draft"]][] = [];
    const start = Date.now();
    const stored = new Map<string, string>();
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    };
    const keys = () =>
      new Proxy(storage, { ownKeys: () => [...stored.keys()], getOwnPropertyDescriptor: own });
    const own = () => ({ enumerable: true, configurable: true });
    const save = async (params: SaveDraftParams) => {
      saved.push([Date.now() - start, params.draft]);
      const said = answer(params);
      if (said instanceof Error) {
        throw said;
      }
      return said;
    };
    const make = () => new DraftKeeper(save, new Kept(() => keys() as unknown as Storage), () => state);
    const keeps = make();
    const draft = (text: string, images: AnswerImage[] = []) => {
      state = reduce(state, { type: "drafted", id: "a", draft: { text, images, changedAt: Date.now() } });
      keeps.touch("a");
    };
    return { saved, stored, keeps, make, draft };
  }
  afterEach(() => {
    vi.useRealTimers();
  });

  const image = (size: number, hash: string): AnswerImage => ({
    mimeType: "image/png",
    data: "A".repeat(size),
    hash,
  });

  it.each([0, 10_000, 2_000_000])(
    "is saved at the latest every 500 ms of steady typing, with %i bytes of images, which travel once",
    async (size) => {
      const { saved, draft } = keeper();
      for (let count = 1; count <= 50; count++) {
        draft("x".repeat(count), size > 0 ? [image(size, "h")] : []);
        await vi.advanceTimersByTimeAsync(100);
      }
      await vi.advanceTimersByTimeAsync(5000);
      const times = [0, ...saved.map(([time]) => time)];
      expect(
        Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0))),
      ).toBeLessThanOrEqual(500);
      expect(saved.length).toBeLessThan(25);
      expect(saved.at(-1)?.[1].text).toHaveLength(50);
      const sizes = saved.map(([, { images = [] }]) => images.map(({ data }) => data?.length));
      expect(sizes).toEqual(saved.map((_, index) => (size === 0 ? [] : [index === 0 ? size : undefined])));
    },
  );

  it("is sent again with its images where the sidecar does not know them", async () => {
    let knows = true;
    const { saved, draft } = keeper(({ draft }) =>
      knows || draft.images?.every(({ data }) => data) ? {} : { missing: ["h"] },
    );
    draft("one", [image(8, "h")]);
    await vi.advanceTimersByTimeAsync(500);
    knows = false;
    draft("two", [image(8, "h")]);
    await vi.advanceTimersByTimeAsync(500);
    const sent = saved.map(([, { text, images = [] }]) => [text, images[0]?.data?.length]);
    expect(sent).toEqual([
      ["one", 8],
      ["two", undefined],
      ["two", 8],
    ]);
  });

  it("is kept with the page until it is acknowledged, and sent again with the next connection", async () => {
    let there = false;
    const { saved, stored, keeps, make, draft } = keeper(() => (there ? {} : new RequestError("")));
    draft("mine", [image(8, "h")]);
    await vi.advanceTimersByTimeAsync(500);
    expect([...stored.keys()]).toEqual(["followup.kept.a"]);
    expect(make().restore().drafts).toMatchObject({ a: { text: "mine", images: [{ data: "AAAAAAAA" }] } });
    there = true;
    keeps.resume();
    await vi.advanceTimersByTimeAsync(0);
    expect(saved.map(([, { text }]) => text)).toEqual(["mine", "mine"]);
    expect([...stored.keys()]).toEqual([]);
  });

  it("stays with the page, images and all, while somebody else's stands at the hub", async () => {
    let theirs = false;
    const { saved, stored, keeps, make, draft } = keeper(() => (theirs ? { unkept: true } : {}));
    draft("mine", [image(8, "h")]);
    await vi.advanceTimersByTimeAsync(500);
    theirs = true;
    draft("mine still", [image(8, "h")]);
    await vi.advanceTimersByTimeAsync(500);
    expect(make().restore().drafts).toMatchObject({
      a: { text: "mine still", images: [{ data: "AAAAAAAA" }] },
    });
    theirs = false;
    keeps.resume();
    await vi.advanceTimersByTimeAsync(0);
    expect(saved.at(-1)?.[1]).toMatchObject({ text: "mine still", images: [{ data: "AAAAAAAA" }] });
    expect([...stored.keys()]).toEqual([]);
  });

  it("that the sidecar refuses is given up, since its question is gone", async () => {
    const { stored, draft } = keeper(() => new RequestError("unknown", -32091));
    draft("mine");
    await vi.advanceTimersByTimeAsync(500);
    expect([...stored.keys()]).toEqual([]);
  });

  it("that is very old is not restored", () => {
    const { stored, make } = keeper();
    const kept = (changedAt: number) => JSON.stringify({ draft: { text: "x", changedAt } });
    stored.set("followup.kept.old", kept(Date.now() - 31 * 24 * 60 * 60 * 1000));
    stored.set("followup.kept.new", kept(Date.now()));
    stored.set("other", "not JSON");
    expect(Object.keys(make().restore().drafts)).toEqual(["new"]);
    expect([...stored.keys()]).toEqual(["followup.kept.new", "other"]);
  });
});
