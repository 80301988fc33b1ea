// The agents' own question tools, with their own binaries: answered in the page through a hook or the plugin, or in the terminal.

import type { Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agentOf } from "./agents";
import { Terminal } from "./terminal";
import { card, gestureOver, Stage, says, World } from "./world";

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

/** Two questions, the second with multiple choice in the agent's spelling. */
const several = (multiple: object) => [
  question,
  {
    question: "Which checks?",
    header: "Checks",
    options: [
      { label: "Lint", description: "style" },
      { label: "Unit, fast", description: "small" },
      { label: "Race", description: "slow" },
    ],
    ...multiple,
  },
];

/** Answers the two questions in the page. */
async function answerSeveral(shownCard: Locator): Promise<void> {
  for (const [tab, ...options] of [[0, 1], [1, 0, 1], [2]] as [number, ...number[]][]) {
    await gestureOver(shownCard);
    await shownCard.getByRole("tab").nth(tab).click();
    for (const option of options) {
      await gestureOver(shownCard);
      await shownCard.locator(`.option[data-index="${option}"] :is(.marker input, .choose)`).click();
    }
  }
  await gestureOver(shownCard);
  await shownCard.locator(".submit").click();
}

describe("Claude Code's AskUserQuestion", () => {
  const one = [{ ...question, multiSelect: false }];

  /** Runs Claude Code until the page shows the question. */
  const asks = async (questions: object[]) => {
    world ??= await World.make(stage, agentOf("claude-code"));
    world.model.play({ tool: "AskUserQuestion", args: { questions } });
    const page = await world.inbox();
    const terminal = await Terminal.start(world, ["Ask me"]);
    return { model: world.model, page, terminal, shownCard: await card(page, "Which colour?") };
  };

  const begin = async (questions: object[] = one) => {
    const begun = await asks(questions);
    await begun.terminal.until("Enter to select"); // the dialog is complete, and accepts keys
    return begun;
  };

  it("is answered in the page, and the terminal's dialog closes", async () => {
    const { model, terminal, shownCard } = await begin();
    await shownCard.getByText("Blue").click();
    const { text } = await model.result();
    expect(text).toContain('"Which colour?"="Blue"');
    await terminal.until("All done");
  });

  it("is answered in the terminal, and the card says so", async () => {
    const { model, page, terminal } = await begin();
    await terminal.press("Enter");
    expect((await model.result()).text).toContain('"Which colour?"="Red"');
    await says(page, elsewhere);
    expect((await world?.ended())?.outcome).toMatchObject({ elsewhere: true, picks: [{ options: [0] }] });
  });

  const both = '"Which colour?"="Blue", "Which checks?"="Lint, "Unit, fast""';

  it("asks several questions, all answered in the page", async () => {
    const { model, terminal, shownCard } = await begin(several({ multiSelect: true }));
    await answerSeveral(shownCard);
    expect((await model.result()).text).toContain(both);
    await terminal.until("All done");
  });

  it("asks several questions, answered in the terminal and recorded in the history", async () => {
    const { model, page, terminal } = await begin(several({ multiSelect: true }));
    await terminal.press("2"); // chooses, and moves on
    await terminal.until(/❯ 1\. \[ \] Lint/);
    await terminal.press("1");
    await terminal.until(/\[✔\] Lint/);
    await terminal.press("2");
    await terminal.until(/\[✔\] Unit, fast/);
    await terminal.press("Tab");
    await terminal.until("❯ 1. Submit answers");
    await terminal.press("Enter");
    expect((await model.result()).text).toContain(both);
    await says(page, elsewhere);
    const picks = [{ options: [1] }, { options: [0, 1] }];
    expect((await world?.ended())?.outcome).toMatchObject({ elsewhere: true, picks });
  });

  describe("by the hook that the terminal waits for", () => {
    beforeEach(async () => {
      world = await World.make(stage, agentOf("claude-code"));
      await world.change(".claude/settings.json", (text) => text.replace("PermissionRequest", "PreToolUse"));
    });

    it("is answered in the page", async () => {
      const { model, terminal, shownCard } = await asks(several({ multiSelect: true }));
      await terminal.until("running PreToolUse hook");
      await answerSeveral(shownCard);
      expect((await model.result()).text).toContain(both);
      await terminal.until("All done");
    });

    it("is cancelled in the terminal, and the card closes", async () => {
      const { page, terminal } = await asks(one);
      await terminal.until("running PreToolUse hook");
      await terminal.press("Escape");
      await says(page, "The agent withdrew this question");
    });

    it("stays in the terminal if no inbox is open", async () => {
      world?.model.play({ tool: "AskUserQuestion", args: { questions: one } });
      const terminal = await Terminal.start(world as World, ["Ask me"]);
      await terminal.until("Enter to select");
      await terminal.press("Enter");
      expect((await world?.model.result())?.text).toContain('"Which colour?"="Red"');
    });
  });

  it("is dismissed in the page, which declines it", async () => {
    const { model, shownCard } = await begin();
    await shownCard.getByRole("button", { name: "Dismiss" }).click();
    const { text } = await model.result();
    expect(text).toContain("declined to answer");
    expect(text).not.toContain("Red");
  });

  it("stays in the terminal after the hook is killed, and the card closes", async () => {
    const { model, page, terminal } = await begin();
    await world?.killHook();
    await says(page, "The agent withdrew this question");
    await terminal.press("Enter");
    expect((await model.result()).text).toContain('"Which colour?"="Red"');
  });
});

it("Claude Code asks only in its terminal if no inbox is open", async () => {
  world = await World.make(stage, agentOf("claude-code"));
  world.model.play({ tool: "AskUserQuestion", args: { questions: [{ ...question, multiSelect: false }] } });
  const terminal = await Terminal.start(world, ["Ask me"]);
  await terminal.until("Enter to select");
  expect(await world.open()).toBe("");
  await terminal.press("Enter");
  expect((await world.model.result()).text).toContain('"Which colour?"="Red"');
  expect(await world.ended()).toBeUndefined();
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
    world.model.play({ tool: "question", args: { questions: several({ multiple: true }) } });
    const page = await world.inbox();
    await Terminal.start(world, ["--prompt", "Ask me"]);
    await answerSeveral(await card(page, "Which colour?"));
    expect((await world.model.result()).text).toContain(
      '"Which colour?"="Blue", "Which checks?"="Lint, Unit, fast"',
    );
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
    expect((await world.ended())?.outcome).toMatchObject({ elsewhere: true, picks: [{ options: [0] }] });
  });
});
