// Streams: order, characters, joining, and what happens to them when the sidecar crashes.

import { afterEach, expect, test } from "vitest";
import { ResponseError } from "vscode-jsonrpc/node";
import type { FollowupStream } from "../../src/agents/api";
import { CodeRefused, CodeUnknown } from "../../src/protocol.gen";
import { passes } from "../wait";
import { crashForGood, type makeHost, reached, running, startHost } from "./fake/host";
import { type FakeProcess, item } from "./fake/sidecar";

const tool = "ask_followup_question";
const hosts: ReturnType<typeof makeHost>[] = [];

async function start() {
  const host = await startHost();
  hosts.push(host);
  const session = await host.agents.openSession({ agent: "Agent", key: "a" });
  return { ...host, session };
}

/** The messages that the process received, with adjacent ones of one kind joined. */
function received({ received: all }: FakeProcess, stream: FollowupStream): string[] {
  return all
    .filter(({ params }) => params?.streamId === stream.id)
    .map(
      ({ method, params }) => `${method} ${params.text ?? params.fragment ?? params.data ?? params.reason}`,
    );
}

afterEach(async () => {
  await Promise.all(hosts.splice(0).map(({ sidecar }) => sidecar.stop()));
});

test("sends pieces in order and before the end, and joins those of a busy moment", async () => {
  const { machine, session } = await start();
  const stream = session.stream();
  for (const piece of ["<ask", "_followup", "_question>", "…"]) {
    stream.append(piece);
  }
  stream.appendToolInput("c1", tool, '{"question":');
  stream.appendToolInput("c1", tool, '"?"}');
  stream.appendToolInput("c2", tool, "{}");
  stream.append("after");
  stream.append("x".repeat(1 << 20));
  await stream.end();
  expect(received(machine.last, stream)).toEqual([
    "stream/append <ask_followup_question>…",
    'stream/appendToolInput {"question":"?"}',
    "stream/appendToolInput {}",
    "stream/append after",
    `stream/append ${"x".repeat(1 << 20)}`,
    "stream/end complete",
  ]);
  expect(machine.last.sent("stream/appendToolInput")[0]).toMatchObject({
    session: "Agent/a",
    callId: "c1",
    tool,
  });
});

test("holds back half a surrogate pair on each channel until the other half arrives", async () => {
  const { machine, session } = await start();
  const stream = session.stream();
  stream.append("a\ud83d");
  stream.appendToolInput("c", tool, "\ud83d");
  stream.append("\ude80b");
  stream.appendToolInput("c", tool, "");
  stream.appendToolInput("c", tool, "\ude80");
  stream.append("\ude80");
  stream.append("\ud83d");
  await stream.end();
  expect(received(machine.last, stream)).toEqual([
    "stream/append a🚀b",
    "stream/appendToolInput 🚀",
    "stream/append \ude80\ud83d",
    "stream/end complete",
  ]);
});

test("sends bytes as characters, each piece with its offset", async () => {
  const { machine, session } = await start();
  const stream = session.stream();
  const rocket = new TextEncoder().encode("🚀");
  stream.append(rocket.subarray(0, 3));
  stream.append(rocket.subarray(3));
  stream.appendToolInput("c", tool, rocket);
  stream.append("é");
  stream.append(rocket.subarray(0, 1));
  await stream.end();
  const sent = machine.last.received.filter(({ params }) => params?.offset !== undefined);
  expect(sent.map(({ params }) => [params.offset, params.text ?? params.fragment])).toEqual([
    [0, "🚀"],
    [0, "🚀"],
    [4, "é�"],
  ]);
});

test("returns text outside calls to its stream", async () => {
  const { machine, session } = await start();
  const [one, two] = [session.stream(), session.stream()];
  const passed: string[] = [];
  one.onDidPassText((text) => passed.push(`one ${text}`));
  two.onDidPassText((text) => passed.push(`two ${text}`));
  one.append("x");
  two.append("y");
  machine.last.handle(
    "stream/end",
    async ({ streamId, session: id }: { streamId: string; session: string }) => {
      await machine.last.notify("stream/didPassText", {
        session: id,
        streamId,
        offset: 0,
        text: "last words",
      });
      return { calls: [], consecutiveMistakes: 0 };
    },
  );
  await two.end();
  await one.end();
  expect(passed).toEqual(["two last words", "one last words"]);
});

test("an ended stream accepts no more input", async () => {
  const { session } = await start();
  const stream = session.stream();
  await stream.end();
  expect(() => stream.append("x")).toThrow(/has ended/);
  await expect(stream.end()).rejects.toMatchObject({ code: "closed" });
  await stream.abort();
});

test("each call comes with a promise of its answer", async () => {
  const { machine, session } = await start();
  machine.last.handle("stream/end", () => ({
    calls: [{ questionId: "q", tool, status: "valid", repairs: [], payload: { question: "?", suggest: [] } }],
    consecutiveMistakes: 2,
    hidden: { fence: 1 },
  }));
  const { calls, consecutiveMistakes, hidden } = await session.stream().end();
  expect(consecutiveMistakes).toBe(2);
  expect(hidden).toEqual({ fence: 1 });
  await machine.received(1, "question/await");
  machine.last.answer("q", "here");
  expect((await calls[0]?.answer)?.text).toContain("here");
});

test("resends a stream from its start after a crash, and continues it", async () => {
  const { machine, session, sidecar } = await start();
  const stream = session.stream();
  const passed: string[] = [];
  stream.onDidPassText((text) => passed.push(text));
  stream.append("one ");
  stream.appendToolInput("c", tool, new TextEncoder().encode("{}"));
  const first = await machine.received(1, "stream/appendToolInput");
  await first.notify("stream/didPassText", {
    session: session.id,
    streamId: stream.id,
    offset: 0,
    text: "one",
  });
  await passes(() => expect(passed).toEqual(["one"]));
  first.crash();
  await reached(sidecar, "restarting");
  stream.append("two ");
  const second = await machine.received(2, "stream/append", 2);
  expect(second.methods()).toEqual([
    "initialize",
    "initialized",
    "session/open",
    "inbox/subscribe",
    "stream/resume",
    "stream/append",
    "stream/appendToolInput",
    "stream/append",
  ]);
  let offset = 0;
  for (const text of ["on", "e two", " three"]) {
    await second.notify("stream/didPassText", { session: session.id, streamId: stream.id, offset, text });
    offset += text.length;
  }
  await running(sidecar);
  stream.append("three");
  await stream.end();
  expect(received(second, stream)).toEqual([
    "stream/resume undefined",
    "stream/append one ",
    "stream/appendToolInput {}",
    "stream/append two ",
    "stream/append three",
    "stream/end complete",
  ]);
  // Text that was passed on before is not passed on again.
  expect(passed).toEqual(["one", " two", " three"]);
});

test("a stream whose end a crash interrupted ends in the next process", async () => {
  const { machine, session } = await start();
  const stream = session.stream();
  stream.append("…");
  machine.last.handle("stream/end", () => new Promise(() => {}));
  const ended = stream.end();
  await machine.received(1, "stream/end");
  machine.overrides["stream/end"] = () => ({
    calls: [{ questionId: "q", tool, status: "valid", payload: item("q").payload }],
    consecutiveMistakes: 3,
  });
  machine.last.crash();
  const { calls, consecutiveMistakes } = await ended;
  expect(calls.map(({ questionId, status }) => [questionId, status])).toEqual([["q", "valid"]]);
  expect(consecutiveMistakes).toBe(3);
  const second = await machine.received(2, "question/await");
  expect(received(second, stream)).toEqual([
    "stream/resume undefined",
    "stream/append …",
    "stream/end complete",
  ]);
  second.answer("q", "after all");
  expect((await calls[0]?.answer)?.text).toContain("after all");
});

test("does not resend a stream that has ended or whose session is closed", async () => {
  const { machine, session, agents } = await start();
  const ended = session.stream();
  ended.append("ended");
  await ended.end();
  const other = await agents.openSession({ agent: "Agent", key: "b" });
  const left = other.stream();
  left.append("left");
  await machine.received(1, "stream/append", 2);
  await other.close();
  machine.last.crash();
  const second = await machine.received(2, "inbox/subscribe");
  expect(second.sent("stream/resume")).toEqual([]);
});

test("an invalid call of a complete stream keeps its error after a crash", async () => {
  const { machine, session } = await start();
  const error = { code: "missing_parameter", message: "Missing required parameter 'question'" };
  machine.last.handle("stream/end", () => ({
    calls: [{ questionId: "bad", tool, status: "invalid", error }],
    consecutiveMistakes: 1,
  }));
  const { calls } = await session.stream().end();
  await machine.received(1, "question/await");
  machine.overrides["question/await"] = () => new ResponseError(CodeUnknown, "no such question");
  machine.last.crash();
  expect(await calls[0]?.answer).toMatchObject({ outcome: "invalid", text: error.message, error });
});

test("aborting withdraws in this process or, after a crash, in the next", async () => {
  const { machine, session, sidecar } = await start();
  const first = session.stream();
  first.append("…");
  await machine.received(1, "stream/append");
  await first.abort();
  expect(received(machine.last, first).at(-1)).toBe("stream/end aborted");

  const second = session.stream();
  second.append("…");
  machine.last.crash();
  await reached(sidecar, "restarting");
  await second.abort();
  expect(received(machine.last, second)).toEqual(["stream/resume undefined", "stream/end aborted"]);
});

test("a stream can be aborted when no process follows", async () => {
  const { machine, session, sidecar } = await start();
  const stream = session.stream();
  stream.append("…");
  await machine.received(1, "stream/append");
  await crashForGood(machine, sidecar);
  await stream.abort();
  await sidecar.restart();
  await running(sidecar);
  expect(received(machine.last, stream)).toEqual([]);
});

test("the end reports a truncated stream", async () => {
  const { machine, session } = await start();
  machine.last.handle("stream/end", () => ({ calls: [], consecutiveMistakes: 0, truncated: true }));
  expect((await session.stream().end()).truncated).toBe(true);
});

test("an end that reached no process can be repeated after a restart", async () => {
  const { machine, session, sidecar } = await start();
  for (const number of [1, 2, 3]) {
    const process = await machine.received(number, "inbox/subscribe");
    await running(sidecar);
    process.crash();
    await process.ended;
  }
  await machine.received(4, "inbox/subscribe");
  await running(sidecar);
  const stream = session.stream();
  stream.append("all of it");
  await machine.received(4, "stream/append");
  machine.last.crash();
  await reached(sidecar, "failed");
  await expect(stream.end()).rejects.toMatchObject({ code: "unavailable" });
  expect(() => stream.append("more")).toThrow(/has ended/);
  sidecar.start();
  expect(await stream.end()).toEqual({ calls: [], consecutiveMistakes: 0 });
  expect(received(machine.last, stream)).toEqual([
    "stream/resume undefined",
    "stream/append all of it",
    "stream/end complete",
  ]);
  await expect(stream.end()).rejects.toMatchObject({ code: "closed" });
});

test("an end that fails because the history cannot be read can be repeated in the same process", async () => {
  const { machine, session } = await start();
  const stream = session.stream();
  stream.append("…");
  machine.last.handle("stream/end", () => new ResponseError(CodeRefused, "bad sector"));
  await expect(stream.end()).rejects.toMatchObject({ code: "refused", message: "bad sector" });
  machine.last.handle("stream/end", () => ({ calls: [], consecutiveMistakes: 0 }));
  await stream.end();
  expect(received(machine.last, stream)).toEqual([
    "stream/append …",
    "stream/end complete",
    "stream/resume undefined",
    "stream/append …",
    "stream/end complete",
  ]);
});

test("resends pieces one by one, and drops them with their session", async () => {
  const { machine, session } = await start();
  const stream = session.stream();
  for (const piece of ["a", "b", "c"]) {
    stream.append(piece);
    await machine.until((last) => received(last, stream).join("").includes(piece));
  }
  expect(received(machine.last, stream)).toEqual(["stream/append a", "stream/append b", "stream/append c"]);
  machine.last.crash();
  const second = await machine.received(2, "stream/append", 3);
  expect(received(second, stream)).toEqual([
    "stream/resume undefined",
    "stream/append a",
    "stream/append b",
    "stream/append c",
  ]);
  await session.close();
  expect(() => stream.append("d")).toThrow(/has ended/);
  await expect(stream.end()).rejects.toMatchObject({ code: "closed" });
});

test("never begins a stream that was aborted before any process took it", async () => {
  const { machine, session, sidecar } = await start();
  machine.last.crash();
  await reached(sidecar, "restarting");
  const stream = session.stream();
  stream.append("never");
  await stream.abort();
  await running(sidecar);
  const other = session.stream();
  other.append("later");
  await other.end();
  expect(machine.last.number).toBe(2);
  expect(received(machine.last, stream)).toEqual([]);
});

test("a stream begun between processes waits for the next one and stays whole", async () => {
  const { machine, session, sidecar } = await start();
  machine.last.crash();
  await reached(sidecar, "restarting");
  const stream = session.stream();
  stream.append("one ");
  stream.append("two");
  await stream.end();
  expect(received(machine.last, stream)).toEqual(["stream/append one two", "stream/end complete"]);
  expect(machine.last.number).toBe(2);
});

test("a stream that no process takes reports that there is none", async () => {
  const { machine, session, sidecar } = await start();
  await crashForGood(machine, sidecar);
  const stream = session.stream();
  stream.append("lost");
  await expect(stream.end()).rejects.toMatchObject({ code: "unavailable" });
});
