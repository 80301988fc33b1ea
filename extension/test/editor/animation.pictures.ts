// Claude Code asks in the editor's terminal, a click in the side bar answers, and it continues: docs/pictures/question-*.webp.
// The agent, the editor and the click are real, and the model is scripted. Every frame is a screenshot; img2webp combines them.

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { agentOf } from "../agents/agents";
import { Stage, World } from "../agents/world";
import { Editor } from "./harness/editor";
import { folder, widenSideBar } from "./harness/pictures";
import { page as site } from "./page";

/** The maximum size of a picture in bytes. */
const limit = 300_000;

const question = {
  question: "The timetable has two sources. Which one counts?",
  header: "Source",
  options: [
    { label: "The harbour's feed", description: "Live; the printed plan while it is down" },
    { label: "The printed plan", description: "With the feed's delays beside it" },
    { label: "Both, side by side", description: "Passengers choose" },
  ],
  multiSelect: false,
};
const chosen = "The printed plan";
/** How many pictures show the pointer's way to the answer. */
const steps = 6;
const arrow = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="24" viewBox="0 0 12 18">
  <path d="M1 1v13l3-2.6 2.2 5 2.2-1-2.2-4.9h4.3z" fill="#000" stroke="#fff" /></svg>`;
const timetable = "departs,pier,delay\n08:10,North Pier,\n08:40,Old Quay,5 min\n09:10,North Pier,\n";

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
    await editor?.report("animation");
  }
  await editor?.stop();
  await world?.end();
  editor = world = undefined;
});

test.each(["light", "dark"] as const)("an agent asks and continues with the answer, in %s", async (theme) => {
  world = await World.make(stage, agentOf("claude-code"));
  const { model } = world;
  const project = path.join(world.home, "ferries");
  await world.change(".claude/settings.json", (text) =>
    JSON.stringify({ ...JSON.parse(text), prefersReducedMotion: true }),
  );
  await world.change(".claude.json", (text) =>
    text.replaceAll(world?.project ?? "", project).replace('"theme": "dark"', `"theme": "${theme}"`),
  );
  const result = path.join(project, "timetable.csv");
  model.play(
    { tool: "AskUserQuestion", args: { questions: [question] } },
    { tool: "Write", args: { file_path: result, content: timetable } },
  );
  editor = await Editor.start({
    scale: 2,
    width: 900,
    height: 530,
    workspace: project,
    files: { "index.html": site },
    settings: {
      "window.autoDetectColorScheme": true,
      "window.commandCenter": false,
      "workbench.layoutControl.enabled": false,
      "workbench.statusBar.visible": false,
      "workbench.secondarySideBar.defaultVisibility": "hidden",
      "terminal.integrated.gpuAcceleration": "off", // makes the terminal's text elements
      "terminal.integrated.tabs.title": "claude",
      "terminal.integrated.defaultProfile.linux": "shell",
      "terminal.integrated.profiles.linux": {
        shell: { path: "/bin/bash", args: ["--noprofile", "--rcfile", await shellFile(world, project)] },
      },
    },
    env: { FOLLOWUP_STORAGE: world.storage },
  });
  const { workbench } = editor;
  const { page } = workbench;
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  await workbench.runCommand("Followup: Focus Question");
  await (await workbench.followup.frame()).locator("followup-app").waitFor();
  await world.untilShown(); // otherwise Claude Code asks in its terminal alone
  await workbench.runCommand("Terminal: Create New Terminal in Editor Area");
  await widenSideBar(workbench, 390);
  const terminal = page.locator(".terminal-wrapper.active");
  const shown = async () => (await terminal.locator(".xterm-rows").innerText()).replaceAll("\u00a0", " ");
  world.reports.push(shown);
  await expect.poll(shown).toMatch(/\$ *$/m); // the prompt: earlier input may be lost
  await terminal.locator(".xterm-helper-textarea").focus();
  await page.keyboard.type('claude "Add the timetable."\n');

  const card = await workbench.followup.card(question.question);
  await expect.poll(shown).toContain("Enter to select");
  await page.locator(".activitybar .badge-content").getByText("1").waitFor();
  const film = await Film.begin(theme);
  try {
    const option = card.getByText(chosen, { exact: true });
    const target = await option.boundingBox();
    if (!target) throw new Error("there is no such option");
    const [x, y] = [target.x + target.width / 2, target.y + target.height / 2];
    const pointer = await showPointer(page);
    for (let step = 0; step <= steps; step++) {
      const rest = (1 - step / steps) ** 2;
      await pointer(x + 120 * rest, y + 170 * rest);
      await film.take(page, step === 0 ? 2500 : step < steps ? 50 : 800);
    }
    await page.mouse.down();
    await page.mouse.up();
    await card.locator(".closed-line").waitFor();
    await expect.poll(shown).not.toContain("Enter to select");
    await film.take(page, 1000);
    await expect.poll(shown).toContain("All done.");
    expect((await model.result()).text).toContain(`="${chosen}"`);
    await film.take(page, 4000);
    await film.save();
  } finally {
    await film.remove();
  }
});

/** The start file of a shell in the project's folder, where the command `claude` is the world's Claude Code. */
async function shellFile(world: World, project: string): Promise<string> {
  const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
  // Claude Code warns of a model whose size it does not know.
  const model = { CLAUDE_CODE_MAX_CONTEXT_TOKENS: "200000" };
  const environment = Object.entries({ ...world.environment, ...model }).map(([name, value]) =>
    quoted(`${name}=${value}`),
  );
  const command = world
    .command(["--model", "scripted", "--permission-mode", "default", "--allowedTools=Write"])
    .map(quoted);
  const file = path.join(world.folder, "shell.sh");
  const lines = [
    `HOME=${quoted(world.home)}`,
    `cd ${quoted(project)}`,
    "PS1='\\w $ '",
    `claude() { clear; env -i ${environment.join(" ")} ${command.join(" ")} "$@"; }`,
  ];
  await writeFile(file, `${lines.join("\n")}\n`);
  return file;
}

/** Draws the mouse's pointer, which screenshots lack. Returns a function that moves the mouse and the drawing. */
async function showPointer(page: Page): Promise<(x: number, y: number) => Promise<void>> {
  await page.evaluate((arrow) => {
    const pointer = document.createElement("div");
    pointer.id = "pointer";
    pointer.style.cssText = "position:fixed;z-index:100000;pointer-events:none";
    pointer.append(new DOMParser().parseFromString(arrow, "image/svg+xml").documentElement);
    document.body.append(pointer);
  }, arrow);
  return async (x, y) => {
    await page.mouse.move(x, y);
    await page.locator("#pointer").evaluate((pointer, place) => Object.assign(pointer.style, place), {
      left: `${x}px`,
      top: `${y}px`,
    });
  };
}

/** The frames of an animation. */
class Film {
  private readonly sequence: string[] = [];

  private constructor(
    private readonly frames: string,
    private readonly theme: string,
  ) {}

  static async begin(theme: string): Promise<Film> {
    return new Film(await mkdtemp(path.join(tmpdir(), "followup-frames-")), theme);
  }

  /** Takes a picture, to be shown for a number of milliseconds. */
  async take(page: Page, duration: number): Promise<void> {
    const frame = path.join(this.frames, `${String(this.sequence.length).padStart(4, "0")}.png`);
    await page.screenshot({ path: frame });
    this.sequence.push("-d", `${duration}`, frame);
  }

  async save(): Promise<void> {
    const file = path.join(folder, `question-${this.theme}.webp`);
    const options = ["-loop", "0", "-min_size", "-lossy", "-q", "90", "-m", "6"];
    await mkdir(folder, { recursive: true });
    await promisify(execFile)("img2webp", [...options, ...this.sequence, "-o", file]);
    expect((await stat(file)).size).toBeLessThan(limit);
  }

  async remove(): Promise<void> {
    await rm(this.frames, { recursive: true, force: true });
  }
}
