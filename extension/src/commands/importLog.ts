// Followup: Import Questions from a Log…

import * as vscode from "vscode";
import type { HistoryImportProgress, HistoryImportResult } from "../protocol.gen";
import { messageOf } from "../sidecar/errors";
import type { Log } from "../sidecar/log";
import type { CommandId } from "./commands";
import type { History } from "./history";
import { failed, isCancelled, openLog, sizeWords } from "./messages";

/** What the command asks of the history. */
type Importing = Pick<History, "import" | "findLogs" | "countNew">;

/** Reads what was asked and answered from logs of other tools that the user chooses. */
export function importLog(history: Importing, log: Log): () => Promise<void> {
  let importing = false;
  return async () => {
    if (importing) {
      await vscode.window.showInformationMessage(vscode.l10n.t("An import is under way already."));
      return;
    }
    importing = true;
    try {
      const paths = await choosePaths(history);
      if (paths) {
        await run(history, log, paths);
      }
    } finally {
      importing = false;
    }
  };
}

interface PlaceItem extends vscode.QuickPickItem {
  paths?: string[];
}

/** Offers what is on the machine, by tool; how many questions of it are new is told as it becomes known. */
async function choosePaths(history: Importing): Promise<string[] | undefined> {
  const files: PlaceItem = { label: vscode.l10n.t("Choose files…"), iconPath: new vscode.ThemeIcon("file") };
  const folders: PlaceItem = {
    label: vscode.l10n.t("Choose folders…"),
    iconPath: new vscode.ThemeIcon("folder"),
  };
  const pick = vscode.window.createQuickPick<PlaceItem>();
  const counting = new vscode.CancellationTokenSource();
  let places: PlaceItem[] | undefined;
  // What the user went to stays active. Before it is known what comes first, Enter chooses nothing.
  const show = () => {
    const [active] = pick.activeItems;
    pick.items = [...(places ?? []), files, folders];
    const again = pick.items.find(({ label }) => label === active?.label) ?? (places && pick.items[0]);
    pick.activeItems = again ? [again] : [];
  };
  pick.title = vscode.l10n.t("Import Questions from a Log");
  pick.placeholder = vscode.l10n.t("Logs of other agents on this machine, or files and folders of yours");
  pick.matchOnDescription = true;
  pick.keepScrollPosition = true;
  pick.busy = true;
  show();
  try {
    const chosen = new Promise<PlaceItem | undefined>((resolve) => {
      pick.onDidAccept(() => {
        if (pick.activeItems[0]) {
          resolve(pick.activeItems[0]);
        }
      });
      pick.onDidHide(() => resolve(undefined));
    });
    pick.show();
    const count = async () => {
      places = (await history.findLogs()).map(({ tool, paths }) => ({
        label: vscode.l10n.t("All of {0}", tool),
        description: vscode.l10n.t("counting…"),
        detail: paths.length > 3 ? `${paths.slice(0, 3).join(", ")}, …` : paths.join(", "),
        iconPath: new vscode.ThemeIcon("history"),
        paths,
      }));
      show();
      for (const place of places) {
        const added = await history.countNew(place.paths ?? [], counting.token).catch(() => undefined);
        if (counting.token.isCancellationRequested) {
          return;
        }
        place.description =
          added === undefined
            ? ""
            : added === 1
              ? vscode.l10n.t("1 new question")
              : vscode.l10n.t("{0} new questions", added);
        show();
      }
    };
    // What cannot be found is still chosen by hand.
    void count()
      .catch(() => {
        places ??= [];
        show();
      })
      .finally(() => {
        pick.busy = false;
      });
    const choice = await chosen;
    if (choice?.paths) {
      return choice.paths;
    }
    return choice && (await chooseOnDisk(choice === folders));
  } finally {
    counting.cancel();
    counting.dispose();
    pick.dispose();
  }
}

/** Not every system's dialog can choose both. */
async function chooseOnDisk(folders: boolean): Promise<string[] | undefined> {
  const uris = await vscode.window.showOpenDialog({
    title: vscode.l10n.t("Import Questions from a Log"),
    openLabel: vscode.l10n.t("Import"),
    canSelectFiles: !folders,
    canSelectFolders: folders,
    canSelectMany: true,
    ...(!folders && {
      filters: { [vscode.l10n.t("Logs")]: ["jsonl", "json", "log"], [vscode.l10n.t("All files")]: ["*"] },
    }),
  });
  return uris?.map(({ fsPath }) => fsPath);
}

async function run(history: Importing, log: Log, paths: string[]): Promise<void> {
  try {
    const result = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t("Importing questions"),
        cancellable: true,
      },
      (progress, token) => history.import(paths, meter(progress), token),
    );
    await tell(log, result);
  } catch (error) {
    if (isCancelled(error)) {
      await vscode.window.showInformationMessage(
        vscode.l10n.t("The import was cancelled. What had been read until then is in the history."),
      );
    } else {
      await failed(vscode.l10n.t("The log could not be imported: {0}", messageOf(error)));
    }
  }
}

/** Shows how far an import has come. */
function meter(progress: vscode.Progress<{ message?: string; increment?: number }>) {
  let shown = 0;
  return ({ read, total = 0, found }: HistoryImportProgress): void => {
    const percent = total > 0 ? Math.min(100, (read / total) * 100) : 0;
    const size = (bytes: number) => sizeWords(bytes, vscode.env.language);
    progress.report({
      message:
        total > 0
          ? vscode.l10n.t("{0} of {1} read, questions found: {2}", size(read), size(total), found)
          : vscode.l10n.t("{0} read, questions found: {1}", size(read), found),
      increment: Math.max(0, percent - shown),
    });
    shown = Math.max(shown, percent);
  };
}

async function tell(log: Log, result: HistoryImportResult): Promise<void> {
  const { damaged, damagedCount, skipped, skippedCount, files, summary = "" } = result;
  const troubles = [...skipped, ...damaged];
  const count = skippedCount + damagedCount;
  const details = vscode.l10n.t("Show Details");
  const show = vscode.l10n.t("Show History");
  if (files === 0) {
    await vscode.window.showWarningMessage(vscode.l10n.t("No log was found there that could be read."));
    return;
  }
  if (count === 0) {
    const choice = await vscode.window.showInformationMessage(summary, show);
    return choice === show ? showHistory() : undefined;
  }
  for (const { file, line, reason } of troubles) {
    log.warn(line > 0 ? `${file}:${line}: ${reason}` : `${file}: ${reason}`);
  }
  if (count > troubles.length) {
    log.warn(`… and ${count - troubles.length} more that could not be read`);
  }
  const choice = await vscode.window.showWarningMessage(summary, details, show);
  if (choice === details) {
    await openLog();
  } else if (choice === show) {
    await showHistory();
  }
}

async function showHistory(): Promise<void> {
  await vscode.commands.executeCommand("followup.showHistory" satisfies CommandId);
}
