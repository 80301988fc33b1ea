// `make run` starts a page and then an editor, in which the sample agent asks. The terminal prints the answers.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { root } from "../../scripts/lib/paths.mjs";
import { vsixFile } from "../../scripts/lib/vsix.mjs";
import { passes } from "../wait";
import { example } from "./examples";
import { browserOfTests } from "./harness/editor";
import { answerBy, FollowupView, suggestion } from "./harness/followup";
import { program, stopKeeper } from "./harness/sidecar";

/** Long enough for the first start of an editor. */
const startTimeout = 120_000;

let folder: string;
let child: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "followup run "));
});
afterEach(async () => {
  // Stopped by a signal, so that the driver also ends its editor.
  if (child && child.exitCode === null && child.kill("SIGTERM")) await once(child, "exit");
  await stopKeeper(folder);
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

test("the question is answered on the page, then in the editor, and the terminal prints what the agent got", async () => {
  const terminal = start(["--browser", "--port", "0", vsixFile()]);
  const { question, suggestions } = example("en-1");
  const context = await (await browserOfTests()).newContext();
  const [page, editor] = [await context.newPage(), await context.newPage()];
  let address = "";
  try {
    const [, sample = ""] = await terminal.shows(
      /A sample agent asks on a page\. If your browser does not show it, open (http\S+)\n/,
    );
    await page.goto(sample, { timeout: startTimeout });
    await page.getByText(question).first().waitFor({ timeout: startTimeout });
    await page.locator("followup-app:not(:has([data-fresh]))").waitFor();
    await page
      .getByRole("button", { name: suggestions[1] ?? "" })
      .first()
      .click({ timeout: startTimeout });
    await terminal.shows(`(answered, clicked):\n  ${suggestions[1]}\n`);
    [, address = ""] = await terminal.shows(
      /The editor is ready; the sample agent asks there, too\. Open (http:\/\/127\.0\.0\.1:\d+)/,
    );
    await editor.goto(address, { timeout: startTimeout });
    const card = await new FollowupView(editor).card(question);
    await answerBy(card, suggestion(card, suggestions[2] ?? ""));
    await terminal.shows(`  <answer>\n  ${suggestions[2]}\n  </answer>`);
    await expect(history(path.join(folder, "storage"))).resolves.toEqual([suggestions[2], suggestions[1]]);
  } finally {
    await context.close();
  }
  expect(await terminal.interrupt()).toBe(0);
  await expect(fetch(address)).rejects.toThrow();
});

test("VS Code runs as a separate instance with its own store, and Ctrl-C ends the driver", async () => {
  const code = path.join(folder, "code");
  await writeFile(code, '#!/bin/sh\nprintf "%s\\n" "$@" "$FOLLOWUP_STORAGE" > "$0.arguments"\n');
  await chmod(code, 0o755);
  const terminal = start([], { PATH: `${folder}${path.delimiter}${process.env.PATH}` });
  await terminal.shows("VS Code opens");
  await passes(async () => {
    expect((await readFile(`${code}.arguments`, "utf8")).trimEnd().split("\n")).toEqual([
      `--extensionDevelopmentPath=${root}`,
      `--extensionDevelopmentPath=${path.join(root, "extension/sample-agent")}`,
      "--user-data-dir",
      path.join(folder, "vscode/user-data"),
      "--extensions-dir",
      path.join(folder, "vscode/extensions"),
      "--new-window",
      path.join(folder, "try-followup"),
      path.join(folder, "storage"),
    ]);
  });
  expect(await terminal.interrupt()).toBe(0);
});

/** The answers in a store, newest first. */
async function history(storage: string): Promise<(string | undefined)[]> {
  const { stdout } = await promisify(execFile)(program, ["history", "--json", "--storage", storage]);
  const entries = JSON.parse(stdout) as { outcome: { text?: string } }[];
  return entries.map(({ outcome }) => outcome.text);
}

/** Starts the driver like make. */
function start(args: string[], env: Record<string, string> = {}) {
  const script = path.join(root, "extension/scripts/run.mjs");
  const running = spawn(process.execPath, [script, "--folder", folder, ...args], {
    env: { ...process.env, FOLLOWUP_PROGRAM: program, ...env },
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
