// Followup: Export History…

import { homedir } from "node:os";
import * as vscode from "vscode";
import type { HistoryTarget } from "../../webview/boundary";
import type { Interface } from "../page/interface";
import { type HistoryFormat, historyExport, historyText } from "../protocol.gen";
import { messageOf } from "../sidecar/errors";
import type { Sidecar } from "../sidecar/sidecar";
import { choose, during, failed, isCancelled, offer } from "./messages";

/** What the command needs. */
export interface ExportSurroundings {
  sidecar: Pick<Sidecar, "request">;
  page: Pick<Interface, "shownHistory">;
}

const extensions: Readonly<Record<HistoryFormat, string>> = { markdown: "md", json: "json" };

/** Writes entries to a file that the user chooses: those named, else all or those that the view shows. */
export function exportHistory({ sidecar, page }: ExportSurroundings) {
  return async (named?: HistoryTarget): Promise<void> => {
    const title = vscode.l10n.t("Export History");
    const target = isTarget(named) ? named : await chooseTarget(title, page.shownHistory());
    const format = target && (await chooseFormat(title));
    const uri = format && (await chooseFile(title, format));
    if (!(target && format && uri)) {
      return;
    }
    try {
      const count = await during(vscode.l10n.t("Exporting history"), (_progress, token) =>
        write(sidecar, target, format, uri, token),
      );
      const text =
        count === 1
          ? vscode.l10n.t("1 entry was exported to {0}.", uri.fsPath)
          : vscode.l10n.t("{0} entries were exported to {1}.", count, uri.fsPath);
      const open = () => vscode.commands.executeCommand("vscode.open", uri);
      await offer("Information", text, { [vscode.l10n.t("Open")]: open });
    } catch (error) {
      if (!isCancelled(error)) {
        await failed(vscode.l10n.t("The history could not be exported: {0}", messageOf(error)));
      }
    }
  };
}

/** The editor gives a command of a view's title a context of its own. */
function isTarget(value: unknown): value is HistoryTarget {
  return typeof value === "object" && value !== null && ("questionIds" in value || "filter" in value);
}

async function chooseTarget(
  title: string,
  shown: Extract<HistoryTarget, { text: string }>,
): Promise<HistoryTarget | undefined> {
  const everything = { text: "", filter: {} };
  if (shown.text.trim() === "" && Object.keys(shown.filter).length === 0) {
    return everything;
  }
  const choices = [
    { label: vscode.l10n.t("What the History tab shows"), value: shown },
    { label: vscode.l10n.t("All of the history"), value: everything },
  ];
  return choose(choices, { title, placeHolder: vscode.l10n.t("What is to be exported?") });
}

function chooseFormat(title: string): Promise<HistoryFormat | undefined> {
  const json = vscode.l10n.t("everything, with images, for other programs");
  return choose<HistoryFormat>(
    [
      { label: "Markdown", description: vscode.l10n.t("to be read"), value: "markdown" },
      { label: "JSON", description: json, value: "json" },
    ],
    { title, placeHolder: vscode.l10n.t("In which form?") },
  );
}

function chooseFile(title: string, format: HistoryFormat): Thenable<vscode.Uri | undefined> {
  const extension = extensions[format];
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const day = new Date().toISOString().slice(0, 10);
  return vscode.window.showSaveDialog({
    title,
    saveLabel: vscode.l10n.t("Export"),
    defaultUri: vscode.Uri.joinPath(folder, `followup-history-${day}.${extension}`),
    filters: { [format === "json" ? "JSON" : "Markdown"]: [extension] },
  });
}

/** The sidecar writes a file by itself; into a workspace that is not a folder on this machine the editor does. */
async function write(
  sidecar: Pick<Sidecar, "request">,
  target: HistoryTarget,
  format: HistoryFormat,
  uri: vscode.Uri,
  token: vscode.CancellationToken,
): Promise<number> {
  if (uri.scheme === "file") {
    return (await sidecar.request(historyExport, { ...target, format, path: uri.fsPath }, token)).count;
  }
  const { count, text } = await sidecar.request(historyText, { ...target, format }, token);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return count;
}
