// What the sidecar is told of the editor in the handshake.

import * as vscode from "vscode";
import { workspaceFolders } from "../settings";
import type { Greeting } from "./connection";

/** Describes this window. */
export function greeting(context: vscode.ExtensionContext): Greeting {
  return {
    processId: process.pid,
    clientInfo: { name: vscode.env.appName, version: vscode.version },
    initializationOptions: {
      locale: vscode.env.language,
      editorFolder: context.globalStorageUri.fsPath,
      workspaceFolders: workspaceFolders(),
    },
  };
}
