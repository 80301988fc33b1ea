// What must not happen when a part ends under a question: an answer lost with the sidecar, or a window without questions.

import { expect, test } from "vitest";
import { example, nativeInput } from "./examples";
import { answerBy, suggestion } from "./harness/followup";
import { sidecarProcess } from "./harness/sidecar";
import { useEditor } from "./harness/use-editor";

const editor = useEditor({ copilot: true });

test("a question outlives the sidecar that asked it, and its agent gets the answer", async () => {
  const { workbench, agent, folder } = editor();
  const { question, suggestions } = example("en-3");
  const tool = "ask_followup_question";
  await agent.setScript(
    [{ tool, callId: "login", input: nativeInput(example("en-3")) }],
    [{ text: "Thank you." }],
  );
  await workbench.chat("Let people in.");
  const card = await workbench.followup.card(question);
  await expect.poll(() => suggestion(card, suggestions[0] ?? "").isEnabled()).toBe(true);

  const first = await sidecarProcess(folder);
  process.kill(first, "SIGKILL");
  const second = await sidecarProcess(folder, first);
  expect(second).not.toBe(first);

  await answerBy(card, suggestion(card, suggestions[2] ?? ""));
  expect(await agent.toolResult(1, "login")).toEqual([
    { kind: "text", value: `<answer>\n${suggestions[2]}\n</answer>` },
  ]);
});

test("a window that is loaded anew shows the next question", async () => {
  await editor().reload();
  const { workbench, agent } = editor();
  const { question, suggestions } = example("en-1");
  const session = await agent.openSession();
  const answer = session.ask(nativeInput(example("en-1")));
  const card = await workbench.followup.card(question);
  await answerBy(card, suggestion(card, suggestions[0] ?? ""));
  expect(await answer).toMatchObject({ outcome: "answered", text: `<answer>\n${suggestions[0]}\n</answer>` });
  await session.close();
});
