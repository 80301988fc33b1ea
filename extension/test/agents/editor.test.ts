// Claude Code in the real editor's terminal: the side bar answers its own tool's questions.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { Editor } from "../editor/harness/editor";
import { agentOf } from "./agents";
import { Stage, World } from "./world";

let stage: Stage;
let world: World | undefined;
let editor: Editor | undefined;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(() => stage?.close());

afterEach(async ({ task }) => {
  if (task.result?.state === "fail") {
    console.error(await world?.report());
    await editor?.report("agent");
  }
  await editor?.stop();
  await world?.end();
  editor = world = undefined;
});

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

it("Claude Code asks in the editor's terminal, and an answer in the side bar closes its dialog", async () => {
  world = await World.make(stage, agentOf("claude-code"));
  const { model, environment } = world;
  const options = [
    { label: "Red", description: "warm" },
    { label: "Blue", description: "cold" },
  ];
  const question = { question: "Which colour?", header: "Colour", options, multiSelect: false };
  model.play({ tool: "AskUserQuestion", args: { questions: [question] } });
  const settings = { "terminal.integrated.gpuAcceleration": "off" }; // makes the terminal's text elements
  editor = await Editor.start({ settings, env: { FOLLOWUP_STORAGE: world.storage } });
  const { workbench } = editor;
  const { page, followup } = workbench;
  await workbench.runCommand("Followup: Focus Question");
  await (await followup.frame()).locator("followup-app").waitFor();
  await world.untilShown();

  const assigned = Object.entries(environment).map(([name, value]) => quoted(`${name}=${value}`));
  const line = ["exec env -i", ...assigned, ...world.command(["Ask me"]).map(quoted)].join(" ");
  const script = join(world.project, "ask.sh");
  await writeFile(script, `cd ${quoted(world.project)}\n${line}\n`);
  await workbench.runCommand("Terminal: Create New Terminal");
  const terminal = page.locator(".terminal-wrapper.active");
  const shown = async () => (await terminal.locator(".xterm-rows").innerText()).replaceAll("\u00a0", " ");
  world.reports.push(shown);
  await expect.poll(shown).toMatch(/[$#%>] *$/m); // the prompt: earlier input may be lost
  await terminal.locator(".xterm-helper-textarea").focus();
  await page.keyboard.type(`sh ${script}\n`);

  const card = await followup.card("Which colour?");
  await expect.poll(shown).toContain("Enter to select");
  await card.getByText("Blue").click();
  expect((await model.result()).text).toContain('"Which colour?"="Blue"');
  await expect.poll(shown).toContain("All done.");
  expect(await shown()).not.toContain("Enter to select");
});
