// Followup: Export History…

import { homedir } from "node:os";
import * as vscode from "vscode";
import type { HistoryTarget } from "../../webview/boundary";
import type { HistoryFormat } from "../protocol.gen";
import { messageOf } from "../sidecar/errors";
import type { History } from "./history";
import { failed, isCancelled } from "./messages";

/** What the command needs. */
export interface ExportSurroundings {
  history: Pick<History, "export">;
  /** What the view shows: a text and a filter, which may narrow nothing. */
  query(): Extract<HistoryTarget, { text: string }>;
}

type Everything = Extract<HistoryTarget, { text: string }>;

const everything: Everything = { text: "", filter: {} };

const extensions: Readonly<Record<HistoryFormat, string>> = { markdown: "md", json: "json" };

/** Writes entries to a file that the user chooses: those named, else all or those that the view shows. */
export function exportHistory(surroundings: ExportSurroundings): (target?: HistoryTarget) => Promise<void> {
  return async (named) => {
    const target = isTarget(named) ? named : await chooseScope(surroundings.query());
    const format = target && (await chooseFormat());
    const uri = format && (await chooseFile(format));
    if (target && format && uri) {
      await run(surroundings.history, target, format, uri);
    }
  };
}

/** The editor gives a command of a view's title a context of its own. */
function isTarget(value: unknown): value is HistoryTarget {
  return typeof value === "object" && value !== null && ("questionIds" in value || "filter" in value);
}

async function chooseScope(shown: Everything): Promise<Everything | undefined> {
  if (shown.text.trim() === "" && Object.keys(shown.filter).length === 0) {
    return everything;
  }
  const choice = await vscode.window.showQuickPick(
    [
      { label: vscode.l10n.t("What the History tab shows"), target: shown },
      { label: vscode.l10n.t("All of the history"), target: everything },
    ],
    { title: vscode.l10n.t("Export History"), placeHolder: vscode.l10n.t("What is to be exported?") },
  );
  return choice?.target;
}

async function chooseFormat(): Promise<HistoryFormat | undefined> {
  const choices: (vscode.QuickPickItem & { format: HistoryFormat })[] = [
    { label: "Markdown", description: vscode.l10n.t("to be read"), format: "markdown" },
    {
      label: "JSON",
      description: vscode.l10n.t("everything, with images, for other programs"),
      format: "json",
    },
  ];
  const choice = await vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t("Export History"),
    placeHolder: vscode.l10n.t("In which form?"),
  });
  return choice?.format;
}

function chooseFile(format: HistoryFormat): Thenable<vscode.Uri | undefined> {
  const extension = extensions[format];
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const day = new Date().toISOString().slice(0, 10);
  return vscode.window.showSaveDialog({
    title: vscode.l10n.t("Export History"),
    saveLabel: vscode.l10n.t("Export"),
    defaultUri: vscode.Uri.joinPath(folder, `followup-history-${day}.${extension}`),
    filters: { [format === "json" ? "JSON" : "Markdown"]: [extension] },
  });
}

async function run(
  history: Pick<History, "export">,
  target: HistoryTarget,
  format: HistoryFormat,
  uri: vscode.Uri,
): Promise<void> {
  try {
    const count = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t("Exporting history"),
        cancellable: true,
      },
      (_progress, token) => write(history, target, format, uri, token),
    );
    const open = vscode.l10n.t("Open");
    const text =
      count === 1
        ? vscode.l10n.t("1 entry was exported to {0}.", uri.fsPath)
        : vscode.l10n.t("{0} entries were exported to {1}.", count, uri.fsPath);
    if ((await vscode.window.showInformationMessage(text, open)) === open) {
      await vscode.commands.executeCommand("vscode.open", uri);
    }
  } catch (error) {
    if (!isCancelled(error)) {
      await failed(vscode.l10n.t("The history could not be exported: {0}", messageOf(error)));
    }
  }
}

/** The sidecar writes a file by itself; into a workspace that is no folder on this machine the editor does. */
async function write(
  history: Pick<History, "export">,
  target: HistoryTarget,
  format: HistoryFormat,
  uri: vscode.Uri,
  token: vscode.CancellationToken,
): Promise<number> {
  if (uri.scheme === "file") {
    return (await history.export(target, format, uri.fsPath, token)).count;
  }
  const { count, text = "" } = await history.export(target, format, undefined, token);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return count;
}
