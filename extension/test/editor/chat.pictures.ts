// A question of the Copilot agent inside its chat, in a light and a dark theme: docs/pictures/chat-*.png.

import { test } from "vitest";
import { ask, offered, tool } from "./harness/chat";
import { pictures } from "./harness/pictures";
import { useEditor } from "./harness/use-editor";

const editor = useEditor({
  copilot: true,
  // The editor sends its product's name to an MCP server, and the card shows it as the agent's.
  env: { CODE_SERVER_APP_NAME: "Visual Studio Code" },
  scale: 2,
  width: 640,
  height: 600,
  settings: {
    "window.autoDetectColorScheme": true,
    "workbench.statusBar.visible": false,
    "workbench.activityBar.location": "hidden",
    "workbench.editor.showTabs": "none",
    "chat.checkpoints.enabled": false,
  },
});

test("a question in the chat in light and dark", async () => {
  const { workbench, agent } = editor();
  await offered(editor());
  await workbench.runCommand("View: Hide Secondary Side Bar");
  await workbench.runCommand("View: Close Primary Side Bar");
  await workbench.runCommand("View: Close All Editors");
  await workbench.runCommand("Chat: New Chat Editor");
  const question =
    "The timetable has **two sources**: the harbour's feed and the printed plan. Which one counts?";
  const input = ask(
    question,
    "The feed, with the printed plan while it is down",
    "The printed plan; show the feed's delays beside it",
  );
  await agent.setScript([{ tool, callId: "source", input }], []);
  await workbench.chat("Fill in the timetable.");
  await (await workbench.followup.inChat("Which one counts?")).hover();
  await pictures(editor(), "chat", ".part.editor");
});
