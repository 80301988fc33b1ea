// The drafts of open questions, on their way to the sidecar.

import { describe, expect, test } from "vitest";
import { ResponseError } from "vscode-jsonrpc";
import { Drafts } from "../../src/drafts";
import type { SaveDraftParams } from "../../src/protocol.gen";

/** A sidecar that has saved a draft when the test says so. */
function open() {
  const requests: { params: SaveDraftParams; done(): void; fail(error: Error): void }[] = [];
  const drafts = new Drafts(
    (params) => new Promise<void>((done, fail) => requests.push({ params, done, fail })),
  );
  const sent = () => requests.map(({ params }) => [params.questionId, params.draft.text]);
  return { drafts, requests, sent };
}

/** Until everything that has been promised by now is done. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("drafts are saved one at a time, the last state in the end", async () => {
  const { drafts, requests, sent } = open();
  drafts.set("a", { text: "1" });
  drafts.set("a", { text: "2" });
  drafts.set("b", { text: "3" });
  expect(sent()).toEqual([["a", "1"]]);
  requests[0]?.done();
  await settled();
  requests[1]?.done();
  await settled();
  requests[2]?.done();
  await drafts.saved();
  expect(sent()).toEqual([
    ["a", "1"],
    ["a", "2"],
    ["b", "3"],
  ]);
  drafts.set("nothing", null);
  expect(requests).toHaveLength(3);
});

test("a draft that was taken away is taken away on disk too", async () => {
  const { drafts, requests } = open();
  drafts.set("a", { text: "1", changedAt: 1 });
  requests[0]?.done();
  await drafts.saved();
  drafts.set("a", null);
  expect(requests[1]?.params).toEqual({ questionId: "a", draft: { changedAt: expect.any(Number) } });
});

test("without a sidecar a draft stays until there is one again", async () => {
  const { drafts, requests, sent } = open();
  drafts.set("a", { text: "1" });
  requests[0]?.fail(new Error("the connection is lost"));
  await drafts.saved();
  drafts.resume();
  expect(sent()).toEqual([
    ["a", "1"],
    ["a", "1"],
  ]);
});

test("a draft that the sidecar does not take is not sent again, nor one whose question is over", async () => {
  const { drafts, requests } = open();
  drafts.set("a", { text: "1" });
  requests[0]?.fail(new ResponseError(-32091, "there is no such question"));
  await drafts.saved();
  drafts.set("b", { text: "2" });
  drafts.set("c", { text: "3" });
  drafts.forget("c");
  requests[1]?.done();
  await drafts.saved();
  drafts.resume();
  await drafts.saved();
  expect(requests).toHaveLength(2);
});

test("of a draft of the sidecar's and one of this window's the newer one counts", () => {
  const { drafts } = open();
  drafts.learn({ questionId: "a", draft: { text: "theirs", changedAt: 1 } });
  expect(drafts.all()).toEqual({ a: { text: "theirs", changedAt: 1 } });
  drafts.set("a", { text: "ours", changedAt: 2 });
  drafts.learn({ questionId: "a", draft: { text: "late", changedAt: 3 } });
  expect(drafts.get("a")).toEqual({ text: "ours", changedAt: 2 });
});

describe("images", () => {
  const data = Buffer.from("GIF89a").toString("base64");
  const gif = { mimeType: "image/gif" as const, data, name: "a.gif" };
  const hash = "4df6d08bbe9c3ff11cca03a22ae9b8092dd4e669f688939951e952a0406c0471";
  const named = { hash, mimeType: "image/gif", name: "a.gif" };

  /** Drafts, with what was sent of images; the sidecar misses those in `missing`, once. */
  function begin(missing: string[] = []) {
    const sent: unknown[] = [];
    const drafts = new Drafts(async ({ draft }) => {
      sent.push(draft.images?.[0]);
      return { missing: missing.splice(0) };
    });
    const type = async (text: string) => {
      drafts.set("q", { text, images: [gif], changedAt: 1 });
      await drafts.saved();
    };
    return { drafts, sent, type };
  }

  test("travel to the sidecar once, and to the next one again", async () => {
    const { drafts, sent, type } = begin();
    await type("a");
    await type("ab");
    drafts.resume();
    await type("abc");
    expect(sent).toEqual([{ ...named, data }, named, { ...named, data }]);
  });

  test("are sent again when the sidecar does not have them", async () => {
    const missing: string[] = [];
    const { sent, type } = begin(missing);
    await type("a");
    missing.push(hash);
    await type("ab");
    await type("abc");
    expect(sent).toEqual([{ ...named, data }, named, { ...named, data }, named]);
  });

  test("that came or were sent before are whole when the sidecar names them", async () => {
    const { drafts, type } = begin();
    drafts.learn({ questionId: "other", draft: { images: [{ ...named, data }], changedAt: 1 } as never });
    drafts.learn({ questionId: "other", draft: { text: "on", images: [named], changedAt: 2 } as never });
    await type("a");
    drafts.learn({ questionId: "q", draft: { text: "there", images: [named], changedAt: 2 } as never });
    expect([drafts.get("other"), drafts.get("q")]).toMatchObject([
      { text: "on", images: [{ ...named, data }] },
      { text: "there", images: [{ ...named, data }] },
    ]);
  });
});
