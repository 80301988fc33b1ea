// The rules of the user's actions, without a page: gestures, the card that digits answer, and unsent text.

import { afterEach, describe, expect, it, vi } from "vitest";
import type { SaveDraftParams, SaveDraftResult } from "../../src/protocol.gen";
import type { AnswerImage } from "../../webview/answer";
import { type Card, closedKept } from "../../webview/cards";
import { DraftKeeper } from "../../webview/drafts";
import { Gesture } from "../../webview/gesture";
import { Kept } from "../../webview/kept";
import { digitTarget } from "../../webview/keys";
import { RequestError } from "../../webview/link";
import { initialState, reduce as reduceEvent, type ViewEvent, type ViewState } from "../../webview/state";
import { ask, askAll, four } from "./questions";
import { eventOf, type Posted } from "./script";

type Step = Posted | ViewEvent;
const reduce = (state: ViewState, event: Step) => reduceEvent(state, eventOf(event));
const run = (...events: Step[]) => events.reduce(reduce, initialState);
const drafted = (id: string, text: string): ViewEvent => ({
  type: "drafted",
  id,
  draft: { text, images: [] },
});
const withdrawn = { outcome: "withdrawn", at: 1 } as const;
const closed = (id: string, more = {}) => ask(id, "closed", { outcome: withdrawn, ...more });

describe("a gesture", () => {
  const event = (timeStamp: number, more = {}) => ({ type: "click", detail: 0, timeStamp, ...more }) as never;
  const click = (timeStamp: number, clientX: number) => event(timeStamp, { detail: 1, clientX, clientY: 0 });
  /** The presses, each at its own question, that decide something. */
  const decided = (...presses: never[]) => {
    const gesture = new Gesture();
    return presses.map((press, index) => {
      gesture.press(press);
      return gesture.allows(String(index), "decide");
    });
  };

  it("decides one question, until a second has passed since its last press", () => {
    expect(decided(event(0), event(999), event(1998), event(2998))).toEqual([true, false, false, true]);
  });

  it("ends when the pointer moves 16 px, not less", () => {
    expect(decided(click(0, 0), click(100, 15), click(200, 16))).toEqual([true, false, true]);
    expect(decided(click(0, 0), event(100), click(200, 90), event(300))).toEqual([true, false, true, false]);
  });

  it("may repeat its decision, and a key a moment later may do something else on the same card", () => {
    const gesture = new Gesture();
    const allows = (act: string, press: never) => {
      gesture.press(press);
      return gesture.allows("a", act);
    };
    expect(allows("step", event(0))).toBe(true);
    expect(allows("step", event(10))).toBe(true);
    expect(allows("decide", event(409))).toBe(false);
    expect(allows("decide", click(900, 0))).toBe(false);
    expect(allows("decide", event(410))).toBe(true);
  });

  it("recognises digits within words", () => {
    const gesture = new Gesture();
    expect(gesture.isTyping(0)).toBe(false);
    gesture.typed(100);
    expect([gesture.isTyping(1099), gesture.isTyping(1100)]).toEqual([true, false]);
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

  const sent: ViewEvent = { type: "sent", id: "z", answer: null };
  const answered = run(ask("a"), ask("z"), sent, closed("z")).cards;

  it.each<[string, readonly Card[], string | null | undefined, string | undefined]>([
    ["the only one, if the focused card was answered here", answered, "z", "a"],
    ["the card with the focus", cards, "b", "b"],
    ["none, if a closed card has the focus", alone, "z", undefined],
    ["none, if a queued card has the focus", cards, "q", undefined],
    ["none, if nothing has the focus and several can be answered", cards, null, undefined],
    ["the only one, if nothing has the focus", alone, null, "a"],
    ["none, if something else has the focus", alone, undefined, undefined],
    ["none, if none can be answered", [], null, undefined],
  ])("choose from %s", (_, from, focused, expected) => {
    expect(digitTarget(from, focused)).toBe(expected);
  });
});

describe("unsent text", () => {
  const words = [ask("a"), drafted("a", "mine"), closed("a")];

  it.each([
    ["of a question", run(...words)],
    [
      "of a questionnaire",
      run(askAll("a", four), drafted("a", "mine"), askAll("a", four, "closed", { outcome: withdrawn })),
    ],
  ])("%s is stored as JSON and restored, even if the host still sends the card", (_, state) => {
    const [card] = state.cards;
    expect(card).toMatchObject({ draft: { text: "mine" }, outcome: withdrawn });
    const closed = card ? [JSON.parse(JSON.stringify(card))] : [];
    const back = run({ type: "restored", drafts: {}, closed });
    expect(back.cards).toMatchObject([{ id: "a", phase: "closed", draft: { text: "mine" } }]);
    const again =
      card?.ask === "questions"
        ? askAll("a", four, "closed", { outcome: withdrawn })
        : ask("a", "closed", { outcome: withdrawn });
    expect(reduce(back, again).cards).toMatchObject([{ id: "a", draft: { text: "mine" } }]);
  });

  it("stays on the page however many questions close later", () => {
    const many = Array.from({ length: closedKept + 5 }, (_, index) =>
      closed(`c${index}`, { outcome: { ...withdrawn, at: index + 2 } }),
    );
    const { cards } = run(...words, ...many);
    expect(cards).toHaveLength(closedKept + 1);
    expect(cards[0]).toMatchObject({ id: "a", draft: { text: "mine" } });
  });
});

describe("a draft", () => {
  /** The drafts of question a, and the saved ones with their times; `answer` is the sidecar's response. */
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
    "is saved at least every 500 ms while typing, with %i bytes of images sent once",
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

  it("is resent with its images if the sidecar lacks them", async () => {
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

  it("is kept with the page until acknowledged, and resent after a reconnect", async () => {
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

  it("stays with the page, images included, while the hub has another person's draft", async () => {
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

  it("is dropped when the sidecar refuses it, because its question is gone", async () => {
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
