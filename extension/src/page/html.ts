// Shows the page in a webview of the editor.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { type PageOptions, page } from "../../webview/page";
import type { Page, Pages } from "./pages";

/** What pages are made of. */
export interface PageSources {
  extensionUri: vscode.Uri;
  pages: Pick<Pages, "open">;
}

/**
 * Shows one of the page's views, of all questions or one only, until the editor closes its holder. The page can read the files of its
 * own folder and nothing else.
 */
export function showPage(
  holder: vscode.WebviewView | vscode.WebviewPanel,
  { extensionUri, pages }: PageSources,
  view: PageOptions["view"],
  closed: () => void,
  only?: string,
): Page {
  const { webview } = holder;
  const shown = pages.open(
    {
      post: (message) => void webview.postMessage(message),
      onMessage: (listener) => webview.onDidReceiveMessage(listener),
    },
    only,
  );
  holder.onDidDispose(() => {
    shown.dispose();
    closed();
  });
  if ("iconPath" in holder) {
    holder.iconPath = vscode.Uri.joinPath(extensionUri, "extension", "icons", "activity.svg");
  }
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
  return shown;
}
