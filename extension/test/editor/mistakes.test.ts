// The mistake count and the conversation, as an agent sees them through the exported API.

import { expect, test } from "vitest";
import { example, nativeInput } from "./examples";
import { answerBy, suggestion } from "./harness/followup";
import { useEditor } from "./harness/use-editor";

const editor = useEditor();

test("a call without a question counts, the next good one sets the count to 0", async () => {
  const { workbench, agent } = editor();
  const session = await agent.openSession();
  const bad = await session.ask({ follow_up: [{ text: "An answer to nothing" }] });
  expect(bad.error).toEqual({ code: "missing_parameter", message: "Missing required parameter 'question'" });
  expect(bad.text).toContain("Missing required parameter 'question'");
  expect((await session.get()).consecutiveMistakes).toBe(1);

  const good = example("fr-1");
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
  const { tags, question } = example("fr-2");
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
