// Followup: Open in the Browser.

import * as vscode from "vscode";
import { messageOf } from "../sidecar/errors";
import type { WebServer } from "../sidecar/web";

/** Opens the interface in the user's browser. */
export function openBrowser(web: Pick<WebServer, "start">, openLog: () => void): () => Promise<void> {
  return async () => {
    try {
      await vscode.env.openExternal(vscode.Uri.parse(await web.start()));
    } catch (error) {
      const log = vscode.l10n.t("Open Log");
      const text = vscode.l10n.t("The browser could not be served: {0}", messageOf(error));
      if ((await vscode.window.showErrorMessage(text, log)) === log) {
        openLog();
      }
    }
  };
}
