// The test agent's control channel: JSON-RPC over a loopback socket between the test's process and the agent's extension. The
// test listens; the extension connects to the port in FOLLOWUP_TEST_CONTROL. Everything is JSON; bytes are base64.

import { NotificationType, RequestType, RequestType0 } from "vscode-jsonrpc";
import type { Answer, SessionState, StreamCall } from "../../../src/protocol.gen";

/** The environment variable with the port. */
export const controlVariable = "FOLLOWUP_TEST_CONTROL";

/** One part of the scripted model's output. */
export type ScriptPart = { text: string } | { tool: string; input: object; callId: string };

/** The scripted model's output for one request. */
export type ScriptReply = ScriptPart[];

/** A part of a message or of a tool's result, as the model received it. */
export type Part =
  | { kind: "text"; value: string }
  | { kind: "data"; mimeType: string; data: string }
  | { kind: "toolCall"; callId: string; name: string; input: unknown }
  | { kind: "toolResult"; callId: string; content: Part[] }
  | { kind: "other"; constructorName: string };

/** One request to the model, with everything that the model sees. */
export interface ModelRequest {
  messages: { role: "user" | "assistant" | "other"; parts: Part[] }[];
  tools: { name: string; description: string; inputSchema?: unknown }[];
}

/** The test names calls and streams by handles. */
export interface OpenParams {
  session: string;
  options: { agent: string; key: string };
}

/** A complete call; the result is the answer. */
export interface AskParams {
  session: string;
  tool: string;
  input: unknown;
}

/** A piece of a stream: text, or bytes in base64 that may end inside a character. */
export interface AppendParams {
  stream: string;
  text?: string;
  bytes?: string;
}

/** Requests from the test to the extension. */
export const methods = {
  setScript: new RequestType<ScriptReply[], null, void>("model/setScript"),
  open: new RequestType<OpenParams, string, void>("api/open"),
  ask: new RequestType<AskParams, Answer, void>("api/ask"),
  stream: new RequestType<{ session: string; stream: string }, null, void>("api/stream"),
  append: new RequestType<AppendParams[], null, void>("api/append"),
  end: new RequestType<string, StreamCall[], void>("api/end"),
  answer: new RequestType<{ stream: string; index: number }, Answer, void>("api/answer"),
  get: new RequestType<string, SessionState, void>("api/get"),
  close: new RequestType<string, null, void>("api/close"),
  extensionPath: new RequestType0<string, void>("api/extensionPath"),
  set: new RequestType<{ name: string; value: unknown }, null, void>("editor/set"),
  tools: new RequestType0<string[], void>("editor/tools"),
  documentText: new RequestType<string, string, void>("editor/documentText"),
};

/** From the extension to the test: the model got a request and is responding. */
export const modelAsked = new NotificationType<ModelRequest>("model/asked");
