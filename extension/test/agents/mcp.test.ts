// Questions over MCP: each agent's own binary asks, the user answers in the page, and the model gets the answer.

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { agents } from "./agents";
import { card, pixel, Stage, World } from "./world";

let stage: Stage;
let world: World | undefined;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(() => stage?.close());

afterEach(async ({ task }) => {
  if (task.result?.state === "fail") {
    console.error(await world?.report());
  }
  await world?.end();
  world = undefined;
});

const colour = { question: "Which colour?", follow_up: [{ text: "Red" }, { text: "Blue" }] };

/** The answer as the model reads it; Cline passes on the result's JSON. */
const answered = (words: string) => new RegExp(`<answer>(\n|\\\\n)${words}(\n|\\\\n)</answer>`);

describe.each(agents)("$id", (agent) => {
  const tool = agent.deferred ?? "ask_followup_question";

  it("asks, and its model gets the clicked answer, then the text and the image", async () => {
    world = await World.make(stage, agent);
    const { model } = world;
    model.play({ tool, args: colour }, { tool, args: { question: "Which name?" } });
    const page = await world.inbox();
    const run = world.run(agent.once);
    await (await card(page, "Which colour?")).getByText("Blue").click();
    expect((await model.result(1)).text).toMatch(answered("Blue"));
    const second = await card(page, "Which name?");
    const chooser = page.waitForEvent("filechooser");
    await second.getByRole("button", { name: "Add images" }).click();
    await (await chooser).setFiles({
      name: "pixel.png",
      mimeType: "image/png",
      buffer: Buffer.from(pixel, "base64"),
    });
    await second.locator("textarea").fill("Ada “the first”");
    await second.getByRole("button", { name: "Send" }).click();
    const result = await model.result(2);
    expect(result.text).toMatch(answered("Ada “the first”"));
    if (agent.images === "path") {
      expect(result.text).toMatch(/followup-images-\d+\/[0-9a-f-]+-1\.png/);
    } else {
      expect(result.images, result.text).toHaveLength(1);
    }
    expect(await run.ended, run.printed()).toBe(0);
  });

  it("collects with await an answer that came after its own timeout", async () => {
    world = await World.make(stage, agent);
    const { model } = world;
    await world.change(agent.limit.file, agent.limit.change);
    const page = await world.inbox();
    let questionId = "";
    model.play({ tool, args: colour }, { tool, args: () => ({ await: questionId }) });
    const run = world.run(agent.once);
    const asked = await card(page, "Which colour?");
    questionId = await world.open();
    expect((await model.result(1)).text).toMatch(agent.timedOut);
    await page.locator("followup-app:not(:has([data-fresh]))").waitFor();
    await asked.getByText("Blue").click();
    expect((await model.result(2)).text).toMatch(answered("Blue"));
    expect(await run.ended, run.printed()).toBe(0);
  });
});
