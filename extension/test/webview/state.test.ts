// The reducer: from the host's messages and the user's acts to the page's state.

import { describe, expect, it } from "vitest";
import type { HubState } from "../../src/protocol.gen";
import type { Draft } from "../../webview/answer";
import { closedKept, isAway, unsentText } from "../../webview/cards";
import { nextPending } from "../../webview/keys";
import { initialState, reduce as reduceEvent, type ViewEvent, type ViewState } from "../../webview/state";
import { ask, askAll, checks, database, four } from "./questions";
import { changeOf, eventOf, type Posted } from "./script";

type Step = Posted | ViewEvent;
const reduce = (state: ViewState, event: Step) => reduceEvent(state, eventOf(event));
const run = (...events: Step[]) => events.reduce(reduce, initialState);
const ids = (state: ViewState) => state.cards.map((card) => card.id).join(" ");
const card = (state: ViewState, id = "a") => {
  const found = state.cards.find((each) => each.id === id);
  if (found === undefined) {
    throw new Error(`no card ${id}`);
  }
  return found;
};
const draft = (text: string, more: Partial<Draft> = {}): Draft => ({ text, images: [], ...more });
const clicked = { outcome: "answered", provenance: "clicked", suggestion: 1, at: 5 } as const;
const sent: ViewEvent = { type: "sent", id: "a", answer: { provenance: "clicked", suggestion: 1 } };

describe("a streaming question", () => {
  const empty = ask("a", "streaming", { payload: { question: "", suggest: [] } });

  it("appends pieces", () => {
    const state = run(
      empty,
      { type: "append", id: "a", text: "Which " },
      { type: "append", id: "a", text: "port?", suggest: [{ answer: "8080" }] },
      { type: "append", id: "a", suggest: [{ answer: "3000" }] },
    );
    expect(card(state).parts[0]?.question).toBe("Which port?");
    expect(card(state).parts[0]?.options.map(({ label }) => label)).toEqual(["8080", "3000"]);
  });

  it("has its text when complete", () => {
    const before = run(empty, { type: "append", id: "a", text: "Which styling" });
    const after = reduce(before, ask("a", "pending"));
    expect(card(after).parts[0]?.question).toBe(
      "Which styling approach would you prefer for this web application?",
    );
    expect(card(after).phase).toBe("pending");
  });

  it("replaces a text that does not continue the last one", () => {
    const state = run(empty, { type: "append", id: "a", text: "What" }, ask("a", "pending"));
    expect(card(state).parts[0]?.question).toBe(
      "Which styling approach would you prefer for this web application?",
    );
  });

  it("ignores pieces once answerable", () => {
    const state = run(ask("a"));
    expect(reduce(state, { type: "append", id: "a", text: "late" })).toBe(state);
  });
});

/** The open questions when the page starts. */
const snapshot = (...posted: Posted[]): ViewEvent => ({
  type: "snapshot",
  inbox: { items: posted.flatMap((each) => (each.type === "ask" ? (changeOf(each).items ?? []) : [])) },
});

describe("the order", () => {
  it("of a new page is: answerable questions, oldest first, then streaming, then queued", () => {
    const state = run(
      snapshot(
        ask("queued", "queued", { order: 2 }),
        ask("streaming", "streaming", { order: 3 }),
        ask("b", "pending", { order: 5 }),
        ask("a", "pending", { order: 4 }),
      ),
    );
    expect(ids(state)).toBe("a b streaming queued");
    expect(nextPending(state.cards)?.id).toBe("a");
  });

  it("stays when cards change, and new cards come last", () => {
    const state = run(
      snapshot(ask("a", "streaming", { order: 1 }), ask("b", "queued", { order: 2 })),
      ask("b", "pending", { order: 2 }),
      ask("new", "pending", { order: 0 }),
      ask("b", "closed", { outcome: { outcome: "dismissed", at: 1 } }),
      { type: "remove", id: "a" },
    );
    expect(ids(state)).toBe("a b new");
    expect(state.cards.map(({ phase }) => phase)).toEqual(["closed", "closed", "pending"]);
    expect(state.folded).toEqual(new Set(["a", "b"]));
  });

  it("is renewed when the user leaves the view, and closed cards go", () => {
    const state = run(
      ask("queued", "queued", { order: 2 }),
      ask("done"),
      ask("pending", "pending", { order: 3 }),
      ask("done", "closed", { outcome: { outcome: "dismissed", at: 1 } }),
      { type: "left" },
    );
    expect(ids(state)).toBe("pending queued");
    expect(state.folded).toEqual(new Set());
  });

  it("keeps a bounded number of closed cards, the newest", () => {
    const closed = Array.from({ length: closedKept + 5 }, (_, index) =>
      ask(`c${index}`, "closed", { order: index, outcome: { outcome: "dismissed", at: index } }),
    );
    const state = run(ask("open"), ...closed);
    expect(state.cards).toHaveLength(closedKept + 1);
    expect(state.cards.at(-1)?.id).toBe(`c${closedKept + 4}`);
    expect(state.cards[1]?.id).toBe("c5");
  });
});

describe("sending", () => {
  it("lasts until the sidecar closes the card", () => {
    const sending = run(ask("a"), sent);
    expect(card(sending).phase).toBe("sending");
    expect(card(reduce(sending, ask("a", "pending", { order: 7 }))).phase).toBe("sending");
    const closed = reduce(sending, ask("a", "closed", { outcome: clicked }));
    expect(card(closed)).toMatchObject({ phase: "closed", outcome: clicked });
    expect(card(closed).sent).toBeUndefined();
  });

  it("happens once", () => {
    const sending = run(ask("a"), sent);
    expect(reduce(sending, { type: "sent", id: "a", answer: null })).toBe(sending);
  });

  it("reopens the card with the draft if the sidecar refuses it", () => {
    const state = run(
      ask("a"),
      { type: "drafted", id: "a", draft: draft("mine") },
      { type: "sent", id: "a", answer: { provenance: "typed", text: "mine" } },
      { type: "refused", id: "a", message: "Disk full" },
    );
    expect(card(state)).toMatchObject({ phase: "pending", refused: "Disk full", draft: draft("mine") });
    expect(card(reduce(state, { type: "drafted", id: "a", draft: draft("mine!") })).refused).toBeUndefined();
  });

  it("continues during trouble", () => {
    const state = run(ask("a"), sent, { type: "trouble", message: "It crashed", restarting: true });
    expect(card(state).phase).toBe("sending");
    expect(state.trouble).toEqual({ message: "It crashed", restarting: true });
    expect(reduce(state, { type: "trouble", message: null, restarting: false }).trouble).toBeNull();
  });
});

describe("typed text", () => {
  const drafted: ViewEvent = { type: "drafted", id: "a", draft: draft("my words") };

  it("stays on the card when another answer closes it", () => {
    const state = run(ask("a"), drafted, sent, ask("a", "closed", { outcome: clicked }));
    expect(unsentText(card(state))).toBe("my words");
  });

  it("is removed if it is the answer", () => {
    const answer = { provenance: "typed", text: "my words" } as const;
    const outcome = { outcome: "answered", provenance: "typed", text: "my words", at: 1 } as const;
    const state = run(ask("a"), drafted, { type: "sent", id: "a", answer }, ask("a", "closed", { outcome }));
    expect(unsentText(card(state))).toBeUndefined();
  });

  it("stays on a withdrawn card", () => {
    const state = run(ask("a"), drafted, { type: "remove", id: "a" });
    expect(card(state)).toMatchObject({
      phase: "closed",
      draft: { text: "my words" },
      outcome: { outcome: "withdrawn" },
    });
  });

  it("is restored when the question is asked again", () => {
    const state = run({ type: "restored", drafts: { a: draft("kept") }, closed: [] }, ask("a"), ask("b"));
    expect(card(state).draft).toEqual(draft("kept"));
    expect(card(state, "b").draft).toBeUndefined();
    expect(state.drafts).toEqual({});
  });

  it.each([
    ["the page's, which is newer", 1, 2, "page"],
    ["the sidecar's, which is newer", 2, 1, "sidecar"],
    ["the page's where no one knows", undefined, 2, "page"],
  ])("with two drafts is %s", (_, savedAt, pageAt, expected) => {
    const drafts = { a: draft("page", { changedAt: pageAt }) };
    const page: ViewEvent = { type: "restored", drafts, closed: [] };
    const state = run(page, ask("a", "pending", { draft: draft("sidecar", { changedAt: savedAt }) }));
    expect(card(state).draft?.text).toBe(expected);
  });
});

describe("a questionnaire", () => {
  const picks = [{ options: [1], notes: "mine" }, { other: "Size", otherChosen: false }, {}, {}];
  const begun: ViewEvent = { type: "drafted", id: "a", draft: draft("", { picks }) };

  it("grows by parts, and keeps their texts when complete", () => {
    const before = run(
      askAll("a", [], "streaming"),
      { type: "append", id: "a", parts: [{ index: 0, text: "Which data" }] },
      {
        type: "append",
        id: "a",
        parts: [
          { index: 0, text: "base should", header: "Database", options: database.options },
          { index: 1, multiSelect: true },
        ],
      },
    );
    expect(card(before).parts).toMatchObject([
      { header: "Database", options: database.options, multiSelect: false },
      { header: "", options: [], multiSelect: true },
    ]);
    expect(card(before).parts?.[0]?.question).toBe("Which database should");
    const after = reduce(before, askAll("a", [database, checks]));
    expect(card(after).parts?.[0]?.question).toBe(database.question);
    expect(card(after).parts?.[1]?.question).toBe(checks.question);
    expect(reduce(after, { type: "append", id: "a", parts: [{ index: 0, text: "late" }] })).toBe(after);
  });

  it("accepts parts out of order", () => {
    const state = run(askAll("a", [], "streaming"), {
      type: "append",
      id: "a",
      parts: [{ index: 2, text: "x" }],
    });
    expect(card(state).parts).toHaveLength(3);
  });

  it("keeps text missing from the answer", () => {
    const outcome = {
      outcome: "answered",
      at: 1,
      picks: [{ options: [1], notes: "mine" }, {}, {}, {}],
    } as const;
    const state = run(
      askAll("a", four),
      begun,
      askAll("a", four, "closed", {
        outcome: { ...outcome, picks: structuredClone([...outcome.picks]) as never },
      }),
    );
    expect(unsentText(card(state))).toBe("Merge checks in CI\nSize");
  });

  it("keeps nothing that was sent", () => {
    const sentPicks = [{ options: [1], notes: "mine" }];
    const state = run(
      askAll("a", [database]),
      { type: "drafted", id: "a", draft: draft("", { picks: sentPicks }) },
      { type: "sent", id: "a", answer: { picks: sentPicks } },
      askAll("a", [database], "closed", { outcome: { outcome: "answered", at: 1, picks: sentPicks } }),
    );
    expect(unsentText(card(state))).toBeUndefined();
  });

  it("keeps an unsent reply, but not a sent one", () => {
    const replying: ViewEvent = { type: "drafted", id: "a", draft: draft("why?", { replying: true }) };
    const close = (outcome: "dismissed" | "replied", text?: string) =>
      run(askAll("a", four), replying, askAll("a", four, "closed", { outcome: { outcome, text, at: 1 } }));
    expect(unsentText(card(close("dismissed")))).toBe("why?");
    expect(unsentText(card(close("replied", "why?")))).toBeUndefined();
  });
});

it("restores an incomplete draft without invalid images", () => {
  const images = [
    { mimeType: "image/svg+xml", data: "" },
    { mimeType: "image/png", data: "AA==" },
  ];
  const draft = { picks: [{ options: [1] }], images };
  const state = run(askAll("a", four, "pending", { draft }));
  expect(card(state).draft).toEqual({ text: "", images: [images[1]], picks: [{ options: [1] }] });
});

it("ignores events for unknown cards, and unknown events", () => {
  const state = run(ask("a"));
  const strange = { type: "strange" } as unknown as ViewEvent;
  for (const event of [
    strange,
    { type: "append", id: "z", text: "x" },
    { type: "remove", id: "z" },
    { type: "refused", id: "z", message: "x" },
    { type: "sent", id: "z", answer: null },
  ] as ViewEvent[]) {
    expect(reduce(state, event)).toBe(state);
  }
});

describe("the sidecar's state", () => {
  it("sorts questions of other windows below this window's, and closed ones last", () => {
    const state = run(
      snapshot(
        ask("there", "pending", { order: 1, elsewhere: "there" }),
        ask("queued", "queued", { order: 2 }),
        ask("closed", "closed", { order: 3, outcome: clicked, elsewhere: "there" }),
        ask("here", "pending", { order: 4 }),
      ),
    );
    expect(ids(state)).toBe("here queued there closed");
    expect(nextPending(state.cards)?.id).toBe("here");
  });

  it("restores a saved draft, but not over a newer one", () => {
    const saved = { text: "saved", changedAt: 5 };
    expect(card(run(ask("a", "pending", { draft: saved }))).draft).toMatchObject({
      text: "saved",
      images: [],
    });
    const typed: ViewEvent = { type: "drafted", id: "a", draft: draft("typed", { changedAt: 9 }) };
    expect(card(run(ask("a"), typed, ask("a", "pending", { draft: saved }))).draft?.text).toBe("typed");
  });

  it("reports that nothing is saved until it is again", () => {
    const problem: Posted = { type: "storage", problem: "The disk is full." };
    expect(run(problem).storage).toBe("The disk is full.");
    expect(run(problem, { type: "storage", problem: null }).storage).toBeNull();
  });
});

describe("a team's hub", () => {
  const hub = (state: HubState["state"]): Posted => ({ type: "hub", hub: { state, name: "Team" } });

  it("has its questions below the user's own, from any window", () => {
    const state = run(
      hub("connected"),
      snapshot(
        ask("first", "pending", { order: 1, hub: "Team", elsewhere: "there" }),
        ask("own", "pending", { order: 9 }),
        ask("second", "pending", { order: 2, hub: "Team" }),
        ask("there", "pending", { order: 3, elsewhere: "there" }),
      ),
    );
    expect(ids(state)).toBe("own first second there");
    expect(card(state, "first").elsewhere).toBeUndefined();
  });

  it("accepts no answer without a link, while the user's own questions do", () => {
    const away = (posted: Posted) => {
      const state = run(ask("a", "pending", { hub: "Team" }), ask("b"), posted);
      return ["a", "b"].map((id) => isAway(state.hub, card(state, id)));
    };
    expect(away(hub("connected"))).toEqual([false, false]);
    for (const state of ["connecting", "refused", "off"] as const) {
      expect(away(hub(state))).toEqual([true, false]);
    }
    expect(run(hub("connected"), hub("off")).hub).toBeNull();
  });
});
