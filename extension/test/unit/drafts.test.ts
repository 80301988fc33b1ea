// The drafts of open questions, on their way to the sidecar.

import { expect, test } from "vitest";
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
