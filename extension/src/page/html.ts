// Fills a webview with the page.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { type PageOptions, page } from "../../webview/page";

/** Puts the page into a webview, with one of its views. It can read the files of its own folder and nothing else. */
export function fillPage(webview: vscode.Webview, extensionUri: vscode.Uri, view: PageOptions["view"]): void {
  const dist = vscode.Uri.joinPath(extensionUri, "extension", "dist");
  const uri = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  webview.html = page({
    view,
    scriptUri: uri("webview.js"),
    styleUri: uri(`${view}.css`),
    cspSource: webview.cspSource,
    nonce: randomBytes(16).toString("hex"),
    locale: vscode.env.language,
  });
}
