// Questions of the Copilot agent next to their code, in a light and a dark theme: docs/pictures/questions-*.png.

import { test } from "vitest";
import { pictures, widenSideBar } from "./harness/pictures";
import { useEditor } from "./harness/use-editor";
import { page } from "./page";

const editor = useEditor({
  copilot: true,
  scale: 2,
  width: 1000,
  height: 470,
  files: { "index.html": page },
  settings: {
    "followup.editorAgents": "tools",
    "window.autoDetectColorScheme": true,
    "window.commandCenter": false,
    "workbench.layoutControl.enabled": false,
    "workbench.statusBar.visible": false,
    "breadcrumbs.enabled": false,
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
  await workbench.openFile("index.html");
  // Visible before the agent asks, so that no notification covers the window.
  await workbench.runCommand("Followup: Focus on Questions View");
  await workbench.followup.frame();
  const call = { tool: "AskUserQuestion", callId: "layout", input: layouts };
  await agent.setScript([call], []);
  await workbench.chat("Now the timetable.");
  const card = await workbench.followup.card("Which layout should the timetable have?");
  await workbench.runCommand("View: Hide Secondary Side Bar");
  await widenSideBar(workbench, 715); // room for a preview beside the options
  await card.getByRole("radio", { name: /Table/ }).check();
  await pictures(editor(), "questions");
});
