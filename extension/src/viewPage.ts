// Fills a view with the page of one of the interfaces.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { page } from "../webview/page";

/** The interfaces' elements, by the name of their script and stylesheet. */
const elements = { webview: "followup-app", history: "followup-history" } as const;

/** Puts an interface into a view. It can read the files of its own folder and nothing else. */
export function fillPage(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  name: keyof typeof elements,
): void {
  const dist = vscode.Uri.joinPath(extensionUri, "extension", "dist");
  const uri = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  webview.html = page({
    element: elements[name],
    scriptUri: uri(`${name}.js`),
    styleUri: uri(`${name}.css`),
    codiconUri: uri("codicon.css"),
    cspSource: webview.cspSource,
    nonce: randomBytes(16).toString("hex"),
    locale: vscode.env.language,
  });
}
