// Followup: Open in the Browser.

import * as vscode from "vscode";
import { reasonOf } from "../sidecar/problems";
import type { WebServer } from "../sidecar/web";
import { failed } from "./messages";

/** Opens the interface in the user's browser. */
export function openBrowser(web: Pick<WebServer, "start">): () => Promise<void> {
  return async () => {
    try {
      await vscode.env.openExternal(vscode.Uri.parse(await web.start()));
    } catch (error) {
      await failed(vscode.l10n.t("The browser could not be served: {0}", reasonOf(error)));
    }
  };
}
