// What `make run` starts: an editor with the sample agent in it, whose answers are printed in the terminal.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { root } from "../../scripts/lib/paths.mjs";
import { vsixFile } from "../../scripts/lib/vsix.mjs";
import { passes } from "../wait";
import { example } from "./examples";
import { browserOfTests } from "./harness/editor";
import { answerBy, FollowupView, suggestion } from "./harness/followup";

/** Long enough for the first start of an editor. */
const startTimeout = 120_000;

let folder: string;
let child: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "followup run "));
});
afterEach(async () => {
  // Asked to, and waited for, so that the driver ends its editor too.
  if (child && child.exitCode === null && child.kill("SIGTERM")) await once(child, "exit");
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

test("the question is answered in the browser, and the terminal tells what the agent got", async () => {
  const terminal = start(["--browser", "--port", "0", vsixFile()]);
  const [address = ""] = await terminal.shows(/http:\/\/127\.0\.0\.1:\d+/);
  const page = await (await browserOfTests()).newPage();
  try {
    await page.goto(address, { timeout: startTimeout });
    const { question, suggestions } = example("en-1");
    const card = await new FollowupView(page).card(question);
    await answerBy(card, suggestion(card, suggestions[2] ?? ""));
    await terminal.shows("The sample agent received (answered, clicked):");
    await terminal.shows(`  <answer>\n  ${suggestions[2]}\n  </answer>`);
  } finally {
    await page.context().close();
  }
  expect(await terminal.interrupt()).toBe(0);
  await expect(fetch(address)).rejects.toThrow();
});

test("VS Code gets both extensions and the workspace, and Ctrl-C ends the driver", async () => {
  const code = path.join(folder, "code");
  await writeFile(code, '#!/bin/sh\nprintf "%s\\n" "$@" > "$0.arguments"\n');
  await chmod(code, 0o755);
  const terminal = start([], { PATH: `${folder}${path.delimiter}${process.env.PATH}` });
  await terminal.shows("VS Code opens");
  const workspace = path.join(folder, "try-followup");
  await passes(async () => {
    expect((await readFile(`${code}.arguments`, "utf8")).trimEnd().split("\n")).toEqual([
      `--extensionDevelopmentPath=${root}`,
      `--extensionDevelopmentPath=${path.join(root, "extension/sample-agent")}`,
      "--new-window",
      workspace,
    ]);
  });
  expect(await terminal.interrupt()).toBe(0);
});

/** Starts the driver as make does. */
function start(args: string[], env: Record<string, string> = {}) {
  const script = path.join(root, "extension/scripts/run.mjs");
  const running = spawn(process.execPath, [script, "--folder", folder, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  child = running;
  let output = "";
  running.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  const exited = new Promise<number | null>((resolve) => running.once("exit", resolve));
  const ended = exited.then((status): never => {
    throw new Error(`the driver ended with ${status}:\n${output}`);
  });
  ended.catch(() => {});
  return {
    /** Waits until the terminal shows a text. */
    shows: (text: string | RegExp): Promise<string[]> =>
      Promise.race([
        ended,
        vi.waitFor(
          () => {
            const found =
              typeof text === "string" ? (output.includes(text) ? [text] : null) : text.exec(output);
            if (!found) throw new Error(`the terminal does not show ${text}:\n${output}`);
            return [...found];
          },
          { timeout: startTimeout, interval: 50 },
        ),
      ]),
    /** Presses Ctrl-C; the exit status. */
    interrupt: (): Promise<number | null> => {
      running.kill("SIGINT");
      return exited;
    },
  };
}
