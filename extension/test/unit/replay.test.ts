// The extension keeps its promises to agents across crashes: sessions, questions, streams.

import { afterEach, expect, test } from "vitest";
import { ResponseError } from "vscode-jsonrpc";
import { CancellationTokenSource } from "vscode-jsonrpc/node";
import { CodeCancelled, CodeUnknown, questionAnswer } from "../../src/protocol.gen";
import { FollowupError } from "../../src/sidecar/errors";
import { crashForGood, type makeHost, reached, startHost } from "./fake/host";
import { answered, type FakeMachine, whenCancelled } from "./fake/sidecar";

const tool = "ask_followup_question";
const hosts: ReturnType<typeof makeHost>[] = [];

async function start() {
  const host = await startHost();
  hosts.push(host);
  return host;
}

afterEach(async () => {
  await Promise.all(hosts.splice(0).map(({ sidecar }) => sidecar.stop()));
});

test("asks a question again with its id after a crash, and the next process answers it", async () => {
  const { machine, agents } = await start();
  const session = await agents.openSession({ agent: "Agent", key: "a", locale: "fr", strict: true });
  const input = { question: "Which port?", follow_up: [{ text: "8080" }], extra: 1 };
  const answer = session.ask(tool, input, { questionId: "q1", isNew: true });
  const [asked] = (await machine.received(1, "question/ask")).sent("question/ask");
  expect(asked).toEqual({ session: "Agent/a", questionId: "q1", tool, input, new: true });
  machine.last.crash();
  const second = await machine.received(2, "question/ask");
  expect(second.sent("session/open")).toEqual([
    { agent: "Agent", key: "a", locale: "fr", strict: true, limits: { questions: 4, options: 4 } },
  ]);
  expect(second.sent("question/ask")).toEqual([{ session: "Agent/a", questionId: "q1", tool, input }]);
  second.answer("q1", "8080");
  expect((await answer).text).toBe("<answer>\n8080\n</answer>");
});

test("reopens sessions and reads the inbox before it asks questions", async () => {
  const { machine, agents } = await start();
  const session = await agents.openSession({ agent: "Agent", key: "a" });
  void session.ask(tool, {}, { questionId: "q1" });
  await machine.received(1, "question/ask");
  machine.last.crash();
  await machine.received(2, "question/ask");
  expect(machine.last.methods()).toEqual([
    "initialize",
    "initialized",
    "session/open",
    "inbox/subscribe",
    "question/ask",
  ]);
});

test("resends unanswered messages in order with their ids, and no answered ones", async () => {
  const { machine, agents, sidecar } = await start();
  const session = await agents.openSession({ agent: "Agent", key: "a" });
  void session.ask(tool, {}, { questionId: "x" });
  const answered = session.ask(tool, {}, { questionId: "answered" });
  const stream = session.stream();
  stream.append("text");
  await machine.received(1, "stream/append");
  void session.await("y");
  machine.last.handle("question/answer", () => new Promise(() => {}));
  const send = { questionId: "z", provenance: "typed", text: "mine" } as const;
  const sent = sidecar.request(questionAnswer, send);
  const first = await machine.received(1, "question/answer");
  first.answer("answered", "yes");
  await answered;
  machine.overrides["question/answer"] = () => ({ accepted: true, outcome: { outcome: "answered", at: 1 } });
  first.crash();
  // After the messages that were already waiting.
  void session.ask(tool, {}, { questionId: "new" });
  const second = await machine.until(
    (last) => last.number === 2 && last.sent("question/ask").some(({ questionId }) => questionId === "new"),
  );
  expect(await sent).toMatchObject({ accepted: true });
  const all = second.received.slice(second.methods().indexOf("inbox/subscribe") + 1);
  expect(all.map(({ method, params }) => `${method} ${params.questionId ?? params.text ?? ""}`)).toEqual([
    "question/ask x",
    "stream/resume ",
    "stream/append text",
    "question/await y",
    "question/answer z",
    "question/ask new",
  ]);
});

test("does not ask an answered question again", async () => {
  const { machine, agents } = await start();
  const session = await agents.openSession({ agent: "Agent", key: "a" });
  const answer = session.ask(tool, {}, { questionId: "q1" });
  await machine.received(1, "question/ask");
  machine.last.answer("q1", "yes");
  await answer;
  machine.last.crash();
  await machine.received(2, "inbox/subscribe");
  expect(machine.last.sent("question/ask")).toEqual([]);
});

test("asking with a known id waits for the same question", async () => {
  const { machine, agents } = await start();
  const session = await agents.openSession({ agent: "Agent", key: "a" });
  const answers = [session.ask(tool, {}, { questionId: "q" }), session.ask(tool, {}, { questionId: "q" })];
  answers.push(session.await("q"));
  await machine.received(1, "question/await");
  machine.last.answer("q", "once");
  expect(new Set((await Promise.all(answers)).map(({ text }) => text))).toEqual(
    new Set([answered("q", "once").text]),
  );
  expect(new Set(machine.last.sent("question/ask").map(({ questionId }) => questionId)).size).toBe(1);
});

test("repeats an await that a crash interrupted", async () => {
  const { machine, agents } = await start();
  const session = await agents.openSession({ agent: "Agent", key: "a" });
  const answer = session.await("old");
  await machine.received(1, "question/await");
  machine.last.crash();
  const second = await machine.received(2, "question/await");
  second.answer("old", "later");
  expect((await answer).text).toContain("later");
});

test("a cancelled token withdraws the question", async () => {
  const { machine, agents } = await start();
  machine.last.handle("question/ask", (_params, token) => {
    return new Promise((resolve) =>
      token.onCancellationRequested(() => resolve(new ResponseError(CodeCancelled, "withdrawn"))),
    );
  });
  const session = await agents.openSession({ agent: "Agent", key: "a" });
  const source = new CancellationTokenSource();
  const answer = session.ask(tool, {}, { token: source.token });
  await machine.received(1, "question/ask");
  source.cancel();
  await expect(answer).rejects.toMatchObject({ name: "FollowupError", code: "withdrawn" });
});

/** Settles when the next process gets a cancellation of its question. */
function cancelled({ overrides }: FakeMachine): Promise<string> {
  return new Promise((resolve) => {
    overrides["question/ask"] = ({ questionId }: { questionId: string }, token) =>
      new Promise((_, reject) =>
        whenCancelled(token, () => {
          resolve(questionId);
          reject(new ResponseError(CodeCancelled, "withdrawn"));
        }),
      );
  });
}

test("rejects a question cancelled between processes at once, and withdraws it in the next process", async () => {
  const { machine, agents, sidecar } = await start();
  const session = await agents.openSession({ agent: "Agent", key: "a" });
  const [source, unsent] = [new CancellationTokenSource(), new CancellationTokenSource()];
  const answer = session.ask(tool, {}, { token: source.token, questionId: "q" });
  await machine.received(1, "question/ask");
  const withdrawn = cancelled(machine);
  machine.last.crash();
  await reached(sidecar, "restarting");
  const never = session.ask(tool, {}, { token: unsent.token, questionId: "never asked" });
  source.cancel();
  unsent.cancel();
  await expect(answer).rejects.toMatchObject({ code: "withdrawn" });
  await expect(never).rejects.toMatchObject({ code: "withdrawn" });
  expect(machine.processes).toHaveLength(1);
  expect(await withdrawn).toBe("q");
  expect(machine.last.sent("question/ask").map(({ questionId }) => questionId)).toEqual(["q"]);
});

test("asks a question that arrives while a new process is being set up", async () => {
  const { machine, agents } = await start();
  const session = await agents.openSession({ agent: "Agent", key: "a" });
  let subscribed: (inbox: unknown) => void = () => {};
  machine.overrides["inbox/subscribe"] = () => new Promise((resolve) => (subscribed = resolve));
  machine.last.crash();
  await machine.received(2, "inbox/subscribe");
  const answer = session.ask(tool, {}, { questionId: "q" });
  subscribed({ items: [] });
  const second = await machine.received(2, "question/ask");
  second.answer("q", "in time");
  expect((await answer).text).toContain("in time");
});

test("rejects a question asked between processes if no process follows", async () => {
  const { machine, agents, sidecar } = await start();
  const session = await agents.openSession({ agent: "Agent", key: "a" });
  machine.last.crash();
  await reached(sidecar, "restarting");
  const answer = session.ask(tool, {});
  const stopped = sidecar.stop();
  await expect(answer).rejects.toMatchObject({ code: "unavailable" });
  await stopped;
});

test("withdraws a question in the next process if a crash interrupted the cancellation", async () => {
  const { machine, agents } = await start();
  const session = await agents.openSession({ agent: "Agent", key: "a" });
  const source = new CancellationTokenSource();
  machine.last.handle("question/ask", () => new Promise(() => {}));
  const answer = session.ask(tool, {}, { token: source.token, questionId: "q" });
  await machine.received(1, "question/ask");
  const withdrawn = cancelled(machine);
  source.cancel();
  machine.last.crash();
  expect(await withdrawn).toBe("q");
  await expect(answer).rejects.toMatchObject({ code: "withdrawn" });
});

test("cancelling an await ends only the wait", async () => {
  const { machine, agents } = await start();
  const session = await agents.openSession({ agent: "Agent", key: "a" });
  const answer = session.ask(tool, {}, { questionId: "q" });
  const source = new CancellationTokenSource();
  const waiting = session.await("q", source.token);
  source.cancel();
  await expect(waiting).rejects.toMatchObject({ name: "Canceled" });
  await machine.received(1, "question/ask");
  machine.last.answer("q", "still here");
  expect((await answer).text).toContain("still here");
});

test("withdrawing rejects the answer without an unhandled rejection", async () => {
  const reported: unknown[] = [];
  const report = (reason: unknown) => reported.push(reason);
  process.on("unhandledRejection", report);
  const { machine, agents } = await start();
  const session = await agents.openSession({ agent: "Agent", key: "a" });
  const stream = session.stream();
  machine.last.handle("stream/end", () => ({
    calls: [{ questionId: "q", tool, status: "valid", payload: { question: "?", suggest: [] } }],
    consecutiveMistakes: 0,
  }));
  const { calls } = await stream.end();
  await machine.received(1, "question/await");
  await session.withdraw("q");
  await expect(calls[0]?.answer).rejects.toMatchObject({
    code: "withdrawn",
    message: "The question q was withdrawn before it was answered.",
  });
  const unseen = await session.stream().end();
  await machine.received(1, "question/await", 2);
  await session.withdraw("q");
  expect(unseen.calls).toHaveLength(1);
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", report);
  expect(reported).toEqual([]);
});

test("the sidecar's errors reach the caller with a code", async () => {
  const { machine, agents } = await start();
  const session = await agents.openSession({ agent: "Agent", key: "a" });
  machine.last.handle("question/await", () => new ResponseError(CodeUnknown, "no such question"));
  await expect(session.await("nope")).rejects.toMatchObject({ code: "unknown", message: "no such question" });
  await session.close();
  expect(machine.last.sent("session/close")).toEqual([{ session: "Agent/a" }]);
  await expect(session.ask(tool, {})).rejects.toMatchObject({ code: "closed" });
});

test("reopens a session that the sidecar has forgotten, once for each question", async () => {
  const { machine, agents } = await start();
  const session = await agents.openSession({ agent: "Agent", key: "a", locale: "fr" });
  let known = false;
  machine.last.handle("session/open", () => {
    known = true;
    return { session: "Agent/a" };
  });
  machine.last.handle("question/ask", ({ questionId }: { questionId: string }) =>
    known ? answered(questionId, "8080") : new ResponseError(CodeUnknown, "no such session"),
  );
  expect((await session.ask(tool, {}, { questionId: "q" })).text).toContain("8080");
  const [first, second] = machine.last.sent("session/open");
  expect(second).toEqual(first);
  expect(machine.last.sent("question/ask").map(({ questionId }) => questionId)).toEqual(["q", "q"]);
  machine.last.handle("question/ask", () => new ResponseError(CodeUnknown, "no such session"));
  await expect(session.ask(tool, {}, { questionId: "r" })).rejects.toMatchObject({ code: "unknown" });
  expect(machine.last.sent("question/ask")).toHaveLength(4);
  expect(machine.last.sent("session/open")).toHaveLength(3);
});

test("fails in the caller for input that JSON cannot represent", async () => {
  const { machine, agents } = await start();
  const session = await agents.openSession({ agent: "Agent", key: "a" });
  const circle: { self?: unknown } = {};
  circle.self = circle;
  await expect(session.ask(tool, circle)).rejects.toThrow(TypeError);
  expect(machine.last.sent("question/ask")).toEqual([]);
});

test("closing a session rejects its open questions and does not reopen it", async () => {
  const { machine, agents } = await start();
  const session = await agents.openSession({ agent: "Agent", key: "a" });
  const answer = session.ask(tool, {}, { questionId: "q" });
  await machine.received(1, "question/ask");
  await session.close();
  await expect(answer).rejects.toMatchObject({ name: "FollowupError", code: "withdrawn" });
  machine.last.crash();
  await machine.received(2, "inbox/subscribe");
  expect(machine.last.methods()).not.toContain("session/open");
});

test("after too many crashes it keeps shown questions and rejects new ones; a restart asks again", async () => {
  const { machine, agents, sidecar } = await start();
  const session = await agents.openSession({ agent: "Agent", key: "a" });
  const answer = session.ask(tool, {}, { questionId: "q" });
  await crashForGood(machine, sidecar);
  await expect(session.ask(tool, {}, { questionId: "new" })).rejects.toMatchObject({ code: "unavailable" });
  await expect(session.await("other")).rejects.toBeInstanceOf(FollowupError);
  await sidecar.restart();
  await machine.until((last) => last.sent("question/ask").length === 1);
  expect(machine.last.sent("question/ask").map(({ questionId }) => questionId)).toEqual(["q"]);
  machine.last.answer("q", "at last");
  expect((await answer).text).toContain("at last");
});

test("a restart loses nothing, even if the ending process rejects pending requests", async () => {
  const { machine, agents, sidecar } = await start();
  const first = machine.last;
  const session = await agents.openSession({ agent: "Agent", key: "a" });
  const answer = session.ask(tool, {}, { questionId: "q" });
  await machine.received(1, "question/ask");
  first.handle("shutdown", () => {
    first.answers.get("q")?.reject(new ResponseError(CodeCancelled, "shutting down"));
    return {};
  });
  await sidecar.restart();
  await machine.received(2, "question/ask");
  machine.last.answer("q", "kept");
  expect((await answer).text).toContain("kept");
});
