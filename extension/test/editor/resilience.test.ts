// What must not happen when a question comes at a bad time: stolen keys, or an answer lost with the sidecar.

import { expect, test } from "vitest";
import { example, nativeInput } from "./examples";
import { suggestion } from "./harness/followup";
import { sidecarProcess } from "./harness/sidecar";
import { useEditor } from "./harness/use-editor";
import { cut } from "./pieces";

// Nothing helps along while keys are counted.
const plainTyping = {
  "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
  "editor.wordBasedSuggestions": "off",
  "editor.autoIndent": "none",
};
/**
 * The time between two keys in milliseconds, a fast typist's. The browser puts keys before everything else: at several times
 * this pace it leaves the loading of a first webview waiting for most of a minute.
 */
const keyInterval = 120;

const editor = useEditor({ copilot: true, files: { "notes.txt": "" }, settings: plainTyping });

// The first of the file, so that the view has never been shown when the question arrives.
test("whoever types in an editor while a question arrives goes on typing there", async () => {
  const { workbench, agent } = editor();
  const { tags, question, suggestions } = example("en-2");
  const session = await agent.openSession();
  const stream = await session.stream();
  await workbench.openFile("notes.txt");
  let typed = "";
  const type = async (text: string) => {
    await workbench.page.keyboard.type(text, { delay: keyInterval });
    typed += text;
  };
  await type("before ");
  for (const piece of cut(new TextEncoder().encode(tags), 5)) {
    await stream.append(piece);
    await type("a ");
  }
  let waiting = true;
  const shown = workbench.followup
    .card(question)
    .then(async (card) => {
      await expect.poll(() => suggestion(card, suggestions[0] ?? "").isEnabled()).toBe(true);
      return card;
    })
    .finally(() => {
      waiting = false;
    });
  // It is awaited below; until then its failure only ends the typing.
  shown.catch(() => {});
  // The question is on screen at some moment between two of these words.
  while (waiting) await type("b ");
  await type("after.");
  const card = await shown;
  await expect.poll(() => agent.documentText("notes.txt")).toBe(typed);
  await suggestion(card, suggestions[1] ?? "").click();
  await stream.end();
  expect(await stream.answer()).toMatchObject({ text: `<answer>\n${suggestions[1]}\n</answer>` });
  await session.close();
});

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

  await suggestion(card, suggestions[2] ?? "").click();
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
  await suggestion(card, suggestions[0] ?? "").click();
  expect(await answer).toMatchObject({ outcome: "answered", text: `<answer>\n${suggestions[0]}\n</answer>` });
  await session.close();
});
