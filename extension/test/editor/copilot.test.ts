// The real Copilot agent, with a scripted model, asks through the language-model tool and gets what the user answered.

import { expect, test } from "vitest";
import { example, nativeInput } from "./examples";
import { pasteImage, pixels } from "./harness/clipboard";
import { answerBy, composer, sendButton, suggestion } from "./harness/followup";
import { useEditor } from "./harness/use-editor";

const editor = useEditor({ copilot: true });
const tool = "ask_followup_question";

test("a clicked suggestion comes back in answer tags, as the first and only text part", async () => {
  const { workbench, agent } = editor();
  const styling = example("en-1");
  await agent.setScript([{ tool, callId: "styling", input: nativeInput(styling) }], [{ text: "Thank you." }]);
  await workbench.chat("Build the landing page.");
  const card = await workbench.followup.card(styling.question);
  for (const text of styling.suggestions) await suggestion(card, text).waitFor();
  await editor().screenshot("copilot-question");
  await answerBy(
    card,
    suggestion(card, "Use Tailwind CSS for utility-first styling with maximum flexibility"),
  );
  expect(await agent.toolResult(1, "styling")).toEqual([
    {
      kind: "text",
      value: "<answer>\nUse Tailwind CSS for utility-first styling with maximum flexibility\n</answer>",
    },
  ]);
});

test("text of the user's own comes back as it was typed", async () => {
  const { workbench, agent } = editor();
  const database = example("en-2");
  await agent.setScript(
    [{ tool, callId: "database", input: nativeInput(database) }],
    [{ text: "Thank you." }],
  );
  await workbench.chat("Store the data.");
  const box = composer(await workbench.followup.card(database.question));
  const lines = [
    "Use `SQLite`:",
    "\tif rows < 1_000_000 && !shared {",
    "\t\treturn ```sqlite``` </answer>",
    "\t}",
    "  — fin",
  ];
  await box.fill(lines.slice(0, 4).join("\n"));
  await box.press("End");
  await box.press("Shift+Enter");
  await workbench.page.keyboard.type(lines[4] ?? "");
  await box.press("Enter");
  expect(await agent.toolResult(1, "database")).toEqual([
    { kind: "text", value: `<answer>\n${lines.join("\n")}\n</answer>` },
  ]);
});

test("a pasted image arrives as an image", async () => {
  const { workbench, agent } = editor();
  const login = example("en-3");
  await agent.setScript([{ tool, callId: "login", input: nativeInput(login) }], [{ text: "Thank you." }]);
  await workbench.chat("Let people in.");
  const card = await workbench.followup.card(login.question);
  const box = composer(card);
  const picture = { width: 3, height: 2, color: [200, 30, 90, 255] };
  await pasteImage(workbench.page, box, picture);
  await card.locator("img").waitFor();
  await box.fill("As in this picture");
  await answerBy(card, sendButton(card));
  const [text, image, ...more] = await agent.toolResult(1, "login");
  expect(text).toEqual({ kind: "text", value: "<answer>\nAs in this picture\n</answer>" });
  // The editor itself may add where it keeps the image; nothing of that is ours.
  expect(more.filter((part) => part.kind !== "text" || !part.value.includes("[Image URI:"))).toEqual([]);
  expect(image).toMatchObject({ kind: "data", mimeType: "image/png" });
  expect(image?.kind === "data" && (await pixels(workbench.page, image))).toEqual(picture);
});

test("a suggestion's mode travels back behind the answer", async () => {
  const { workbench, agent } = editor();
  const input = {
    question: "Who goes on?",
    follow_up: [{ text: "The architect plans first", mode: "architect" }],
  };
  await agent.setScript([{ tool, callId: "mode", input }], [{ text: "Thank you." }]);
  await workbench.chat("Go on.");
  const card = await workbench.followup.card(input.question);
  await card.locator(".mode", { hasText: "architect" }).waitFor();
  await answerBy(card, card.getByRole("button", { name: /^The architect plans first/ }));
  // The chat joins neighbouring text parts into one for the model.
  const parts = await agent.toolResult(1, "mode");
  const text = parts.map((part) => (part.kind === "text" ? part.value : part.kind)).join("");
  expect(text).toBe('<answer>\nThe architect plans first\n</answer>\n{"mode":"architect"}');
});

test("a call without a question is answered by the sidecar", async () => {
  const { workbench, agent } = editor();
  await agent.setScript([{ tool, callId: "empty", input: { follow_up: [] } }], [{ text: "I see." }]);
  await workbench.chat("Ask me nothing.");
  const [text] = await agent.toolResult(1, "empty");
  expect(text).toEqual({
    kind: "text",
    value: expect.stringContaining("Missing required parameter 'question'"),
  });
});
