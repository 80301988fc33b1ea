// Questions of the Copilot agent's beside the code they are about, in a light and a dark theme: docs/pictures/question-*.png and
// questions-*.png.

import { mkdir } from "node:fs/promises";
import path from "node:path";
import { test } from "vitest";
import { root } from "../../scripts/lib/paths.mjs";
import { example, nativeInput } from "./examples";
import { answerBy, suggestion } from "./harness/followup";
import { useEditor } from "./harness/use-editor";

const folder = path.resolve(root, process.env.FOLLOWUP_PICTURES || "docs/pictures");

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Harbour Ferries</title>
  </head>
  <body>
    <header>
      <h1>Harbour Ferries</h1>
      <nav>
        <a href="#timetable">Timetable</a>
        <a href="#fares">Fares</a>
      </nav>
    </header>
    <main>
      <section id="timetable"></section>
      <section id="fares"></section>
    </main>
  </body>
</html>
`;

const editor = useEditor({
  copilot: true,
  scale: 2,
  height: 720,
  files: { "index.html": page },
  settings: { "window.autoDetectColorScheme": true, "editor.minimap.enabled": false },
});

const layouts = {
  questions: [
    {
      question: "Which layout should the timetable have?",
      header: "Layout",
      options: [
        {
          label: "Table (Recommended)",
          description: "One row for each *departure*",
          preview: [
            "+-------+------------+",
            "| 08:10 | North Pier |",
            "| 08:40 | Old Quay   |",
            "| 09:10 | North Pier |",
            "+-------+------------+",
          ].join("\n"),
        },
        {
          label: "Cards",
          description: "One card for each pier, with its next departures",
          preview: [
            "+------------+  +----------+",
            "| North Pier |  | Old Quay |",
            "| 08:10      |  | 08:40    |",
            "| 09:10      |  | 09:40    |",
            "+------------+  +----------+",
          ].join("\n"),
        },
      ],
      multiSelect: false,
    },
    {
      question: "Which details belong to a departure?",
      header: "Details",
      options: [
        { label: "Platform", description: "" },
        { label: "Price", description: "" },
        { label: "Bicycles", description: "Whether there is room for them" },
      ],
      multiSelect: true,
    },
  ],
};

/** A picture of the window in each theme. */
async function pictures(name: string): Promise<void> {
  const { page } = editor().workbench;
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.locator(`.monaco-workbench.vs${colorScheme === "dark" ? "-dark" : ""}`).waitFor();
    await page.screenshot({ path: path.join(folder, `${name}-${colorScheme}.png`) });
  }
}

test("a question in light and dark", async () => {
  const { workbench, agent } = editor();
  await workbench.openFile("index.html");
  const { question, suggestions } = example("en-1");
  const call = { tool: "ask_followup_question", callId: "styling", input: nativeInput(example("en-1")) };
  await agent.setScript(
    [{ text: "I have read `index.html`. Before I write the styles:" }, call],
    [{ text: "The styles are written." }],
  );
  await workbench.chat("Make the page look good.");
  const card = await workbench.followup.card(question);
  await suggestion(card, suggestions[1] ?? "").hover();
  await pictures("question");
  await answerBy(card, suggestion(card, suggestions[1] ?? ""));
  await workbench.page.getByText("The styles are written.").first().waitFor();
});

test("several questions with previews in light and dark", async () => {
  const { workbench, agent } = editor();
  const { mouse } = workbench.page;
  // The side bar, wide enough for a preview beside the options.
  const edge = await workbench.page.locator(".part.sidebar").boundingBox();
  if (!edge) throw new Error("there is no side bar");
  await mouse.move(edge.x + edge.width, edge.y + edge.height / 2);
  await mouse.down();
  await mouse.move(edge.x + 700, edge.y + edge.height / 2, { steps: 5 });
  await mouse.up();
  const call = { tool: "AskUserQuestion", callId: "layout", input: layouts };
  await agent.setScript([call], []);
  await workbench.chat("Now the timetable.");
  const card = await workbench.followup.card("Which layout should the timetable have?");
  await card.getByRole("radio", { name: /Table/ }).check();
  await pictures("questions");
});
