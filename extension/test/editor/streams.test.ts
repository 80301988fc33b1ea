// A test extension streams calls through the exported API, and the questions are read, clicked and answered while it does;
// and what it is told of its mistakes.

import { expect, test } from "vitest";
import { example, examples, nativeInput } from "./examples";
import { pasteText } from "./harness/clipboard";
import { answerBy, composer, gestureOver, sendButton, suggestion, suggestions } from "./harness/followup";
import { useEditor } from "./harness/use-editor";
import { cut } from "./pieces";

const editor = useEditor();
const encoder = new TextEncoder();

for (const [index, one] of examples.entries()) {
  const { name, tags, question, suggestions: texts } = one;
  test(`${name} is streamed, shown and answered`, async () => {
    const { workbench, agent } = editor();
    const session = await agent.openSession();
    const stream = await session.stream();
    await stream.append(...cut(encoder.encode(`Before. ${tags} After.`), index));
    const card = await workbench.followup.card(question);
    const picked = texts[index % texts.length] ?? "";
    // By pointer and by key in turn.
    if (index % 2 === 0) {
      await gestureOver(card);
      await answerBy(card, suggestion(card, picked));
    } else await answerBy(card, suggestion(card, picked), "Enter");
    const calls = await stream.end();
    expect(calls).toMatchObject([
      {
        tool: "ask_followup_question",
        status: "valid",
        payload: { question, suggest: texts.map((answer) => ({ answer })) },
      },
    ]);
    expect(await stream.answer()).toMatchObject({
      questionId: calls[0]?.questionId,
      outcome: "answered",
      provenance: "clicked",
      text: `<answer>\n${picked}\n</answer>`,
      images: [],
    });
    expect(await stream.passed()).toBe("Before.  After.");
    await expect.poll(() => suggestions(card).count()).toBe(0);
    await session.close();
  });
}

test("a question is readable before it is whole, and its buttons work after it", async () => {
  const { workbench, agent } = editor();
  const { tags, suggestions: texts } = example("emoji");
  const [first = "", second = ""] = texts;
  const bytes = encoder.encode(tags.replace("Which face should", "Held back: what should"));
  const find = (text: string) => Buffer.from(bytes).indexOf(text);
  const session = await agent.openSession();
  const stream = await session.stream();

  const insideQuestion = find("👩‍💻") + 2;
  await stream.append(...cut(bytes.subarray(0, insideQuestion), 1));
  const card = await workbench.followup.card("Held back: what should the empty inbox show: 🦉,");
  expect(await suggestions(card).count()).toBe(0);

  const insideSecond = find(second) + 9;
  await stream.append(...cut(bytes.subarray(insideQuestion, insideSecond), 2));
  await suggestion(card, first).waitFor();
  expect(await suggestion(card, first).isDisabled()).toBe(true);
  expect(await suggestions(card).count()).toBe(1);
  await editor().screenshot("streaming-question");

  await stream.append(...cut(bytes.subarray(insideSecond), 3));
  await expect.poll(() => suggestion(card, second).isEnabled()).toBe(true);
  expect(await suggestions(card).count()).toBe(texts.length);
  await suggestion(card, second).press("Enter");
  await stream.end();
  expect(await stream.answer()).toMatchObject({ text: `<answer>\n${second}\n</answer>` });
  await session.close();
});

test("an answer of 1 MB comes back whole", async () => {
  const { workbench, agent } = editor();
  const session = await agent.openSession();
  const stream = await session.stream();
  await stream.append(
    encoder.encode(example("en-2").tags.replace("What database", "At length: which store")),
  );
  const line = "Zeile für Zeile — 逐行 🦉 \\ \" ' & < > \t";
  const answer = Array.from(
    { length: Math.floor(2 ** 20 / Buffer.byteLength(`99999 ${line}.\n`)) },
    (_, n) => `${n} ${line}.`,
  ).join("\n");
  expect(Buffer.byteLength(answer)).toBeGreaterThan(1_000_000);
  expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(2 ** 20); // what an answer may have
  const card = await workbench.followup.card("At length: which store");
  await pasteText(workbench.page, composer(card), answer);
  await answerBy(card, sendButton(card));
  await stream.end();
  const { text, outcome, provenance } = await stream.answer();
  expect({ outcome, provenance, length: text.length }).toEqual({
    outcome: "answered",
    provenance: "typed",
    length: answer.length + "<answer>\n\n</answer>".length,
  });
  expect(text === `<answer>\n${answer}\n</answer>`).toBe(true);
  await session.close();
});

test("a call without a question counts, the next good one sets the count to 0", async () => {
  const { workbench, agent } = editor();
  const session = await agent.openSession();
  const bad = await session.ask({ follow_up: [{ text: "An answer to nothing" }] });
  expect(bad.error).toEqual({ code: "missing_parameter", message: "Missing required parameter 'question'" });
  expect(bad.text).toContain("Missing required parameter 'question'");
  expect((await session.get()).consecutiveMistakes).toBe(1);

  const good = { ...example("fr-1"), question: "Quelle couleur pour l’erreur ?" };
  const answer = session.ask(nativeInput(good));
  const card = await workbench.followup.card(good.question);
  expect((await session.get()).consecutiveMistakes).toBe(0);
  await answerBy(card, suggestion(card, good.suggestions[0] ?? ""));
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
  await session.close();
});

test("a stream that is broken off takes its question back, and nothing is counted", async () => {
  const { workbench, agent } = editor();
  const one = example("fr-2");
  const question = "Taken back: which one?";
  const tags = one.tags.replace(one.question, question);
  const session = await agent.openSession();
  const stream = await session.stream();
  await stream.append(new TextEncoder().encode(tags.slice(0, tags.indexOf("</suggest>"))));
  const card = await workbench.followup.card(question);
  await stream.abort();
  await card.waitFor({ state: "detached" });
  // What was never a whole question need not stay in the conversation.
  const { consecutiveMistakes, conversation } = await session.get();
  expect(consecutiveMistakes).toBe(0);
  expect(conversation.filter(({ state }) => state !== "closed")).toEqual([]);
  await session.close();
});

test("three faulty calls of a stream: the user is asked for guidance, and their words reach the agent", async () => {
  const { workbench, agent } = editor();
  const session = await agent.openSession();
  const faulty = [
    "<ask_followup_question><question> </question></ask_followup_question>",
    "<ask_followup_question><question>Which?</question><follow_up>whatever</follow_up></ask_followup_question>",
    "<ask_followup_question><question>Which of the",
  ];
  const stream = await session.stream();
  await stream.append(new TextEncoder().encode(faulty.join("\n")));
  const calls = await stream.end();
  expect(calls.map((call) => call.error?.code)).toEqual(["missing_parameter", "invalid_format", "truncated"]);
  expect((await session.get()).consecutiveMistakes).toBe(3);

  const last = stream.answer(2);
  const card = await workbench.followup.card("its last 3 calls could not be read");
  await card.getByText("unexpected end of input").waitFor();
  await card.getByRole("textbox", { name: "Your answer" }).fill("Ask about one thing only.");
  await answerBy(card, card.getByRole("button", { name: "Send" }));
  expect(await last).toMatchObject({
    outcome: "invalid",
    error: { code: "truncated" },
    text: "Failed to parse operations: unexpected end of input\n\n<answer>\nAsk about one thing only.\n</answer>",
  });
  expect((await session.get()).consecutiveMistakes).toBe(0);
  await session.close();
});
