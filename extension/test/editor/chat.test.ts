// The real Copilot agent, with a scripted model, asks with default settings: the question appears inside the chat.

import { expect, test } from "vitest";
import { ask, offered, questionsTool, tool } from "./harness/chat";
import { pasteImage, pixels } from "./harness/clipboard";
import { answerBy, composer, sendButton, suggestion } from "./harness/followup";
import { useEditor } from "./harness/use-editor";

const editor = useEditor({ copilot: true });

test("a click in the chat answers the agent and neither opens nor notifies anything else", async () => {
  const { workbench, agent } = editor();
  await offered(editor());
  const input = ask("Which quay?", "North", "South");
  await agent.setScript([{ tool, callId: "quay", input }], [{ text: "Thank you." }]);
  await workbench.chat("Moor the ship.");
  const card = await workbench.followup.inChat("Which quay?");
  await editor().screenshot("chat-question");
  expect(await workbench.followup.isOpen()).toBe(false);
  await answerBy(card, suggestion(card, "South"));
  const [text] = await agent.toolResult(1, "quay");
  expect(text).toEqual({ kind: "text", value: "<answer>\nSouth\n</answer>" });
  await card.locator(".closed-line").waitFor();
  await editor().screenshot("chat-answered");
  expect(await workbench.page.locator(".notifications-toasts .notification-toast").count()).toBe(0);
});

test("returns typed text from the chat unchanged", async () => {
  const { workbench, agent } = editor();
  await offered(editor());
  await agent.setScript(
    [{ tool, callId: "name", input: ask("What is the ferry called?", "Anna") }],
    [{ text: "Thank you." }],
  );
  await workbench.chat("Name the ferry.");
  const box = composer(await workbench.followup.inChat("What is the ferry called?"));
  await box.fill("Grete,\n\tas last `year` </answer>");
  await box.press("Enter");
  const [text] = await agent.toolResult(1, "name");
  expect(text).toEqual({ kind: "text", value: "<answer>\nGrete,\n\tas last `year` </answer>\n</answer>" });
});

test("an image pasted in the chat reaches the agent", async () => {
  const { workbench, agent } = editor();
  await offered(editor());
  const input = ask("How does the flag look?", "Plain");
  await agent.setScript([{ tool, callId: "flag", input }], [{ text: "Thank you." }]);
  await workbench.chat("Hoist the flag.");
  const card = await workbench.followup.inChat("How does the flag look?");
  const picture = { width: 3, height: 2, color: [200, 30, 90, 255] };
  await pasteImage(workbench.page, composer(card), picture);
  await card.locator("img").waitFor();
  await composer(card).fill("Like this");
  await answerBy(card, sendButton(card));
  const [text, image] = await agent.toolResult(1, "flag");
  expect(text).toEqual({ kind: "text", value: "<answer>\nLike this\n</answer>" });
  if (image?.kind !== "data") throw new Error(`no image came: ${JSON.stringify(image)}`);
  expect(await pixels(workbench.page, image)).toEqual(picture);
});

test("answers a questionnaire in the chat", async () => {
  const { workbench, agent } = editor();
  await offered(editor());
  const options = ["Platform", "Price", "Bicycles"].map((label) => ({ label, description: "" }));
  const input = {
    questions: [{ question: "Which details?", header: "Details", options, multiSelect: true }],
  };
  await agent.setScript([{ tool: questionsTool, callId: "details", input }], [{ text: "Thank you." }]);
  await workbench.chat("List the departures.");
  const card = await workbench.followup.inChat("Which details?");
  await card.focus();
  for (const key of ["1", "3", "Control+Enter"]) await workbench.page.keyboard.press(key);
  const [text] = await agent.toolResult(1, "details");
  expect(text).toMatchObject({ kind: "text", value: expect.stringContaining('["Platform","Bicycles"]') });
});

test("an answer in the side bar closes the card in the chat", async () => {
  const { workbench, agent } = editor();
  await offered(editor());
  const input = ask("Which berth?", "A", "B");
  await agent.setScript([{ tool, callId: "berth", input }], [{ text: "Thank you." }]);
  await workbench.chat("Moor again.");
  const inChat = await workbench.followup.inChat("Which berth?");
  await workbench.runCommand("Followup: Focus Question");
  const card = await workbench.followup.card("Which berth?");
  await composer(inChat).fill("The long one");
  await expect.poll(() => composer(card).inputValue(), { timeout: 30_000 }).toBe("The long one");
  await answerBy(card, card.locator(".suggestion button.choose").nth(1));
  const [text] = await agent.toolResult(1, "berth");
  expect(text).toMatchObject({ value: expect.stringContaining("<answer>\nB\n\nThe long one\n</answer>") });
  await inChat.locator(".closed-line").waitFor();
});

test("after a reload the chat shows a closed question again and keeps an open one's draft", async () => {
  const { workbench, agent } = editor();
  await offered(editor());
  await workbench.runCommand("Chat: New Chat Editor");
  const closed = { tool, callId: "tide", input: ask("High tide?", "Noon") };
  await agent.setScript([closed], [{ text: "Thank you." }]);
  await workbench.chat("When do we sail?");
  const high = await workbench.followup.inChat("High tide?");
  await answerBy(high, suggestion(high, "Noon"));
  await editor().chatSaved("High tide?", "Thank you.");
  const open = { tool, callId: "ebb", input: ask("Low tide?", "Dawn") };
  await agent.setScript([open], [{ text: "Thank you." }]);
  await workbench.chat("And when do we return?");
  await composer(await workbench.followup.inChat("Low tide?")).fill("Before sunrise");
  await editor().reload();
  await (await workbench.followup.inChat("High tide?")).locator(".closed-line").waitFor();
  // The editor may have lost a turn that the reload interrupted, but the inbox always has its question.
  await workbench.runCommand("Followup: Focus Question");
  const card = await workbench.followup.card("Low tide?");
  await expect.poll(() => composer(card).inputValue(), { timeout: 30_000 }).toBe("Before sunrise");
  await editor().screenshot("chat-reloaded");
  await answerBy(card, sendButton(card));
});

test("two chats ask at the same time without waiting for each other", async () => {
  const { workbench, agent } = editor();
  await offered(editor());
  for (const question of ["First chat?", "Second chat?"]) {
    await workbench.runCommand("Chat: New Chat Editor");
    await agent.setScript(
      [{ tool, callId: question, input: ask(question, "Yes") }],
      [{ text: "Thank you." }],
    );
    await workbench.chat("Ask me.");
    const card = await workbench.followup.inChat(question);
    await expect.poll(() => card.getAttribute("data-state"), { timeout: 30_000 }).toBe("pending");
  }
});
