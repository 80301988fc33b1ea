// The agents' own question tools, by their own binaries: answered in the page by way of a hook or the plugin, or in the terminal.

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { agentOf } from "./agents";
import { Terminal } from "./terminal";
import { card, Stage, says, World } from "./world";

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

const options = [
  { label: "Red", description: "warm" },
  { label: "Blue", description: "cold" },
];
const question = { question: "Which colour?", header: "Colour", options };
const elsewhere = "in the agent's own dialog";

describe("Claude Code's AskUserQuestion", () => {
  const step = { tool: "AskUserQuestion", args: { questions: [{ ...question, multiSelect: false }] } };

  const begin = async () => {
    world = await World.make(stage, agentOf("claude-code"));
    world.model.play(step);
    const page = await world.inbox();
    const terminal = await Terminal.start(world, ["Ask me"]);
    const asked = await card(page, "Which colour?");
    await terminal.until("Which colour");
    return { model: world.model, page, terminal, asked };
  };

  it("is answered in the page, and the terminal's dialog closes", async () => {
    const { model, terminal, asked } = await begin();
    await asked.getByText("Blue").click();
    const { text } = await model.result();
    expect(text).toContain('"Which colour?"="Blue"');
    await terminal.until("All done");
  });

  it("is answered in the terminal, and the card says so", async () => {
    const { model, page, terminal } = await begin();
    await terminal.press("Enter");
    expect((await model.result()).text).toContain('"Which colour?"="Red"');
    await says(page, elsewhere);
  });

  it("is declined in the page, which is no answer", async () => {
    const { model, asked } = await begin();
    await asked.getByRole("button", { name: "Dismiss" }).click();
    const { text } = await model.result();
    expect(text).toContain("declined to answer");
    expect(text).not.toContain("Red");
  });

  it("stays in the terminal when the hook is killed, and the card goes", async () => {
    const { model, page, terminal } = await begin();
    await world?.killHook();
    await says(page, "The agent withdrew this question");
    await terminal.press("Enter");
    expect((await model.result()).text).toContain('"Which colour?"="Red"');
  });
});

it("Claude Code asks in its terminal alone where nobody shows an inbox", async () => {
  world = await World.make(stage, agentOf("claude-code"));
  world.model.play({ tool: "AskUserQuestion", args: { questions: [{ ...question, multiSelect: false }] } });
  const terminal = await Terminal.start(world, ["Ask me"]);
  await terminal.until("Which colour");
  expect(await world.open()).toBe("");
  await terminal.press("Enter");
  expect((await world.model.result()).text).toContain('"Which colour?"="Red"');
  expect(await world.closed()).toEqual([]);
});

it("Codex's request_user_input is answered in the page", async () => {
  world = await World.make(stage, agentOf("codex"));
  world.model.play({ tool: "request_user_input", args: { questions: [{ id: "colour", ...question }] } });
  const page = await world.inbox();
  const run = world.run(["--dangerously-bypass-hook-trust", ...agentOf("codex").once]);
  await (await card(page, "Which colour?")).getByText("Blue").click();
  expect((await world.model.result()).text).toContain('"Which colour?"="Blue"');
  expect(await run.ended, run.printed()).toBe(0);
});

it("Gemini CLI's ask_user is answered in the page", async () => {
  world = await World.make(stage, agentOf("gemini"));
  world.model.play({
    tool: "ask_user",
    args: { questions: [{ ...question, type: "choice", multiSelect: false }] },
  });
  const page = await world.inbox();
  await Terminal.start(world, ["-m", "gemini-2.5-pro", "-i", "Ask me"]);
  await (await card(page, "Which colour?")).getByText("Blue").click();
  expect((await world.model.result()).text).toContain('"Which colour?"="Blue"');
});

it("Copilot CLI's ask_user is answered in the page", async () => {
  const requestedSchema = { properties: { colour: { type: "string", enum: ["Red", "Blue"] } } };
  world = await World.make(stage, agentOf("copilot"));
  world.model.play({ tool: "ask_user", args: { message: "Which colour?", requestedSchema } });
  const page = await world.inbox();
  await Terminal.start(world, ["-i", "Ask me", "--disable-builtin-mcps"]);
  await (await card(page, "Which colour?")).getByText("Blue").click();
  expect((await world.model.result()).text).toContain("Blue");
});

describe.each(["opencode", "kilo"])("%s's question", (id) => {
  it("is answered in the page", async () => {
    world = await World.make(stage, agentOf(id));
    world.model.play({ tool: "question", args: { questions: [question] } });
    const page = await world.inbox();
    await Terminal.start(world, ["--prompt", "Ask me"]);
    await (await card(page, "Which colour?")).getByText("Blue").click();
    expect((await world.model.result()).text).toContain('"Which colour?"="Blue"');
  });

  it("is answered in the terminal, and the card says so", async () => {
    world = await World.make(stage, agentOf(id));
    world.model.play({ tool: "question", args: { questions: [question] } });
    const page = await world.inbox();
    const terminal = await Terminal.start(world, ["--prompt", "Ask me"]);
    await card(page, "Which colour?");
    await terminal.until("Which colour");
    await terminal.press("Enter");
    expect((await world.model.result()).text).toContain('"Which colour?"="Red"');
    await says(page, elsewhere);
  });
});
