// The language-model tool: the session of a call, and its result.

import { expect, onTestFinished, test } from "vitest";
import * as vscode from "vscode";
import { CancellationTokenSource } from "vscode-jsonrpc/node";
import type { AskOptions, FollowupApi, SessionOptions } from "../../src/agents/api";
import { askTool, conversation, questionIn, resultParts } from "../../src/agents/tools";
import type { Answer } from "../../src/protocol.gen";
import { FollowupError } from "../../src/sidecar/errors";
import { FakeLog } from "./fake/log";
import { answered } from "./fake/sidecar";
import { extensions } from "./fake/vscode";

type Options = vscode.LanguageModelToolInvocationOptions<unknown>;
const options = (fields: object, input: unknown = {}) => ({ input, ...fields }) as unknown as Options;

test("returns a plain answer as one text part", () => {
  expect(resultParts(answered("q", "a\tb `c` <d>\n"))).toEqual([
    new vscode.LanguageModelTextPart("<answer>\na\tb `c` <d>\n\n</answer>"),
  ]);
});

test("returns images after the text, then other data as JSON", () => {
  const answer: Answer = {
    ...answered("q", "see"),
    images: [
      { mimeType: "image/png", data: Buffer.from([1, 2]).toString("base64") },
      { mimeType: "image/webp", data: Buffer.from([3]).toString("base64") },
    ],
    structured: { mode: "code", provenance: "edited" },
  };
  expect(resultParts(answer)).toEqual([
    new vscode.LanguageModelTextPart(answer.text),
    vscode.LanguageModelDataPart.image(Buffer.from([1, 2]), "image/png"),
    vscode.LanguageModelDataPart.image(Buffer.from([3]), "image/webp"),
    new vscode.LanguageModelTextPart('\n{"mode":"code","provenance":"edited"}'),
  ]);
});

test("an answer that is an equals sign does not look like a pair in a log viewer", () => {
  const structured = { answers: { "Which?": "=", "And?": '"="' }, annotations: {} };
  const [, json] = resultParts({ ...answered("q", "x"), structured });
  const text = json instanceof vscode.LanguageModelTextPart ? json.value : "";
  expect([...text.matchAll(/"([^"]+)"="([^"]*)"/g)]).toEqual([]);
  expect(JSON.parse(text)).toEqual(structured);
});

test("opens one session for each chat, and one for all other calls of a window", () => {
  const uri = vscode.Uri.from({ scheme: "vscode-chat-session", authority: "local", path: "/1" });
  const key = "vscode-chat-session://local/1";
  const chat = { agent: "Chat", key };
  expect(conversation(options({ chatSessionResource: uri }))).toEqual(chat);
  expect(conversation(options({ chatSessionResource: key }))).toEqual(chat);
  const parts = { scheme: "vscode-chat-session", authority: "local", path: "/1" };
  expect(conversation(options({ toolInvocationToken: { sessionResource: parts, sessionId: "s" } }))).toEqual(
    chat,
  );
  expect(conversation(options({ toolInvocationToken: { sessionId: "s" } }))).toEqual({
    agent: "Chat",
    key: "s",
  });
  const none = conversation(options({ toolInvocationToken: undefined }));
  expect(none).toMatchObject({ agent: "An extension", key: expect.stringMatching(/^window:/) });
  expect(conversation(options({}))).toEqual(none);
  expect(conversation(options({ toolInvocationToken: {} }))).toEqual({ agent: "Chat", key: none.key });
});

test("names a chat by the kind that an extension contributes", () => {
  const packageJSON = {
    contributes: {
      chatSessions: [
        { type: "robot-cli", displayName: "Robot CLI" },
        { type: "blank", displayName: " " },
      ],
    },
  };
  extensions.all.push(
    { packageJSON: {} },
    { packageJSON },
    { packageJSON: { contributes: { chatSessions: 5 } } },
  );
  onTestFinished(() => void extensions.all.splice(0));
  const agentOf = (key: string) =>
    conversation(options({ toolInvocationToken: { sessionResource: key } })).agent;
  expect(agentOf("robot-cli:/1")).toBe("Robot CLI");
  expect(agentOf("robot-cli-2:/1")).toBe("Chat");
  expect(agentOf("blank:/1")).toBe("Chat");
  expect(agentOf("vscode-chat-session://local/1")).toBe("Chat");
});

function tool(ask: (name: string, input: unknown, options?: AskOptions) => Promise<Answer>) {
  const opened: SessionOptions[] = [];
  const api = {
    apiVersion: 1,
    openSession: async (session: SessionOptions) => {
      opened.push(session);
      return { ask };
    },
  } as unknown as FollowupApi;
  return {
    tool: askTool("ask_followup_question", api, new FakeLog()),
    opened,
  };
}

const { token } = new CancellationTokenSource();

test("passes the input and the token on unchanged, and converts the answer to the editor's parts", async () => {
  const calls: unknown[] = [];
  const input = { question: 5, follow_up: "whatever" };
  const { tool: ask, opened } = tool(async (...args) => {
    calls.push(args);
    return { ...answered("q", "yes"), images: [{ mimeType: "image/gif", data: "AA==" }] };
  });
  const result = await ask.invoke(options({ chatSessionResource: "chat" }, input), token);
  expect(calls).toEqual([["ask_followup_question", input, { token, questionId: undefined, isNew: true }]]);
  expect(opened).toEqual([{ agent: "Chat", key: "chat", strict: false, mistakeLimit: 3 }]);
  const [text, image] = result.content;
  expect(text).toBeInstanceOf(vscode.LanguageModelTextPart);
  expect(image).toBeInstanceOf(vscode.LanguageModelDataPart);
  expect(image).toMatchObject({ data: Buffer.from([0]), mimeType: "image/gif" });
});

test.each([
  [new FollowupError("unavailable", "No sidecar."), "The question could not be asked: No sidecar."],
  [
    new FollowupError("withdrawn", "The question q was withdrawn."),
    "The question was withdrawn before it was answered.",
  ],
])("returns a failure in the result without throwing: %s", async (error, expected) => {
  const { tool: ask } = tool(() => Promise.reject(error));
  const { content } = await ask.invoke(options({}), token);
  expect(content).toEqual([new vscode.LanguageModelTextPart(expected)]);
});

test("the chat shows the question as a link to its card", async () => {
  const ids: unknown[] = [];
  const { tool: ask } = tool(async (_name, _input, { questionId } = {}) => {
    ids.push(questionId);
    return answered("q", "yes");
  });
  const input = { question: "Use [this](command:x)\n or `that`?" };
  const lines = [0, 1].map(() => ask.prepareInvocation({ input }).invocationMessage as vscode.MarkdownString);
  await ask.invoke(options({}, structuredClone(input)), token);
  await ask.invoke(options({}, structuredClone(input)), token);
  const targets = lines.map(({ value }) =>
    decodeURIComponent(/\]\((command:[^)]*)\)$/.exec(value)?.[1] ?? ""),
  );
  expect(targets).toEqual(ids.map((id) => `command:followup.notice.show?["${id}"]`));
  expect(ids[0]).not.toBe(ids[1]);
  expect(lines[0]?.value).toMatch(
    /^Asking you in Followup: \[Use \\\[this\\\]\\\(command:x\\\) or \\`that\\`\?\]\(/,
  );
  expect(lines[0]?.isTrusted).toEqual({ enabledCommands: ["followup.notice.show"] });
  await ask.invoke(options({}, { question: "Not announced?" }), token);
  expect(ids[2]).toBeUndefined();
});

test.each([
  [{ question: "A?" }, "A?"],
  ['{"question":"A?"}', "A?"],
  [{ questions: [{ question: " A\n B? " }, { question: "C?" }] }, "A B?"],
  [{ question: "x".repeat(300) }, `${"x".repeat(199)}…`],
  [
    { question: "The columns\ndo not fit:\n \n| a | b |\n|---|---|\n\nWhich fix?" },
    "The columns do not fit:…",
  ],
  [{ question: 5 }, undefined],
  [{ questions: "none" }, undefined],
  ["{", undefined],
  [null, undefined],
])("finds the question in %j: %s", (input, question) => {
  expect(questionIn(input)).toBe(question);
});
