// Runs the recipes in docs/http.md unchanged, with packages from npm, against the real binary and a user who answers.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { AGENT_CARD_PATH, Message, TaskState } from "@a2a-js/sdk";
import { DefaultRequestHandler, InMemoryTaskStore } from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";
import { createMessageConnection } from "vscode-jsonrpc/node";

const here = import.meta.dirname;
const page = readFileSync(path.join(here, "../../../docs/http.md"), "utf8");
const recipes = new Map(
  [...page.matchAll(/^```\w+ recipe=(\S+)\n(.*?)^```/gms)].map(([, name, text]) => [name, text]),
);
const folder = mkdtempSync(path.join(here, "run-")); // below the folder with the packages
const program = path.join(folder, "followup");
const storage = path.join(folder, "storage");
const environment = { ...process.env, FOLLOWUP_STORAGE: storage, FOLLOWUP_KEEPER_LINGER: "1s" };
const children = [];
/** The user's answers, by question. */
const answers = new Map();
/** @type {{ FOLLOWUP_API: string, FOLLOWUP_TOKEN: string }} */
let api;

function start(args) {
  const child = spawn(program, args, { env: environment, stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  return child;
}

before(async () => {
  execFileSync("go", ["build", "-o", program, "./cmd/followup"], {
    cwd: path.join(here, "../../.."),
  });
  for (const [name, text] of recipes) writeFileSync(path.join(folder, name), text);
  const web = start(["web", "--api", "--json", "--no-browser"]);
  for await (const line of createInterface(web.stdout)) {
    const { api: address, tokenFile } = JSON.parse(line);
    api = { FOLLOWUP_API: address, FOLLOWUP_TOKEN: readFileSync(tokenFile, "utf8").trim() };
    break;
  }
  const user = start(["serve", "--log-level", "error"]);
  const connection = createMessageConnection(user.stdout, user.stdin);
  const seen = ({ items = [] }) => {
    for (const { questionId, state, payload } of items) {
      const text = answers.get(payload?.question);
      if (state === "pending" && text !== undefined)
        connection.sendRequest("question/answer", { questionId, provenance: "typed", text });
    }
  };
  connection.onNotification("inbox/didChange", seen);
  connection.listen();
  await connection.sendRequest("initialize", {
    clientInfo: { name: "test" },
    initializationOptions: { protocolVersion: 1, storageFolder: storage },
  });
  seen(await connection.sendRequest("inbox/subscribe", {}));
});

after(async () => {
  for (const child of children) {
    child.kill();
    if (child.exitCode === null && child.signalCode === null)
      await new Promise((ended) => child.once("exit", ended));
  }
  execFileSync(program, ["keeper", "stop"], { env: environment });
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a recipe, and returns what it prints. */
async function run(command, args, more = {}) {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...environment, ...api, ...more },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (text) => {
    printed += text;
  });
  const status = await new Promise((ended) => child.once("close", ended));
  assert.equal(status, 0);
  return printed.trim();
}

test("no recipe exceeds 15 lines", () => {
  assert.equal(recipes.size, 5);
  for (const [name, text] of recipes) assert.ok(text.split("\n").length - 1 <= 15, name);
});

test("a shell script", async () => {
  answers.set("Deploy?", "Not on a Friday");
  assert.equal(await run("bash", ["shell.sh"]), "Not on a Friday");
});

test("LangGraph", async () => {
  answers.set("Deploy where?", "staging");
  assert.equal(await run("node", ["langgraph.mjs"]), "staging");
});

for (const [answer, said] of [
  ["Allow", "Deployed to production"],
  ["Deny", "Tool execution was not approved."],
])
  test(`the OpenAI Agents SDK: ${answer}`, async () => {
    answers.set('Run deploy {"target":"production"}?', answer);
    assert.equal(await run("node", ["--import", "../model.mjs", "openai-agents.mjs"]), said);
  });

test("an A2A agent", async () => {
  answers.set("For how many people?", "four");
  const task = (context, state, text) => ({
    kind: "task",
    data: {
      id: context.taskId,
      contextId: context.contextId,
      artifacts: [],
      history: [],
      metadata: undefined,
      status: {
        state,
        timestamp: undefined,
        message: Message.fromJSON({ messageId: "m", role: "ROLE_AGENT", parts: [{ text }] }),
      },
    },
  });
  const executor = {
    async execute(context, bus) {
      const says = context.userMessage.parts[0].content.value;
      bus.publish(
        says === "Book a table"
          ? task(context, TaskState.TASK_STATE_INPUT_REQUIRED, "For how many people?")
          : task(context, TaskState.TASK_STATE_COMPLETED, `A table for ${says}`),
      );
      bus.finished();
    },
    async cancelTask() {},
  };
  const app = express();
  const server = createServer(app);
  await promisify(server.listen.bind(server))(0, "127.0.0.1");
  const url = `http://127.0.0.1:${server.address().port}`;
  const card = {
    name: "Restaurant",
    description: "Books tables",
    version: "1",
    capabilities: { extensions: [] },
    defaultInputModes: ["text"],
    defaultOutputModes: ["text"],
    skills: [],
    securitySchemes: {},
    securityRequirements: [],
    signatures: [],
    supportedInterfaces: [
      { url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "" },
    ],
  };
  const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  app.use(`/${AGENT_CARD_PATH}`, agentCardHandler({ agentCardProvider: handler }));
  app.use("/rpc", jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication }));
  try {
    assert.equal(await run("node", ["a2a.mjs"], { AGENT: url }), "A table for four");
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
