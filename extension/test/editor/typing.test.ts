// What must not happen when a question comes while somebody types: stolen keys.

import { expect, test } from "vitest";
import { example } from "./examples";
import { answerBy, suggestion } from "./harness/followup";
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

const editor = useEditor({ files: { "notes.txt": "" }, settings: plainTyping });

// The only one of the file, so that the view has never been shown when the question arrives.
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
  await answerBy(card, suggestion(card, suggestions[1] ?? ""));
  await stream.end();
  expect(await stream.answer()).toMatchObject({ text: `<answer>\n${suggestions[1]}\n</answer>` });
  await session.close();
});
