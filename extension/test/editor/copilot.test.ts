// The real Copilot agent, with a scripted model, asks through the language-model tools and gets the user's answer.

import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import type { Part } from "./agent/control";
import { example, nativeInput } from "./examples";
import { pasteImage, pixels } from "./harness/clipboard";
import { answerBy, composer, sendButton, suggestion } from "./harness/followup";
import { sidecarProcess } from "./harness/sidecar";
import { useEditor } from "./harness/use-editor";

const editor = useEditor({
  copilot: true,
  files: { "lines.txt": "one\ntwo\nthree\nfour\nfive\n" },
  settings: { "followup.editorAgents": "tools" },
});
const tool = "ask_followup_question";
const questionsTool = "AskUserQuestion";

test("returns a clicked suggestion in answer tags, as the first and only text part", async () => {
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

test("returns typed text unchanged", async () => {
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

test("returns a pasted image as an image", async () => {
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
  // The editor itself may add where it stores the image; Followup adds nothing.
  expect(more.filter((part) => part.kind !== "text" || !part.value.includes("[Image URI:"))).toEqual([]);
  expect(image).toMatchObject({ kind: "data", mimeType: "image/png" });
  expect(image?.kind === "data" && (await pixels(workbench.page, image))).toEqual(picture);
});

test("quotes three lines selected in a file with their location, and opens the file at a location in the question", async () => {
  const { workbench, agent } = editor();
  const { page } = workbench;
  const input = { question: "Is lines.txt:2 what you mean, or ../lines.txt:3?", follow_up: [] };
  await agent.setScript([{ tool, callId: "lines", input }], [{ text: "Thank you." }]);
  await workbench.chat("Mend the lines.");
  const card = await workbench.followup.card(input.question);
  await expect.poll(() => card.getByRole("link").allInnerTexts()).toEqual(["lines.txt:2"]);
  await card.getByRole("link").click();
  await page.locator('.editor-instance[aria-label*="lines.txt"] .monaco-editor.focused').waitFor();
  const cursor = page.locator(".statusbar-item", { hasText: /^Ln / });
  await expect.poll(() => cursor.innerText()).toMatch(/^Ln 2, Col 1/);
  for (const line of [3, 4, 5]) {
    await page.keyboard.press("Shift+ArrowDown");
    await expect.poll(() => cursor.innerText()).toMatch(new RegExp(`^Ln ${line}, Col 1 \\(\\d+ selected\\)`));
  }
  await workbench.runCommand("Followup: Add to the Answer");
  await expect.poll(() => card.locator(".quotes .chip-text").allInnerTexts()).toEqual(["lines.txt:2-4"]);
  await composer(card).fill("These");
  await answerBy(card, sendButton(card));
  const parts = await agent.toolResult(1, "lines");
  const text = parts.map((part) => (part.kind === "text" ? part.value : part.kind)).join("");
  expect(text).toContain(
    "<answer>\nThese\n</answer>\n\nThe user added this from the editor:\n\nlines.txt:2-4:\n```\ntwo\nthree\nfour\n```",
  );
  expect(text).toMatch(/"locations":\[\{"uri":"[^"]+lines\.txt"/);
});

test("returns a suggestion's mode after the answer", async () => {
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
  // The chat joins adjacent text parts into one for the model.
  const parts = await agent.toolResult(1, "mode");
  const text = parts.map((part) => (part.kind === "text" ? part.value : part.kind)).join("");
  expect(text).toBe('<answer>\nThe architect plans first\n</answer>\n{"mode":"architect"}');
});

test("the sidecar answers a call without a question", async () => {
  const { workbench, agent } = editor();
  await agent.setScript([{ tool, callId: "empty", input: { follow_up: [] } }], [{ text: "I see." }]);
  await workbench.chat("Ask me nothing.");
  const [text] = await agent.toolResult(1, "empty");
  expect(text).toEqual({
    kind: "text",
    value: expect.stringContaining("Missing required parameter 'question'"),
  });
});

test("a question survives its sidecar, and the agent gets the answer", async () => {
  const { workbench, agent, folder } = editor();
  const one = example("pt-BR-1");
  const { question, suggestions } = one;
  await agent.setScript([{ tool, callId: "outlives", input: nativeInput(one) }], [{ text: "Thank you." }]);
  await workbench.chat("Choose for both of us.");
  const card = await workbench.followup.card(question);
  await expect.poll(() => suggestion(card, suggestions[0] ?? "").isEnabled()).toBe(true);

  const first = await sidecarProcess(folder);
  process.kill(first, "SIGKILL");
  const second = await sidecarProcess(folder, first);
  expect(second).not.toBe(first);

  await answerBy(card, suggestion(card, suggestions[2] ?? ""));
  expect(await agent.toolResult(1, "outlives")).toEqual([
    { kind: "text", value: `<answer>\n${suggestions[2]}\n</answer>` },
  ]);
});

const store = {
  question: "Which store should hold the orders?",
  header: "Store",
  options: [
    { label: "PostgreSQL (Recommended)", description: "Runs *already*" },
    { label: "SQLite", description: "One file" },
  ],
  multiSelect: false,
};
const checks = {
  question: "Which checks should block a merge?",
  header: "Checks",
  options: [
    { label: "Unit tests", description: "Fast" },
    { label: "Lint", description: "Faster" },
    { label: "Slow, thorough tests", description: "An hour" },
  ],
  multiSelect: true,
};
const layout = {
  question: 'Which layout for the "orders" page?',
  header: "Layout",
  options: [
    {
      label: "Sidebar",
      description: "Navigation on the left",
      preview: "+--+------+\n|  |      |\n+--+------+",
    },
    { label: "Tabs", description: "Navigation on top", preview: "+---------+\n|---------|\n+---------+" },
  ],
  multiSelect: false,
};
const name = {
  question: "What should the service be called?",
  header: "Name",
  options: [
    { label: "orders", description: "Short" },
    { label: "order-service", description: "Clear" },
  ],
  multiSelect: false,
};

/** The two text parts of a result: the chat joins adjacent parts, and the second one begins with its own line break. */
function textParts(parts: Part[]): [string, unknown] {
  const text = parts.map((part) => (part.kind === "text" ? part.value : part.kind)).join("");
  const at = text.lastIndexOf("\n{");
  return [text.slice(0, at), JSON.parse(text.slice(at))];
}

/** The card with its answering control focused, by the editor's default keys. */
async function focused(text: string): Promise<Locator> {
  const { workbench } = editor();
  const card = await workbench.followup.card(text);
  await workbench.page.keyboard.press("Control+K");
  await workbench.page.keyboard.press("q");
  await card.locator(":focus").waitFor();
  return card;
}

test("answers four concurrent questions by keyboard alone", async () => {
  const { workbench, agent } = editor();
  const { keyboard } = workbench.page;
  const questions = [store, checks, layout, name];
  const call = { tool: questionsTool, callId: "four", input: { questions, metadata: { source: "a test" } } };
  await agent.setScript([call], [{ text: "Thank you." }]);
  await workbench.chat("Build the order service.");

  const card = await focused(store.question);
  await card.getByRole("radio", { name: /PostgreSQL/ }).waitFor();
  await keyboard.press("1");
  await expectChecked(card.getByRole("radio", { name: /PostgreSQL/ }));
  await keyboard.press("Control+Enter");

  await card.getByRole("checkbox", { name: /Unit/ }).and(card.locator(":focus")).waitFor();
  await keyboard.press("3");
  await keyboard.press("1");
  await expectChecked(card.getByRole("checkbox", { name: /Slow/ }));
  await expectChecked(card.getByRole("checkbox", { name: /Unit/ }));
  await keyboard.press("Control+Enter");

  const tabs = card.getByRole("radio", { name: /Tabs/ });
  await card
    .getByRole("radio", { name: /Sidebar/ })
    .and(card.locator(":focus"))
    .waitFor();
  await keyboard.press("2");
  await expectChecked(tabs);
  await card.locator("pre", { hasText: "|---------|" }).first().waitFor();
  await editor().screenshot("questionnaire-preview");
  await keyboard.press("Control+Enter");

  const own = card.getByRole("textbox", { name: "Other: your own answer" });
  await card
    .getByRole("radio", { name: /^orders/ })
    .and(card.locator(":focus"))
    .waitFor();
  await keyboard.press("3");
  await own.and(card.locator(":focus")).waitFor();
  await keyboard.type('"orders", as it was');
  await keyboard.press("Control+Enter");

  await card.getByText("4 of 4 questions answered").waitFor();
  await card.locator(".submit:focus").waitFor();
  // A double press does not send answers that the user has not reviewed; a moment later the key does.
  await expect
    .poll(
      async () => {
        await keyboard.press("Control+Enter");
        return await card.getAttribute("data-state");
      },
      { timeout: 30_000, interval: 100 },
    )
    .not.toBe("pending");

  const [sentence, exact] = textParts(await agent.toolResult(1, "four"));
  expect(sentence.split("\n")).toEqual([
    "The user has answered:",
    '"Which store should hold the orders?"="PostgreSQL (Recommended)"',
    '"Which checks should block a merge?"="Unit tests, \'Slow, thorough tests\'"',
    '"Which layout for the ”orders” page?"="Tabs"',
    "  Preview of “Tabs”:",
    "    +---------+",
    "    |---------|",
    "    +---------+",
    '"What should the service be called?"="”orders”, as it was"',
  ]);
  expect(exact).toEqual({
    questions,
    answers: {
      [store.question]: "PostgreSQL (Recommended)",
      [checks.question]: ["Unit tests", "Slow, thorough tests"],
      [layout.question]: "Tabs",
      [name.question]: '"orders", as it was',
    },
    annotations: { [layout.question]: { preview: layout.options[1]?.preview } },
  });
});

test("a reply instead of answers includes the picks made so far", async () => {
  const { workbench, agent } = editor();
  const { keyboard } = workbench.page;
  const topic = { ...name, question: "What should its topic be called?" };
  const broker = { ...store, question: "Which broker?" };
  await agent.setScript(
    [{ tool: questionsTool, callId: "reply", input: { questions: [topic, broker] } }],
    [{ text: "I see." }],
  );
  await workbench.chat("Name it.");
  const card = await focused(topic.question);
  await keyboard.press("2");
  await expectChecked(card.getByRole("radio", { name: /order-service/ }));
  await card.getByRole("button", { name: "Reply instead" }).press("Enter");
  await card.getByRole("textbox").and(card.locator(":focus")).waitFor();
  await keyboard.type("There is a store: look at infra/.");
  await keyboard.press("Enter");
  const [sentence, exact] = textParts(await agent.toolResult(1, "reply"));
  expect(sentence.split("\n").slice(-4)).toEqual([
    '"What should its topic be called?"="order-service"',
    "<answer>",
    "There is a store: look at infra/.",
    "</answer>",
  ]);
  expect(exact).toEqual({
    questions: [topic, broker],
    answers: { [topic.question]: "order-service" },
    annotations: { [broker.question]: { skipped: true } },
  });
});

test("the sidecar rejects and counts an invalid call, and asks the next valid one", async () => {
  const { workbench, agent } = editor();
  const good = { ...store, question: "Which store for the invoices?" };
  const one = { ...good, options: good.options.slice(0, 1) };
  await agent.setScript(
    [{ tool: questionsTool, callId: "bad", input: { questions: [one] } }],
    [{ tool: questionsTool, callId: "good", input: { questions: [good] } }],
    [{ text: "Thank you." }],
  );
  await workbench.chat("Ask me badly.");
  expect(await agent.toolResult(1, "bad")).toEqual([
    { kind: "text", value: "Invalid value for 'questions[0].options': it must hold 2 to 4 items, found 1" },
  ]);
  const card = await workbench.followup.card(good.question);
  await answerBy(card, card.getByRole("button", { name: /^SQLite/ }));
  const [sentence] = textParts(await agent.toolResult(2, "good"));
  expect(sentence).toBe('The user has answered:\n"Which store for the invoices?"="SQLite"');

  const session = await agent.openSession();
  const bad = await session.ask({ questions: [] }, questionsTool);
  expect(bad).toMatchObject({ outcome: "invalid", error: { code: "invalid_value" } });
  expect((await session.get()).consecutiveMistakes).toBe(1);
  await session.close();
});

test("shows a link in a question and confirms before opening it", async () => {
  const { workbench, agent } = editor();
  const session = await agent.openSession();
  const answer = session.ask({ question: "Follow the [house rules](https://example.org/rules)?" });
  const card = await workbench.followup.card("house rules");
  await card.getByRole("link", { name: "house rules" }).click();
  const dialog = workbench.page.getByRole("dialog", { name: /external website/ });
  await dialog.getByText("https://example.org/rules").first().waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await answerBy(card, card.getByRole("button", { name: "Dismiss" }));
  expect(await answer).toMatchObject({ outcome: "dismissed" });
  await session.close();
});

test("if the setting says so, the agent asks through the MCP server, and no tool is offered twice", async () => {
  const { workbench, agent } = editor();
  /** The tools that the next request offers to the model. */
  const offered = async () => {
    await agent.setScript([{ text: "I see." }]);
    await workbench.chat("What can you do?");
    const { tools } = await agent.request(0);
    return tools
      .map(({ name }) => name)
      .filter((name) => /followup|AskUser/.test(name))
      .sort();
  };
  const until = async (...names: string[]) =>
    await expect.poll(offered, { timeout: 120_000, interval: 500 }).toEqual(names);
  await agent.set("followup.editorAgents", "mcp");
  try {
    const [one, several] = ["mcp_followup_ask_followup_question", "mcp_followup_AskUserQuestion"] as const;
    await until(several, one);
    const quay = { question: "Which quay?", follow_up: [{ text: "North" }, { text: "South" }] };
    await agent.setScript([{ tool: one, callId: "quay", input: quay }], [{ text: "Thank you." }]);
    await workbench.chat("Moor the ship.");
    await workbench.runCommand("Followup: Focus Question");
    const card = await workbench.followup.card("Which quay?");
    await answerBy(card, suggestion(card, "South"));
    const [text] = await agent.toolResult(1, "quay");
    expect(text).toEqual({ kind: "text", value: "<answer>\nSouth\n</answer>" });
  } finally {
    await agent.set("followup.editorAgents", "tools");
  }
  await until(questionsTool, tool);
});

async function expectChecked(control: Locator): Promise<void> {
  await expect.poll(() => control.isChecked(), { timeout: 30_000, interval: 50 }).toBe(true);
}
