// CONTRIBUTING.md's section on debugging: the extension runs from its source folder with a sidecar built for
// a debugger, and a breakpoint in the sidecar stops a question. The test builds and attaches as in .vscode.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import launch from "../../../.vscode/launch.json" with { type: "json" };
import tasks from "../../../.vscode/tasks.json" with { type: "json" };
import { root } from "../../scripts/lib/paths.mjs";
import { example, nativeInput } from "./examples";
import { Debugger } from "./harness/debugger";
import { answerBy, suggestion } from "./harness/followup";
import { sidecarProcess } from "./harness/sidecar";
import { useEditor } from "./harness/use-editor";

const run = promisify(execFile);
const handler = { file: path.join(root, "internal/server/question.go"), name: "questionAsk" };
let folder: string;

const editor = useEditor(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "followup-debug-"));
  const sidecar = path.join(folder, "followup");
  const task = tasks.tasks.find(({ label }) => label === "build the sidecar");
  if (!task?.options) throw new Error("no task builds the sidecar");
  const args = task.args.map((arg) => (arg === "bin/followup" ? sidecar : arg));
  await run(task.command, args, { cwd: root, env: { ...process.env, ...task.options.env } });
  return { development: [root], env: { FOLLOWUP_SIDECAR: sidecar } };
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

test("a breakpoint in the sidecar stops a question, and continuing answers it", async () => {
  const { workbench, agent, folder } = editor();
  expect(await agent.extensionPath()).toBe(root);
  const session = await agent.openSession();
  const { question, suggestions } = example("pt-BR-1");
  const lines = (await readFile(handler.file, "utf8")).split("\n");
  const declaration = lines.findIndex((line) => line.startsWith("func") && line.includes(`${handler.name}(`));

  const attaching = launch.configurations.find(({ name }) => name === "Attach to Sidecar");
  const paths = attaching?.substitutePath?.map(({ from, to }) => ({
    from: from.replace(/^\$\{workspaceFolder\}/, root),
    to,
  }));

  const delve = await Debugger.attach(await sidecarProcess(folder), paths);
  try {
    await delve.breakAt(handler.file, declaration + 2);
    const answer = session.ask(nativeInput(example("pt-BR-1")));
    const [frame] = await delve.stopped();
    if (!frame) throw new Error("the stack is empty");
    expect(frame).toMatchObject({
      name: expect.stringContaining(handler.name),
      line: declaration + 2,
      source: { path: handler.file },
    });
    expect(await delve.evaluate("p.Tool", frame)).toBe('"ask_followup_question"');
    await delve.resume(handler.file);
    const card = await workbench.followup.card(question);
    await answerBy(card, suggestion(card, suggestions[1] ?? ""));
    expect(await answer).toMatchObject({ text: `<answer>\n${suggestions[1]}\n</answer>` });
  } finally {
    await delve.detach();
  }
});
