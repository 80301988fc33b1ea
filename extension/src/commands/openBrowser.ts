// Followup: Open in the Browser.

import * as vscode from "vscode";
import { messageOf, ProblemError } from "../sidecar/errors";
import { words } from "../sidecar/problems";
import type { WebServer } from "../sidecar/web";
import { failed } from "./messages";

/** Opens the interface in the user's browser. */
export function openBrowser(web: Pick<WebServer, "start">, openLog: () => void): () => Promise<void> {
  return async () => {
    try {
      await vscode.env.openExternal(vscode.Uri.parse(await web.start()));
    } catch (error) {
      const reason = error instanceof ProblemError ? words(error.problem) : messageOf(error);
      await failed(vscode.l10n.t("The browser could not be served: {0}", reason), openLog);
    }
  };
}
