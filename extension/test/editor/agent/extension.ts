// The test agent's entry point: registers the scripted model, connects to the test, and serves its requests.

import { connect } from "node:net";
import * as vscode from "vscode";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { serveApi } from "./api";
import { controlVariable, methods, modelAsked } from "./control";
import { ScriptedModel } from "./model";

/** Called by the editor. Without a test, the extension does nothing. */
export function activate(context: vscode.ExtensionContext): void {
  const port = Number(process.env[controlVariable]);
  if (!port) return;
  const socket = connect(port, "127.0.0.1");
  const connection = createMessageConnection(
    new StreamMessageReader(socket),
    new StreamMessageWriter(socket),
  );
  const model = new ScriptedModel((request) => void connection.sendNotification(modelAsked, request));
  connection.onRequest(methods.setScript, (replies) => model.setScript(replies));
  connection.onRequest(methods.documentText, (name) => {
    const found = vscode.workspace.textDocuments.find((document) => document.fileName.endsWith(name));
    if (!found) throw new Error(`no open document ${name}`);
    return found.getText();
  });
  connection.onRequest(methods.tools, () => vscode.lm.tools.map(({ name }) => name));
  connection.onRequest(methods.set, async ({ name, value }) => {
    await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
    return null;
  });
  serveApi(connection);
  connection.listen();
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider("followup-test", model),
    connection,
    { dispose: () => socket.destroy() },
  );
}
