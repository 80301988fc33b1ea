// An agent streams calls through the exported API to the real sidecar, while the questions are read, clicked
// and answered in the page; and what the agent learns about its mistakes.

import { expect, test } from "vitest";
import type { FollowupStream } from "../../src/agents/api";
import { example, examples, nativeInput } from "../editor/examples";
import { composer, sendButton, suggestion, suggestions } from "../editor/harness/followup";
import { cut } from "../editor/pieces";
import { useWindows } from "./window";

const windows = useWindows(1);
const encoder = new TextEncoder();
const tool = "ask_followup_question";

/** The window, and a stream of a session in it. */
async function begin() {
  const [followup] = windows();
  if (!followup) throw new Error("no window is open");
  const session = await followup.openSession();
  const stream = session.stream();
  let passed = "";
  stream.onDidPassText((text) => {
    passed += text;
  });
  return { followup, session, stream, passed: () => passed };
}

const append = (stream: FollowupStream, ...pieces: Uint8Array[]) => {
  for (const piece of pieces) stream.append(piece);
};

for (const [index, one] of examples.entries()) {
  const { name, tags, question, suggestions: texts } = one;
  test(`${name} is streamed, shown and answered`, async () => {
    const { followup, stream, passed } = await begin();
    append(stream, ...cut(encoder.encode(`Before. ${tags} After.`), index));
    const card = await followup.card(question);
    const picked = texts[index % texts.length] ?? "";
    // Alternately by pointer and by key.
    await followup.answer(card, suggestion(card, picked), index % 2 === 0 ? "click" : "Enter");
    const { calls } = await stream.end();
    expect(calls).toMatchObject([
      { tool, status: "valid", payload: { question, suggest: texts.map((answer) => ({ answer })) } },
    ]);
    expect(await calls[0]?.answer).toMatchObject({
      questionId: calls[0]?.questionId,
      outcome: "answered",
      provenance: "clicked",
      text: `<answer>\n${picked}\n</answer>`,
      images: [],
    });
    expect(passed()).toBe("Before.  After.");
    await expect.poll(() => suggestions(card).count()).toBe(0);
  });
}

test("a question is readable before it is complete, and its buttons work afterwards", async () => {
  const { followup, stream } = await begin();
  const { tags, suggestions: texts } = example("emoji");
  const [first = "", second = ""] = texts;
  const bytes = encoder.encode(tags.replace("Which face should", "Held back: what should"));
  const find = (text: string) => Buffer.from(bytes).indexOf(text);

  const insideQuestion = find("👩‍💻") + 2;
  append(stream, ...cut(bytes.subarray(0, insideQuestion), 1));
  const card = await followup.card("Held back: what should the empty inbox show: 🦉,");
  expect(await suggestions(card).count()).toBe(0);

  const insideSecond = find(second) + 9;
  append(stream, ...cut(bytes.subarray(insideQuestion, insideSecond), 2));
  await suggestion(card, first).waitFor();
  expect(await suggestion(card, first).isDisabled()).toBe(true);
  expect(await suggestions(card).count()).toBe(1);

  append(stream, ...cut(bytes.subarray(insideSecond), 3));
  await expect.poll(() => suggestion(card, second).isEnabled()).toBe(true);
  expect(await suggestions(card).count()).toBe(texts.length);
  await followup.answer(card, suggestion(card, second), "Enter");
  const { calls } = await stream.end();
  expect(await calls[0]?.answer).toMatchObject({ text: `<answer>\n${second}\n</answer>` });
});

test("an answer of 1 MB returns whole", async () => {
  const { followup, stream } = await begin();
  append(stream, encoder.encode(example("en-2").tags.replace("What database", "At length: which store")));
  const line = "Zeile für Zeile — 逐行 🦉 \\ \" ' & < > \t";
  const answer = Array.from(
    { length: Math.floor(2 ** 20 / Buffer.byteLength(`99999 ${line}.\n`)) },
    (_, n) => `${n} ${line}.`,
  ).join("\n");
  expect(Buffer.byteLength(answer)).toBeGreaterThan(1_000_000);
  expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(2 ** 20); // the limit of an answer
  const card = await followup.card("At length: which store");
  await followup.page.evaluate((text) => navigator.clipboard.writeText(text), answer);
  await expect.poll(() => card.getAttribute("data-state")).toBe("pending");
  await followup.rest();
  await composer(card).click();
  await composer(card).and(card.locator(":focus")).waitFor();
  await followup.page.keyboard.press("Control+V");
  await followup.page.evaluate(() => window.editorDone);
  await followup.answer(card, sendButton(card), "Enter");
  const { calls } = await stream.end();
  const posted = await calls[0]?.answer;
  expect(posted).toMatchObject({ outcome: "answered", provenance: "typed" });
  expect(posted?.text === `<answer>\n${answer}\n</answer>`).toBe(true);
});

test("a call without a question counts as a mistake, and the next valid one resets the count", async () => {
  const { followup, session } = await begin();
  const bad = await session.ask(tool, { follow_up: [{ text: "An answer to nothing" }] });
  expect(bad.error).toEqual({ code: "missing_parameter", message: "Missing required parameter 'question'" });
  expect(bad.text).toContain("Missing required parameter 'question'");
  expect((await session.get()).consecutiveMistakes).toBe(1);

  const good = example("fr-1");
  const answer = session.ask(tool, nativeInput(good));
  const card = await followup.card(good.question);
  expect((await session.get()).consecutiveMistakes).toBe(0);
  await followup.answer(card, suggestion(card, good.suggestions[0] ?? ""));
  expect(await answer).toMatchObject({
    outcome: "answered",
    text: `<answer>\n${good.suggestions[0]}\n</answer>`,
  });

  const { conversation, consecutiveMistakes } = await session.get();
  expect(consecutiveMistakes).toBe(0);
  expect(conversation).toMatchObject([
    { questionId: bad.questionId, state: "closed", error: bad.error },
    {
      questionId: (await answer).questionId,
      state: "closed",
      payload: { question: good.question },
      outcome: { outcome: "answered", provenance: "clicked" },
    },
  ]);
});

test("an interrupted stream closes its question, and nothing counts", async () => {
  const { followup, session, stream } = await begin();
  const { tags, question } = example("fr-2");
  append(stream, encoder.encode(tags.slice(0, tags.indexOf("</suggest>"))));
  const card = await followup.card(question);
  await stream.abort();
  await expect.poll(() => card.getAttribute("data-state")).toBe("closed");
  // A question that was never complete need not stay in the conversation.
  const { consecutiveMistakes, conversation } = await session.get();
  expect(consecutiveMistakes).toBe(0);
  expect(conversation.filter(({ state }) => state !== "closed")).toEqual([]);
});

test("after three invalid calls in a stream the user is asked for guidance, which reaches the agent", async () => {
  const { followup, session, stream } = await begin();
  const faulty = [
    "<ask_followup_question><question> </question></ask_followup_question>",
    "<ask_followup_question><question>Which?</question><follow_up>whatever</follow_up></ask_followup_question>",
    "<ask_followup_question><question>Which of the",
  ];
  append(stream, encoder.encode(faulty.join("\n")));
  const { calls } = await stream.end();
  expect(calls.map((call) => call.error?.code)).toEqual(["missing_parameter", "invalid_format", "truncated"]);
  expect((await session.get()).consecutiveMistakes).toBe(3);

  const card = await followup.card("its last 3 calls could not be read");
  await card.getByText("unexpected end of input").waitFor();
  await composer(card).fill("Ask about one thing only.");
  await followup.answer(card, sendButton(card));
  expect(await calls[2]?.answer).toMatchObject({
    outcome: "invalid",
    error: { code: "truncated" },
    text: "Failed to parse operations: unexpected end of input\n\n<answer>\nAsk about one thing only.\n</answer>",
  });
  expect((await session.get()).consecutiveMistakes).toBe(0);
});

test("a stream continues after the sidecar is killed: each call counts once, and the card returns", async () => {
  const { followup, session, stream, passed } = await begin();
  const answered = example("en-1");
  const cut = example("pt-BR-2");
  const half = cut.tags.indexOf("</suggest>");
  const bad = "<ask_followup_question><question> </question></ask_followup_question>";
  append(stream, encoder.encode(`Before. ${bad}${answered.tags}`));
  const first = await followup.card(answered.question);
  await followup.answer(first, suggestion(first, answered.suggestions[0] ?? ""));
  append(stream, encoder.encode(`${bad} Between. ${cut.tags.slice(0, half)}`));
  await followup.card(cut.question);
  await expect.poll(passed).toBe("Before.  Between. ");

  const known = async () => {
    const { conversation, consecutiveMistakes } = await session.get();
    return {
      records: conversation.map(({ questionId, state }) => `${questionId} ${state}`),
      mistakes: consecutiveMistakes,
    };
  };
  await expect.poll(async () => (await known()).records.length).toBe(4);
  const before = await known();
  expect(before.mistakes).toBe(1);
  expect(before.records.map((record) => record.split(" ")[1])).toEqual([
    "closed",
    "closed",
    "closed",
    "streaming",
  ]);

  const { state } = followup.sidecar;
  if (state.kind !== "running") throw new Error("the sidecar does not run");
  const posted = new Promise<void>((resolve) =>
    followup.sidecar.onDidChangeState(({ kind }) => kind === "running" && resolve()),
  );
  process.kill(state.server.pid, "SIGKILL");
  await posted;
  // An incomplete call is not stored: once there is one again, everything before it has been read again.
  await expect.poll(async () => (await known()).records.length).toBe(4);
  const again = await known();
  expect(again.mistakes).toBe(1);
  expect(again.records.slice(0, 3)).toEqual(before.records.slice(0, 3));
  append(stream, encoder.encode(`${cut.tags.slice(half)} After.`));
  await followup.page.locator('followup-card[data-state="pending"]', { hasText: cut.question }).waitFor();
  const second = await followup.card(cut.question);
  const { calls } = await stream.end();
  expect(calls.map(({ status }) => status)).toEqual(["invalid", "valid", "invalid", "valid"]);
  expect(await calls[1]?.answer).toMatchObject({ text: `<answer>\n${answered.suggestions[0]}\n</answer>` });
  await followup.answer(second, suggestion(second, cut.suggestions[1] ?? ""));
  expect(await calls[3]?.answer).toMatchObject({ text: `<answer>\n${cut.suggestions[1]}\n</answer>` });
  expect(passed()).toBe("Before.  Between.  After.");
  const { conversation } = await session.get();
  expect(conversation.map(({ questionId }) => questionId)).toEqual(calls.map(({ questionId }) => questionId));
});
