// The agents' requests for permission, by their own binaries: allowed, changed or denied in the page, or answered in the terminal. The files
// that are there in the end show what ran.

import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { agentOf } from "./agents";
import { Terminal } from "./terminal";
import { card, gestureOver, Stage, says, World } from "./world";

let stage: Stage;
let world: World;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(() => stage?.close());

afterEach(async ({ task }) => {
  if (task.result?.state === "fail") {
    console.error(await world.report());
  }
  await world.end();
});

const command = "touch made.txt && echo done";

/** Presses a button of the card once it can be. */
async function press(asked: Locator, name: string): Promise<void> {
  await asked.locator(`.${name}:not([aria-disabled])`).waitFor();
  await gestureOver(asked);
  await asked.locator(`.${name}`).click();
}

async function deny(asked: Locator, words: string): Promise<void> {
  await asked.locator(".approval-words").fill(words);
  await press(asked, "approval-deny");
}

const has = (name: string) => world.has(`project/${name}`);

describe("Claude Code", () => {
  /** Runs it in manual mode until it asks. */
  const asks = async (tool: string, args: object, text: string, mode = "default") => {
    world = await World.make(stage, agentOf("claude-code"), "--approvals");
    world.model.play({ tool, args });
    const page = await world.inbox();
    const terminal = await Terminal.start(world, ["--permission-mode", mode, "Do it"]);
    return { page, terminal, asked: await card(page, text) };
  };
  const bash = () => asks("Bash", { command, description: "Make a file" }, "touch made.txt");

  it("runs a command that was allowed", async () => {
    const { terminal, asked } = await bash();
    await press(asked, "approval-once");
    expect((await world.model.result()).text).toContain("done");
    expect(has("made.txt")).toBe(true);
    await terminal.until("All done");
  });

  it("runs the command that was allowed in place of its own", async () => {
    const { asked } = await bash();
    await asked.locator(".approval-change").click();
    await asked.locator(".approval-changed").fill("touch other.txt && echo changed");
    await press(asked, "approval-once");
    expect((await world.model.result()).text).toContain("changed");
    expect([has("made.txt"), has("other.txt")]).toEqual([false, true]);
  });

  it("gets the words of a denial", async () => {
    const { asked } = await bash();
    await deny(asked, "use `bun`\nnot npm");
    expect((await world.model.result()).text).toContain("use `bun`\nnot npm");
    expect(has("made.txt")).toBe(false);
  });

  it("is answered in the terminal, and the card says so", async () => {
    const { page, terminal } = await bash();
    await terminal.until("Do you want to proceed?");
    await terminal.press("Enter");
    expect((await world.model.result()).text).toContain("done");
    await says(page, "in the agent's own dialog");
  });

  it("writes a file that was allowed", async () => {
    const args = { file_path: "", content: "hello\n" };
    world = await World.make(stage, agentOf("claude-code"), "--approvals");
    world.model.play({ tool: "Write", args: { ...args, file_path: `${world.project}/new.txt` } });
    const page: Page = await world.inbox();
    await Terminal.start(world, ["--permission-mode", "default", "Do it"]);
    const asked = await card(page, "new.txt");
    expect(await asked.locator(".md-inserted").textContent()).toBe("+hello");
    await press(asked, "approval-once");
    await world.model.result();
    expect(has("new.txt")).toBe(true);
  });

  it("gets a plan back with a comment", async () => {
    const { asked } = await asks("ExitPlanMode", { plan: "# Plan\n\nChange it all." }, "Claude Code", "plan");
    await deny(asked, "Not yet.");
    expect((await world.model.result()).text).toContain("Not yet.");
  });
});

describe("Codex", () => {
  const asks = async () => {
    world = await World.make(stage, agentOf("codex"), "--approvals");
    await world.change(".codex/config.toml", (text) =>
      text.replace('approval_policy = "never"', 'approval_policy = "on-request"'),
    );
    const args = { cmd: command, sandbox_permissions: "require_escalated", justification: "Make a file" };
    world.model.play({ tool: "exec_command", args });
    const page = await world.inbox();
    const terminal = await Terminal.start(world, ["--dangerously-bypass-hook-trust", "Do it"]);
    return { page, terminal, asked: await card(page, "touch made.txt") };
  };

  it("runs a command that was allowed", async () => {
    await press((await asks()).asked, "approval-once");
    expect((await world.model.result()).text).toContain("done");
    expect(has("made.txt")).toBe(true);
  });

  it("gets the words of a denial", async () => {
    await deny((await asks()).asked, "use bun");
    expect((await world.model.result()).text).toContain("use bun");
    expect(has("made.txt")).toBe(false);
  });

  it("asks in its own dialog once it is left to that", async () => {
    const { asked, terminal } = await asks();
    await press(asked, "dismiss");
    await terminal.until(/Yes, proceed|Would you like to run/);
  });
});

describe.each(["opencode", "kilo"])("%s", (id) => {
  const asks = async () => {
    world = await World.make(stage, agentOf(id), "--approvals");
    await world.change(`.config/${id}/${id}.json`, (text) =>
      JSON.stringify({ ...JSON.parse(text), permission: { bash: "ask", edit: "ask" } }),
    );
    world.model.play({ tool: "bash", args: { command, description: "Make a file" } });
    const page = await world.inbox();
    const terminal = await Terminal.start(world, ["--prompt", "Do it"]);
    return { page, terminal, asked: await card(page, "touch made.txt") };
  };

  it("runs a command that was allowed", async () => {
    await press((await asks()).asked, "approval-once");
    expect((await world.model.result()).text).toContain("done");
    expect(has("made.txt")).toBe(true);
  });

  it("gets the words of a denial", async () => {
    await deny((await asks()).asked, "use bun");
    expect((await world.model.result()).text).toContain("use bun");
    expect(has("made.txt")).toBe(false);
  });

  it("is answered in the terminal, and the card says so", async () => {
    const { page, terminal } = await asks();
    await terminal.until("Permission required");
    await terminal.press("Enter");
    expect((await world.model.result()).text).toContain("done");
    await says(page, "in the agent's own dialog");
  });
});
