// The command that connects agents, with a program that does as `followup connect` and `disconnect` do, as far as is seen from here.

import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectAgents } from "../../src/commands/connectAgents";
import { ProblemError } from "../../src/sidecar/errors";
import { FakeLog } from "./fake/log";
import { dialogs, executed, Uri, user } from "./fake/vscode";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "followup-connect-"));
  user.asked.length = 0;
  user.choices = {};
  dialogs.shown.length = 0;
  executed.length = 0;
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const agents = [
  { id: "codex", name: "Codex", found: false, state: "none", files: ["/h/a"], message: "not found" },
  { id: "gemini", name: "Gemini CLI", found: true, state: "none", files: ["/h/b"], message: "not connected" },
  { id: "cline", name: "Cline", found: true, state: "connected", files: ["/h/c"], message: "connected" },
  {
    id: "qwen",
    name: "Qwen Code",
    found: true,
    state: "foreign",
    files: ["/h/d"],
    message: "has another entry",
  },
  { id: "kilo", name: "Kilo Code", found: true, state: "partly", files: ["/h/e"], message: "anew" },
];

/** The program notes its arguments. `qwen` cannot be connected. */
function program(script = "") {
  const path = join(folder, "followup");
  writeFileSync(
    path,
    `#!${process.execPath}
const [subcommand, ...args] = process.argv.slice(2);
require("node:fs").appendFileSync(${JSON.stringify(join(folder, "log"))}, [subcommand, ...args].join(" ") + "\\n");
const agents = ${JSON.stringify(agents)};
const ids = args.slice(0, args.findIndex((arg) => arg.startsWith("--")));
${script}
const result = (id, done, changed) => ({ id, changed, files: changed ? [{ path: "/home/" + id + ".json" }] : [],
  also: id === "gemini" && done === "connected" ? ["gemini also sets a hook"] : [], messages: [done + " " + id + ".", "changed"],
  notes: changed ? ["Restart " + id + "."] : [] });
const refused = { id: "qwen", changed: false, files: [], also: [], messages: [], notes: [], error: "qwen has an entry of its own" };
if (args.includes("--only")) {
  const named = agents.filter(({ id }) => ids.includes(id));
  const others = agents.filter(({ id, state }) => !ids.includes(id) && (state === "connected" || state === "partly"));
  console.log(JSON.stringify({ results: [
    ...named.map(({ id, state }) => id === "qwen" ? refused : result(id, "connected", state !== "connected")),
    ...others.map(({ id }) => result(id, "disconnected", true)),
  ] }));
  process.exitCode = ids.includes("qwen") ? 1 : 0;
} else {
  console.log(JSON.stringify({ agents }));
}
`,
  );
  chmodSync(path, 0o755);
  return (subcommand: string) => ({ command: path, args: [subcommand] });
}

const ran = () =>
  readFileSync(join(folder, "log"), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.replace(" --json --locale en", ""))
    .filter((line) => !line.endsWith(" --dry-run"));

/** What the user is asked and told after the list and the settings that connecting adds. */
const toldLater = () =>
  user.asked.filter(([method, , options]) => method === "information" && typeof options === "string");

const agree = () => "Connect";

interface Item {
  label: string;
  picked?: boolean;
  description: string;
  agent: { id: string };
}

/** The user leaves these checked. */
const check =
  (...ids: string[]) =>
  (items: Item[]) =>
    items.filter(({ agent }) => ids.includes(agent.id));

const log = new FakeLog();
const command = (launch = program()) => connectAgents({ launch, log });

test("those on the machine come first and are proposed, but for what is the user's own", async () => {
  await command()();
  const [method, items] = user.asked[0] as [string, Item[]];
  expect(method).toBe("pick");
  expect(items.map(({ label, picked, description }) => [label, picked, description])).toEqual([
    ["Gemini CLI", true, "not connected"],
    ["Cline", true, "connected"],
    ["Qwen Code", false, "has another entry"],
    ["Kilo Code", true, "anew"],
    ["Codex", false, "not found"],
  ]);
  expect(ran()).toEqual(["connect"]);
  expect(user.asked).toHaveLength(1);
});

test("what is checked is connected, and what is not checked any more is disconnected", async () => {
  user.choices = { pick: [check("gemini", "codex", "kilo")], information: [agree] };
  await command()();
  expect(ran()).toEqual(["connect", "connect gemini kilo codex --only"]);
  expect(toldLater()[0]).toEqual([
    "information",
    "connected codex. connected gemini. connected kilo. disconnected cline. Restart codex. Restart gemini. Restart kilo. Restart cline.",
    "Show File",
    "Undo",
  ]);
});

test("the settings that connecting adds are shown first, and nothing is written unless the user agrees", async () => {
  user.choices = { pick: [check("gemini", "codex")] };
  await command()();
  expect(user.asked[1]).toEqual([
    "information",
    "Followup adds more than its own entry to the agents' settings. Connect them?",
    { modal: true, detail: "gemini also sets a hook" },
    "Connect",
  ]);
  expect(readFileSync(join(folder, "log"), "utf8")).toContain("connect gemini codex --only --dry-run");
  expect(ran()).toEqual(["connect"]);
});

test("nothing is said where nothing has changed", async () => {
  user.choices = { pick: [check("cline", "kilo")] };
  await command(program(`for (const agent of agents) if (agent.id === "kilo") agent.state = "connected";`))();
  expect(ran()).toEqual(["connect", "connect cline kilo --only"]);
  expect(user.asked).toHaveLength(1);
});

test("it can be taken back at once, but for what was partly there before", async () => {
  user.choices = { pick: [check("gemini", "kilo")], information: [agree, () => "Undo"] };
  await command()();
  expect(ran().slice(1)).toEqual(["connect gemini kilo --only", "connect cline kilo --only"]);
});

test("what cannot be taken back is told", async () => {
  user.choices = { pick: [check("gemini", "cline", "kilo")], information: [agree, () => "Undo"] };
  const fails = `if (!args.includes("--dry-run") && ids.join() === "cline,kilo") {
  console.log(JSON.stringify({ results: [{ id: "gemini", changed: false, files: [], also: [], messages: [], notes: [], error: "it is locked" }] }));
  process.exit(1);
}`;
  await command(program(fails))();
  expect(dialogs.shown).toEqual([["it is locked", "Open Log"]]);
});

test("a program that cannot take it back is told", async () => {
  user.choices = { pick: [check("gemini")], information: [agree, () => "Undo"] };
  const fails = `if (ids.join() === "cline,kilo") { console.error("no room"); process.exit(1); }`;
  await command(program(fails))();
  expect(dialogs.shown).toEqual([["The agents could not be connected: no room", "Open Log"]]);
  expect(toldLater()[0]?.[1]).toContain("connected gemini.");
});

test("a changed file is shown; of several the user chooses", async () => {
  user.choices = {
    pick: [check("gemini", "cline", "kilo"), (paths: string[]) => paths[1]],
    information: [agree, () => "Show File"],
  };
  await command()();
  expect(executed).toEqual([["vscode.open", Uri.file("/home/kilo.json")]]);
});

test("an agent that cannot be connected is told of, and the others are connected", async () => {
  user.choices = { pick: [check("qwen", "gemini", "cline", "kilo")], information: [agree] };
  await command()();
  expect(dialogs.shown).toEqual([["qwen has an entry of its own", "Open Log"]]);
  expect(toldLater()[0]?.[1]).toBe("connected gemini. connected kilo. Restart gemini. Restart kilo.");
});

test.each([
  ["a program that fails", program, `console.error("no home"); process.exit(1);`, "no home"],
  ["one that prints what is no JSON", program, `console.log("?"); process.exit(0);`, "?"],
])("%s is told", async (_, make, script, words) => {
  await command(make(script))();
  expect(dialogs.shown).toEqual([[`The agents could not be connected: ${words}`, "Open Log"]]);
});

test("a program that is not there is told", async () => {
  await command(() => {
    throw new ProblemError({ kind: "missing", looked: "/x/followup", source: "bundled", reason: "absent" });
  })();
  expect(String(dialogs.shown[0])).toContain("/x/followup");
});
