// Questions of the Copilot agent next to their code, in a light and a dark theme: docs/pictures/questions-*.png.

import { test } from "vitest";
import { pictures } from "./harness/pictures";
import { useEditor } from "./harness/use-editor";
import { page } from "./page";

const editor = useEditor({
  copilot: true,
  scale: 2,
  width: 1440,
  height: 760,
  files: { "index.html": page },
  settings: {
    "followup.editorAgents": "tools",
    "window.autoDetectColorScheme": true,
    "editor.minimap.enabled": false,
  },
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

test("several questions with previews in light and dark", async () => {
  const { workbench, agent } = editor();
  const { mouse } = workbench.page;
  await workbench.openFile("index.html");
  // Visible before the agent asks, so that no notification covers the window.
  await workbench.runCommand("Followup: Focus on Questions View");
  await workbench.followup.frame();
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
  await pictures(editor(), "questions");
});
