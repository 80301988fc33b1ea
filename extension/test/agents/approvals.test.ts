// The agents' requests for permission, with their own binaries: allowed, changed or denied in the page, or
// answered in the terminal. The files at the end show what ran.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { agentOf } from "./agents";
import type { Step } from "./model";
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

/** How a test makes an agent ask. */
interface Asker {
  id: string;
  arguments: string[];
  /** Makes the agent ask for everything. */
  prepare?(): Promise<void>;
  /** A call that runs a command. */
  command(command: string): Step;
  /** Calls, of which the last one changes the file with this name from "old" to "new". */
  edit(name: string): Step[];
  /** The agent's own dialog. */
  dialog: RegExp;
  /** Whether the dialog is open beside the card; otherwise it opens only after the card was left. */
  beside: boolean;
}

/** opencode, and its fork. */
const opencode = (id: string): Asker => ({
  id,
  arguments: ["--prompt", "Do it"],
  prepare: () =>
    world.change(`.config/${id}/${id}.json`, (text) =>
      JSON.stringify({ ...JSON.parse(text), permission: { bash: "ask", edit: "ask" } }),
    ),
  command: (command) => ({ tool: "bash", args: { command, description: "Make a file" } }),
  edit: (filePath) => [
    { tool: "read", args: { filePath } },
    { tool: "edit", args: { filePath, oldString: "old", newString: "new" } },
  ],
  dialog: /Permission required/,
  beside: true,
});

const askers: Record<string, Asker> = {
  "Claude Code": {
    id: "claude-code",
    arguments: ["--permission-mode", "default", "Do it"],
    command: (command) => ({ tool: "Bash", args: { command, description: "Make a file" } }),
    edit: (file_path) => [
      { tool: "Read", args: { file_path } },
      { tool: "Edit", args: { file_path, old_string: "old", new_string: "new" } },
    ],
    dialog: /Do you want to/,
    beside: true,
  },
  Codex: {
    id: "codex",
    arguments: ["--dangerously-bypass-hook-trust", "Do it"],
    prepare: () =>
      world.change(".codex/config.toml", (text) =>
        text.replace('approval_policy = "never"', 'approval_policy = "on-request"'),
      ),
    command: (cmd) => ({
      tool: "exec_command",
      args: { cmd, sandbox_permissions: "require_escalated", justification: "Make a file" },
    }),
    edit: (name) => [
      {
        tool: "exec_command",
        args: {
          cmd: `apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: ${name}\n@@\n-old\n+new\n*** End Patch\nEOF\n`,
        },
      },
    ],
    dialog: /Yes, proceed|Would you like to/,
    beside: false,
  },
  opencode: opencode("opencode"),
  kilo: opencode("kilo"),
};

/** Runs an agent until it asks for permission in a card with this text. */
async function asks(asker: Asker, steps: () => Step[], shows: string) {
  world = await World.make(stage, agentOf(asker.id), "--approvals");
  await asker.prepare?.();
  await world.write("project/file.txt", "old\n");
  world.model.play(...steps());
  const page = await world.inbox();
  const terminal = await Terminal.start(world, asker.arguments);
  return { page, terminal, shownCard: await card(page, shows) };
}

const command = (name = "made.txt") => `touch ${name} && echo done`;
const made = (name = "made.txt") => world.has(`project/${name}`);

/** The agents' requests: the calls, the card's text, and whether the last call ran. */
const subjects: Record<string, [(asker: Asker) => Step[], string, () => Promise<boolean>]> = {
  command: [(asker) => [asker.command(command())], "touch made.txt", async () => made()],
  edit: [
    (asker) => asker.edit(join(world.project, "file.txt")),
    "file.txt",
    async () => (await readFile(join(world.project, "file.txt"), "utf8")) === "new\n",
  ],
};

/** Presses a button of the card once it is enabled. */
async function press(shownCard: Locator, name: string): Promise<void> {
  await shownCard.locator(`.${name}:not([aria-disabled])`).waitFor();
  await gestureOver(shownCard);
  await shownCard.locator(`.${name}`).click();
}

async function deny(shownCard: Locator, words: string): Promise<void> {
  await shownCard.locator(".approval-words").fill(words);
  await press(shownCard, "approval-deny");
}

describe.each(Object.entries(askers))("%s", (_, asker) => {
  describe.each(Object.entries(subjects))("%s", (_, [steps, shows, ran]) => {
    const begin = async () => {
      const begun = await asks(asker, () => steps(asker), shows);
      return { ...begun, result: () => world.model.result(steps(asker).length) };
    };

    it("is allowed", async () => {
      const { shownCard, terminal, result } = await begin();
      await press(shownCard, "approval-once");
      await result();
      expect(await ran()).toBe(true);
      await terminal.until("All done");
    });

    it("is denied with a message", async () => {
      const { shownCard, result } = await begin();
      await deny(shownCard, "use `bun`");
      expect((await result()).text).toContain("use `bun`");
      expect(await ran()).toBe(false);
    });

    it("is answered in the terminal", async () => {
      const { page, shownCard, terminal, result } = await begin();
      if (!asker.beside) {
        await press(shownCard, "dismiss");
      }
      await terminal.until(asker.dialog);
      const allow = async () => {
        await terminal.press("Enter"); // again, because a dialog ignores keys while it appears
        expect(await ran()).toBe(true);
      };
      await vi.waitFor(allow, { timeout: 60_000, interval: 1_000 });
      await result();
      if (asker.beside) {
        await says(page, "in the agent's own dialog");
      }
    });
  });
});

describe("Claude Code", () => {
  const claude = askers["Claude Code"] as Asker;

  it("runs the user's changed command instead of its own", async () => {
    const { shownCard } = await asks(claude, () => [claude.command(command())], "touch made.txt");
    await shownCard.locator(".approval-change").click();
    await shownCard.locator(".approval-changed").fill("touch other.txt && echo changed");
    await press(shownCard, "approval-once");
    expect((await world.model.result()).text).toContain("changed");
    expect([made(), made("other.txt")]).toEqual([false, true]);
  });

  const content = "# Plan\n\nChange it all.\n\nThen test.\n";

  /** Runs Claude Code in plan mode until it shows its plan, which its model writes to the given file. */
  const plans = () => {
    const planning = { ...claude, arguments: ["--permission-mode", "plan", "Do it"] };
    const file = (_: string[], request: string) => ({
      file_path: /[^\s"`]*\.claude\/plans\/[\w-]+\.md/.exec(request)?.[0],
      content,
    });
    const steps = () => [
      { tool: "Write", args: file },
      { tool: "ExitPlanMode", args: {} },
    ];
    return asks(planning, steps, "Then test.");
  };

  it.each([
    ["has its plan allowed", "", "approval-once", ["approved your plan"]],
    [
      "reads the notes with which its plan was allowed",
      "Test first.",
      "approval-once",
      ["approved your plan", "Test first."],
    ],
    ["gets its plan back with words", "Not yet.", "approval-deny", ["Not yet."]],
  ])("%s", async (_, notes, button, expected) => {
    const { shownCard } = await plans();
    await shownCard.locator(".approval-words").fill(notes);
    await press(shownCard, button);
    const { text } = await world.model.result(2);
    for (const words of expected) {
      expect(text).toContain(words);
    }
  });

  it("gets its plan back with the user's comment on a paragraph", async () => {
    const { shownCard } = await plans();
    await shownCard.locator(".plan-comment").nth(1).click();
    await shownCard.locator('[data-comment="0"]').fill("Not all.");
    await press(shownCard, "approval-deny");
    expect((await world.model.result(2)).text).toContain("> Change it all.\n\nNot all.");
  });
});

describe.each(["Claude Code", "opencode", "kilo"])("%s", (name) => {
  it("does not ask again for what the user allowed for the session", async () => {
    const asker = askers[name] as Asker;
    const steps = () => [asker.command(command()), asker.command(command("more.txt"))];
    const { shownCard } = await asks(asker, steps, "touch made.txt");
    await press(shownCard, "approval-session");
    expect((await world.model.result(2)).text).toContain("done");
    expect([made(), made("more.txt")]).toEqual([true, true]);
  });
});

describe("Codex", () => {
  const codex = askers.Codex as Asker;

  it("trusts both hooks once the user agrees", async () => {
    const question = {
      id: "colour",
      header: "Colour",
      question: "Which colour?",
      options: [
        { label: "Red", description: "warm" },
        { label: "Blue", description: "cold" },
      ],
    };
    world = await World.make(stage, agentOf("codex"), "--approvals");
    await codex.prepare?.();
    world.model.play(
      { tool: "request_user_input", args: { questions: [question] } },
      codex.command(command()),
    );
    const page: Page = await world.inbox();
    const terminal = await Terminal.start(world, ["Do it"]);
    await terminal.until("2. Trust all and continue");
    await terminal.press("Down");
    await terminal.until("› 2.");
    await terminal.press("Enter");
    await (await card(page, "Which colour?")).getByText("Blue").click();
    await press(await card(page, "touch made.txt"), "approval-once");
    expect((await world.model.result(2)).text).toContain("done");
    expect(made()).toBe(true);
    const binary = join(world.storage, "bin/followup");
    const { stdout } = await promisify(execFile)(binary, ["connect", "codex", "--yes"], {
      env: world.environment,
    });
    expect(stdout).not.toContain("skips hooks");
  });
});
