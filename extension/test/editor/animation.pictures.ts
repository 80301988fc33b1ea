// A question from its first word to its answer in the editor: docs/pictures/question.webp. Every frame is a
// screenshot, and img2webp combines them.

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { example } from "./examples";
import { suggestion, suggestions } from "./harness/followup";
import { folder } from "./harness/pictures";
import { useEditor } from "./harness/use-editor";
import { page } from "./page";

const file = path.join(folder, "question.webp");
/** Its maximum size in bytes. */
const limit = 1_500_000;

const editor = useEditor({
  scale: 1.5,
  width: 960,
  height: 540,
  files: { "index.html": page },
  settings: {
    "workbench.colorTheme": "Default Dark Modern",
    "editor.minimap.enabled": false,
    "breadcrumbs.enabled": false,
    "workbench.statusBar.visible": false,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
  },
});

test("a question streams in and is answered", async () => {
  const { workbench, agent } = editor();
  const frames = await mkdtemp(path.join(tmpdir(), "followup-frames-"));
  const sequence: string[] = [];
  /** Takes a picture, to be shown for a number of milliseconds. */
  const take = async (duration: number) => {
    const frame = path.join(frames, `${String(sequence.length).padStart(4, "0")}.png`);
    await workbench.page.screenshot({ path: frame });
    sequence.push("-d", `${duration}`, frame);
  };
  try {
    await workbench.openFile("index.html");
    // Shown before, so that the view appears at once.
    await workbench.runCommand("Followup: Focus Question");
    await workbench.followup.frame();
    // Wide enough for a suggestion on two lines.
    const { mouse } = workbench.page;
    const edge = await workbench.page.locator(".part.sidebar").boundingBox();
    if (!edge) throw new Error("there is no side bar");
    await mouse.move(edge.x + edge.width, edge.y + edge.height / 2);
    await mouse.down();
    await mouse.move(edge.x + 400, edge.y + edge.height / 2, { steps: 5 });
    await mouse.up();
    await mouse.move(700, 400);
    const { question, suggestions: texts, tags } = example("en-1");
    const session = await agent.openSession("Sample agent");
    const stream = await session.stream();
    await take(900);
    let said = "";
    for (const piece of tags.match(/[\s\S]{1,9}/g) ?? []) {
      said += piece;
      await stream.append(Buffer.from(piece));
      // The card now shows the question so far, and complete suggestions.
      const question = /<question>([^<]{4,})/.exec(said)?.[1];
      if (!question) continue;
      const whole = [...said.matchAll(/<suggest>([^<]*)<\/suggest>/g)].map((match) => match[1] ?? "");
      const frame = await workbench.followup.frame();
      for (const text of [question.trimEnd(), ...whole.slice(-1)])
        await frame.getByText(text).first().waitFor();
      await take(70);
    }
    const card = await workbench.followup.card(question);
    const chosen = suggestion(card, texts[1] ?? "");
    await expect.poll(() => chosen.isEnabled()).toBe(true);
    expect(await suggestions(card).count()).toBe(texts.length);
    await take(900);
    await chosen.hover();
    await take(700);
    await chosen.click();
    const ended = stream.end();
    await card.locator(".closed-line").waitFor();
    await mouse.move(700, 400);
    await take(2500);
    await ended;
    await session.close();
    await mkdir(folder, { recursive: true });
    await promisify(execFile)("img2webp", [
      "-loop",
      "0",
      "-min_size",
      "-lossy",
      "-q",
      "80",
      "-m",
      "6",
      ...sequence,
      "-o",
      file,
    ]);
    expect((await stat(file)).size).toBeLessThan(limit);
  } finally {
    await rm(frames, { recursive: true, force: true });
  }
});
