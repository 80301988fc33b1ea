// Drafts and answers survive the window and the server.

import { expect, test } from "vitest";
import { example, nativeInput } from "./examples";
import { pasteImage } from "./harness/clipboard";
import { answerBy, suggestion } from "./harness/followup";
import { useEditor } from "./harness/use-editor";

// The log shows when a draft has reached the sidecar.
const editor = useEditor({ settings: { "followup.trace": "verbose" } });
const tool = "AskUserQuestion";

const questions = [
  {
    question: "Which ledger should hold the bookings?",
    header: "Ledger",
    options: [
      { label: "PostgreSQL", description: "Runs already" },
      { label: "SQLite", description: "One file" },
    ],
  },
  {
    question: "Who may close a month?",
    header: "Closing",
    options: [
      { label: "Accounting", description: "" },
      { label: "Anyone", description: "" },
    ],
  },
];

/** The newest draft that was sent to the sidecar, from its log. */
async function saved(): Promise<string> {
  const lines = (await editor().logs()).split("\n");
  return lines.findLast((line) => line.includes("question/saveDraft")) ?? "";
}

const closingIsSaved = () => expect.poll(saved, { interval: 100 }).toContain('"step":1');

/** The card with its draft on the open tab: text and image of the second question, pick and note of the first. */
async function expectDraft(): Promise<void> {
  const card = await editor().workbench.followup.card("The agent no longer waits");
  const closing = card.getByRole("tab", { name: /Closing/ });
  await expect.poll(() => closing.getAttribute("aria-selected")).toBe("true");
  const own = card.getByRole("textbox", { name: "Other: your own answer" });
  await expect.poll(() => own.inputValue()).toBe("half a thought");
  await card.locator("img").waitFor();
  await card.getByRole("tab", { name: /Ledger/ }).click();
  await expect.poll(() => card.getByRole("radio", { name: /SQLite/ }).isChecked()).toBe(true);
  await expect
    .poll(() => card.getByRole("textbox", { name: "Note" }).inputValue())
    .toBe("one file is enough");
  await expect.poll(saved, { interval: 100 }).not.toContain('"step":1');
  await closing.click();
  await closingIsSaved();
}

test("a half-written answer survives a reload and a restart, and the agent can collect it", async () => {
  const { workbench, agent } = editor();
  const session = await agent.openSession();
  // The window that asks is closed, and its promise is lost.
  session.ask({ questions }, tool).catch(() => {});
  const card = await workbench.followup.card("Which ledger");
  await card.getByRole("radio", { name: /SQLite/ }).check();
  await card.getByRole("button", { name: "Add a note" }).click();
  await card.getByRole("textbox", { name: "Note" }).fill("one file is enough");
  await card.getByRole("tab", { name: /Closing/ }).click();
  const own = card.getByRole("textbox", { name: "Other: your own answer" });
  await own.fill("half a thought");
  await pasteImage(workbench.page, own, { width: 3, height: 2, color: [10, 90, 200, 255] });
  await card.locator("img").waitFor();
  await expect.poll(saved, { interval: 100 }).toMatch(/(?=.*half a thought)(?=.*image\/png)/);
  await closingIsSaved();
  const [{ questionId } = { questionId: "" }] = (await session.get()).conversation;

  await editor().reload();
  await expectDraft();
  await editor().restart();
  await expectDraft();

  const again = await workbench.followup.card("Who may close a month?");
  await again.getByRole("tab", { name: "Review" }).click();
  await again.getByText("2 of 2 questions answered").waitFor();
  await editor().screenshot("durable-review");
  await answerBy(again, again.getByRole("button", { name: "Submit" }));
  await expect.poll(() => again.getAttribute("data-state")).toBe("closed");

  const collected = await (await agent.openSession()).ask({ await: questionId }, tool);
  expect(collected).toMatchObject({
    questionId,
    outcome: "answered",
    structured: {
      answers: {
        "Which ledger should hold the bookings?": "SQLite",
        "Who may close a month?": "half a thought",
      },
      annotations: { "Which ledger should hold the bookings?": { notes: "one file is enough" } },
    },
    images: [{ mimeType: "image/png" }],
  });

  await workbench.runCommand("Followup: Search History");
  const history = await workbench.followup.frame("followup-history");
  const entry = history.locator("followup-entry", { hasText: "Which ledger should hold the bookings?" });
  await entry.waitFor();
  await history.getByRole("searchbox").fill("bookings half");
  await entry.waitFor();
  await editor().screenshot("durable-history");
  await history.getByRole("searchbox").fill("nowhere to be found");
  await entry.waitFor({ state: "detached" });
});

test("a reloaded window shows the next question", async () => {
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
