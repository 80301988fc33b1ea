// A question of the Copilot agent's beside the code it is about, in a light and a dark theme: docs/pictures/question-*.png.

import { mkdir } from "node:fs/promises";
import path from "node:path";
import { test } from "vitest";
import { root } from "../../scripts/lib/paths.mjs";
import { example, nativeInput } from "./examples";
import { suggestion } from "./harness/followup";
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
  files: { "index.html": page },
  settings: { "window.autoDetectColorScheme": true, "editor.minimap.enabled": false },
});

test("a question in light and dark", async () => {
  const { workbench, agent } = editor();
  await workbench.page.setViewportSize({ width: 1280, height: 720 });
  await workbench.openFile("index.html");
  const { question, suggestions } = example("en-1");
  const call = { tool: "ask_followup_question", callId: "styling", input: nativeInput(example("en-1")) };
  await agent.setScript([{ text: "I have read `index.html`. Before I write the styles:" }, call], []);
  await workbench.chat("Make the page look good.");
  const card = await workbench.followup.card(question);
  await suggestion(card, suggestions[1] ?? "").hover();
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ["light", "dark"] as const) {
    await workbench.page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await workbench.page.locator(`.monaco-workbench.vs${colorScheme === "dark" ? "-dark" : ""}`).waitFor();
    await workbench.page.screenshot({ path: path.join(folder, `question-${colorScheme}.png`) });
  }
});
