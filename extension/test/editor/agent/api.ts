// Serves the test's requests to Followup's exported API. The test chooses the names of sessions and streams.

import * as vscode from "vscode";
import type { MessageConnection } from "vscode-jsonrpc/node";
import type { FollowupApi, FollowupSession, FollowupStream } from "../../../src/agents/api";
import { methods } from "./control";

interface OpenStream {
  stream: FollowupStream;
  calls: Awaited<ReturnType<FollowupStream["end"]>>["calls"];
}

/** Registers a handler for each of the api/ methods. */
export function serveApi(connection: MessageConnection): void {
  const sessions = new Map<string, FollowupSession>();
  const streams = new Map<string, OpenStream>();

  connection.onRequest(methods.extensionPath, () => extension().extensionPath);
  connection.onRequest(methods.open, async ({ session, options }) => {
    const opened = await (await followup()).openSession(options);
    sessions.set(session, opened);
    return opened.id;
  });
  connection.onRequest(methods.ask, async ({ session, tool, input }) => {
    return await named(sessions, session).ask(tool, input);
  });
  connection.onRequest(methods.stream, ({ session, stream }) => {
    streams.set(stream, { stream: named(sessions, session).stream(), calls: [] });
    return null;
  });
  connection.onRequest(methods.append, (pieces) => {
    for (const { stream, text, bytes } of pieces) {
      named(streams, stream).stream.append(text ?? new Uint8Array(Buffer.from(bytes ?? "", "base64")));
    }
    return null;
  });
  connection.onRequest(methods.end, async (name) => {
    const open = named(streams, name);
    const { calls } = await open.stream.end();
    open.calls = calls;
    return calls.map(({ answer: _, ...call }) => call);
  });
  connection.onRequest(methods.answer, async ({ stream, index }) => {
    const call = named(streams, stream).calls[index];
    if (!call) throw new Error(`stream ${stream} has no call ${index}`);
    return await call.answer;
  });
  connection.onRequest(methods.get, async (name) => await named(sessions, name).get());
  connection.onRequest(methods.close, async (name) => {
    await named(sessions, name).close();
    return null;
  });
}

async function followup(): Promise<FollowupApi> {
  return await extension().activate();
}

function extension(): vscode.Extension<FollowupApi> {
  const found = vscode.extensions.getExtension<FollowupApi>("followup.followup");
  if (!found) throw new Error("the extension followup.followup is not installed");
  return found;
}

function named<T>(map: Map<string, T>, name: string): T {
  const found = map.get(name);
  if (!found) throw new Error(`the test has opened nothing by the name ${name}`);
  return found;
}
