// The plugin for opencode and Kilo Code, in a host like theirs: it loads the file, passes it a client and the
// events of its questions, and uses the first answer. A program with the test's script replaces Followup's.

import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, test } from "vitest";

interface Posted {
  url: string;
  body: unknown;
}

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Starts a host with the plugin, and a program that runs the script; without a script there is no program. */
async function host(script?: string, { agent = "opencode", fails = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "followup-plugin-"));
  folders.push(folder);
  copyFileSync(
    join(import.meta.dirname, "../../../internal/program/plugin.mjs"),
    join(folder, `${agent}.mjs`),
  );
  // The file's name without its extension is the agent's.
  if (script !== undefined) {
    const program = join(folder, "followup");
    writeFileSync(
      program,
      `#!${process.execPath}\nconst log = ${JSON.stringify(join(folder, "log"))};\n${prelude}\n${script}`,
    );
    chmodSync(program, 0o755);
  }
  const posted: Posted[] = [];
  const waiting: (() => void)[] = [];
  const client = {
    _client: {
      async post({ url, body }: Posted) {
        posted.push({ url, body });
        for (const wake of waiting.splice(0)) {
          wake();
        }
        if (fails) {
          throw new Error("QuestionNotFoundError");
        }
        return { response: { status: 200 } };
      },
    },
  };
  const { Followup } = await import(/* @vite-ignore */ pathToFileURL(join(folder, `${agent}.mjs`)).href);
  const hooks = await Followup({ client, directory: folder, serverUrl: new URL("http://localhost:4096") });
  return {
    folder,
    posted,
    send: (type: string, properties: unknown) => hooks.event({ event: { type, properties } }),
    /** The lines that the program has noted. */
    noted: () =>
      existsSync(join(folder, "log")) ? readFileSync(join(folder, "log"), "utf8").trim().split("\n") : [],
    post: () => new Promise<void>((done) => waiting.push(done)),
  };
}

const prelude = `
const { appendFileSync } = require("node:fs");
const note = (what) => appendFileSync(log, what + "\\n");
const lines = [];
let wanted;
require("node:readline").createInterface({ input: process.stdin })
  .on("line", (line) => (wanted ? wanted(line) : lines.push(line)))
  .on("close", () => { note("end of input"); ended(); });
let ended = () => process.exit(0);
const line = () => lines.length > 0 ? Promise.resolve(lines.shift()) : new Promise((done) => { wanted = (l) => { wanted = undefined; done(l); }; });
`;

const question = {
  id: "que_1",
  sessionID: "ses_1",
  questions: [
    {
      question: "Which colour?",
      header: "Colour",
      options: [
        { label: "Red", description: "Warm" },
        { label: "Blue", description: "Cold" },
      ],
    },
  ],
  tool: { messageID: "msg_1", callID: "call_1" },
};

const answering = `line().then((line) => { note(process.argv.slice(2).join(" ")); note(line);
  process.stdout.write(JSON.stringify({ answers: [["teal"]] }), () => process.exit(0)); });`;

for (const agent of ["opencode", "kilo"]) {
  test(`an answer in the inbox is ${agent}'s answer`, async () => {
    const { folder, send, posted, post, noted } = await host(answering, { agent });
    const came = post();
    await send("question.asked", question);
    await came;
    expect(posted).toEqual([{ url: "/question/que_1/reply", body: { answers: [["teal"]] } }]);
    const [args, input] = noted();
    expect(args).toBe(`hook ${agent}`);
    expect(JSON.parse(input ?? "")).toEqual({ ...question, directory: folder });
  });
}

const request = { id: "per_1", sessionID: "ses_1", permission: "bash", metadata: { command: "ls" } };

test("the approvals plugin asks for permission and returns the decision", async () => {
  const { folder, send, posted, post, noted } = await host(
    `line().then((line) => { note(process.argv.slice(2).join(" ")); note(line);
      process.stdout.write(JSON.stringify({ reply: "reject", message: "no" }), () => process.exit(0)); });`,
    { agent: "opencode-approvals" },
  );
  const came = post();
  await send("permission.asked", request);
  await came;
  expect(posted).toEqual([{ url: "/permission/per_1/reply", body: { reply: "reject", message: "no" } }]);
  const [args, input] = noted();
  expect(args).toBe("hook opencode --approvals");
  expect(JSON.parse(input ?? "")).toEqual({ ...request, directory: folder });
});

test("a request decided in the terminal closes in the inbox", async () => {
  const { send, posted, noted } = await host(
    `line().then(async () => { note("asked"); note(await line()); });
     ended = () => process.stdout.write('{"reply":"once"}', () => { note("gone"); process.exit(0); });`,
    { agent: "kilo-approvals" },
  );
  await send("permission.asked", request);
  await expect.poll(noted).toContain("asked");
  await send("permission.replied", { sessionID: "ses_1", requestID: "per_1", reply: "once" });
  await expect
    .poll(noted)
    .toEqual(["asked", '{"closed":"replied","effective":"allowed"}', "end of input", "gone"]);
  expect(posted).toEqual([]);
});

test.each([
  ["took effect", "reject", "denied"],
  ["came after the terminal's", "once", "allowed"],
])("the program learns that its decision %s", async (_, reply, effective) => {
  const { send, posted, post, noted } = await host(
    `line().then(async () => { process.stdout.write('{"reply":"reject","message":"no"}\\n'); note(await line()); });`,
    { agent: "opencode-approvals" },
  );
  const came = post();
  await send("permission.asked", request);
  await came; // while the program still runs
  await send("permission.replied", { sessionID: "ses_1", requestID: "per_1", reply });
  await expect.poll(noted).toEqual([`{"closed":"replied","effective":"${effective}"}`, "end of input"]);
  expect(posted).toEqual([{ url: "/permission/per_1/reply", body: { reply: "reject", message: "no" } }]);
});

test("a decision that arrives after the terminal's is not sent", async () => {
  const { send, posted, noted } = await host(
    `line().then(async () => { note("asked"); note(await line()); process.stdout.write('{"reply":"reject"}\\n', () => { note("gone"); process.exit(0); }); });
     ended = () => {};`,
    { agent: "opencode-approvals" },
  );
  await send("permission.asked", request);
  await expect.poll(noted).toContain("asked");
  await send("permission.replied", { sessionID: "ses_1", requestID: "per_1", reply: "always" });
  await expect.poll(noted).toContain("gone");
  expect(noted()).toContain('{"closed":"replied","effective":"allowed"}');
  expect(posted).toEqual([]);
});

test("the questions plugin does not handle permissions", async () => {
  const { send, noted } = await host(answering);
  await send("permission.asked", request);
  await send("question.asked", question);
  await expect.poll(noted).toHaveLength(2);
  expect(noted().join()).not.toContain("per_1");
});

test("rejects a question that is dismissed in the inbox", async () => {
  const { send, posted, post } = await host(
    `line().then(() => process.stdout.write('{"rejected":true}', () => process.exit(0)));`,
  );
  const came = post();
  await send("question.asked", question);
  await came;
  expect(posted).toEqual([{ url: "/question/que_1/reject", body: {} }]);
});

test.each([
  ["replied", { sessionID: "ses_1", requestID: "que_1", answers: [["Red"]] }],
  ["rejected", { sessionID: "ses_1", requestID: "que_1" }],
])("a question that is %s in the terminal closes in the inbox", async (how, properties) => {
  // The program still prints an answer, like one given at the same moment: the terminal was first.
  const { send, posted, noted } = await host(
    `line().then(async () => { note("asked"); note(await line()); });
     ended = () => process.stdout.write('{"answers":[["late"]]}', () => { note("gone"); process.exit(0); });`,
  );
  await send("question.asked", question);
  await expect.poll(noted).toContain("asked");
  await send(`question.${how}`, properties);
  const closed = JSON.stringify({
    closed: how,
    answers: "answers" in properties ? properties.answers : undefined,
  });
  await expect.poll(noted).toEqual(["asked", closed, "end of input", "gone"]);
  expect(posted).toEqual([]);
});

test("concurrent questions have separate programs", async () => {
  const { send, posted } = await host(
    `line().then((line) => process.stdout.write(JSON.stringify({ answers: [[JSON.parse(line).id]] }), () => process.exit(0)));`,
  );
  const ids = ["que_1", "que_2", "que_3"];
  for (const id of ids) {
    await send("question.asked", { ...question, id });
  }
  await expect.poll(() => posted.length).toBe(3);
  for (const id of ids) {
    expect(posted).toContainEqual({ url: `/question/${id}/reply`, body: { answers: [[id]] } });
  }
});

test("a late answer is not an error", async () => {
  const { send, posted, post } = await host(answering, { fails: true });
  const came = post();
  await send("question.asked", question);
  await came;
  expect(posted).toHaveLength(1);
});

test.each([
  ["nobody shows an inbox", `note("asked"); process.stdout.write("{}", () => process.exit(0));`],
  ["the program prints nothing", `note("asked"); process.exit(0);`],
  ["it fails", `note("asked"); process.stdout.write('{"answers":[["x"]]}', () => process.exit(1));`],
  ["it is killed", `note("asked"); process.kill(process.pid, "SIGKILL");`],
  ["it prints invalid JSON", `note("asked"); process.stdout.write("panic:", () => process.exit(0));`],
])("asks only in the terminal if %s", async (_, script) => {
  const first = await host(script);
  await first.send("question.asked", question);
  await expect.poll(first.noted).toContain("asked");
  // Only a later program's answer is sent.
  writeFileSync(
    join(first.folder, "followup"),
    `#!${process.execPath}\nconst log = "/dev/null";\n${prelude}\n${answering}`,
  );
  const came = first.post();
  await first.send("question.asked", { ...question, id: "que_2" });
  await came;
  expect(first.posted.map(({ url }) => url)).toEqual(["/question/que_2/reply"]);
});

test("does nothing without the program, and ignores other events", async () => {
  const { send, posted } = await host();
  await send("question.asked", question);
  await send("question.replied", { requestID: "que_1" });
  await send("question.asked", {});
  await send("session.idle", { sessionID: "ses_1" });
  await send("session.error", undefined);
  expect(posted).toEqual([]);
});

test("a program reads the end of its input when its host ends", async () => {
  const { folder, noted } = await host(`line().then(() => note("asked"));`);
  const { spawn } = await import("node:child_process");
  const child = spawn(process.execPath, [
    "--input-type=module",
    "-e",
    `const { Followup } = await import(${JSON.stringify(pathToFileURL(join(folder, "opencode.mjs")).href)});
     const { event } = await Followup({ client: {}, directory: "." });
     await event({ event: { type: "question.asked", properties: { id: "q", questions: [] } } });
     setInterval(() => {}, 1e6);`,
  ]);
  await expect.poll(noted).toContain("asked");
  child.kill("SIGKILL");
  await once(child, "close");
  await expect.poll(noted).toContain("end of input");
});

test("a failed start of the program does not break the next question", async () => {
  const { folder, noted } = await host(
    `line().then((line) => { note(JSON.parse(line).id); process.exit(0); }); ended = () => {};`,
  );
  const { spawn } = await import("node:child_process");
  const script = `const { closeSync, openSync } = await import("node:fs");
     const { Followup } = await import(${JSON.stringify(pathToFileURL(join(folder, "opencode.mjs")).href)});
     const { event } = await Followup({ client: {}, directory: "." });
     const ask = (id) => event({ event: { type: "question.asked", properties: { id, questions: [] } } });
     const open = [];
     try { for (;;) open.push(openSync("/dev/null")); } catch {}
     await ask("no files");
     open.forEach((file) => closeSync(file));
     await ask("next");`;
  const child = spawn(
    "sh",
    ["-c", 'ulimit -n 100; exec "$0" --input-type=module -e "$1"', process.execPath, script],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const [status] = await once(child, "close");
  expect([status, said]).toEqual([0, ""]);
  expect(noted()).toContain("next");
  expect(noted()).not.toContain("no files");
});
