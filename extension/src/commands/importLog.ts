// Followup: Import Questions from a Log…

import * as vscode from "vscode";
import { uuidv7 } from "../agents/uuid";
import type { Interface } from "../page/interface";
import {
  type HistoryImportProgress,
  type HistoryImportResult,
  historyCountLogs,
  historyDidImport,
  historyFindLogs,
  historyImport,
} from "../protocol.gen";
import { messageOf } from "../sidecar/errors";
import type { Log } from "../sidecar/log";
import type { Sidecar } from "../sidecar/sidecar";
import { during, execute, failed, isCancelled, offer } from "./messages";

/** What the command needs. */
export interface ImportSurroundings {
  sidecar: Pick<Sidecar, "addParticipant" | "request">;
  page: Pick<Interface, "historyChanged">;
  log: Log;
}

/** Reads what was asked and answered from logs of other tools that the user chooses. */
export function importLog({ sidecar, page, log }: ImportSurroundings): () => Promise<void> {
  let importing = false;
  let told = (_progress: HistoryImportProgress): void => {};
  sidecar.addParticipant(async (connection) => connection.on(historyDidImport, (progress) => told(progress)));

  async function run(): Promise<() => unknown> {
    const paths = await choosePaths(sidecar);
    if (!paths) {
      return () => {};
    }
    const id = uuidv7();
    try {
      const title = vscode.l10n.t("Importing questions");
      const result = await during(title, (progress, token) => {
        const show = meter(progress);
        told = (read) => read.token === id && show(read);
        return sidecar.request(historyImport, { paths, token: id }, token);
      });
      return () => tell(log, result);
    } catch (error) {
      return () =>
        isCancelled(error)
          ? offer("Information", cancelled())
          : failed(vscode.l10n.t("The log could not be imported: {0}", messageOf(error)));
    } finally {
      page.historyChanged();
    }
  }

  return async () => {
    if (importing) {
      return offer("Information", vscode.l10n.t("An import is under way already."));
    }
    importing = true;
    const say = await run().finally(() => {
      importing = false;
    });
    await say();
  };
}

function cancelled(): string {
  return vscode.l10n.t("The import was cancelled. What had been read until then is in the history.");
}

interface PlaceItem extends vscode.QuickPickItem {
  choose(): Promise<string[] | undefined>;
}

/** Offers what is on the machine, by tool; how many questions of it are new is shown as it becomes known. */
async function choosePaths(sidecar: Pick<Sidecar, "request">): Promise<string[] | undefined> {
  const onDisk: PlaceItem[] = [
    {
      label: vscode.l10n.t("Choose files…"),
      iconPath: new vscode.ThemeIcon("file"),
      choose: () => chooseOnDisk(false),
    },
    {
      label: vscode.l10n.t("Choose folders…"),
      iconPath: new vscode.ThemeIcon("folder"),
      choose: () => chooseOnDisk(true),
    },
  ];
  const pick = vscode.window.createQuickPick<PlaceItem>();
  const counting = new vscode.CancellationTokenSource();
  // What the user went to stays active. Before it is known what comes first, Enter chooses nothing.
  const show = (places?: PlaceItem[]) => {
    const [active] = pick.activeItems;
    pick.items = [...(places ?? []), ...onDisk];
    const again = pick.items.find(({ label }) => label === active?.label) ?? (places && pick.items[0]);
    pick.activeItems = again ? [again] : [];
  };
  const count = async () => {
    const found = await sidecar.request(historyFindLogs, {}).catch(() => ({ places: [] }));
    const places = found.places.map(({ tool, paths }) => ({
      label: vscode.l10n.t("All of {0}", tool),
      description: vscode.l10n.t("counting…"),
      detail: paths.length > 3 ? `${paths.slice(0, 3).join(", ")}, …` : paths.join(", "),
      iconPath: new vscode.ThemeIcon("history"),
      choose: async () => paths,
    }));
    show(places);
    for (const [index, { paths }] of found.places.entries()) {
      const counted = await sidecar
        .request(historyCountLogs, { paths }, counting.token)
        .catch(() => ({ added: undefined }));
      if (counting.token.isCancellationRequested) {
        return;
      }
      Object.assign(places[index] ?? {}, { description: newWords(counted.added) });
      show(places);
    }
    pick.busy = false;
  };
  pick.title = vscode.l10n.t("Import Questions from a Log");
  pick.placeholder = vscode.l10n.t("Logs of other agents on this machine, or files and folders of yours");
  pick.matchOnDescription = true;
  pick.keepScrollPosition = true;
  pick.busy = true;
  show();
  try {
    const chosen = new Promise<PlaceItem | undefined>((resolve) => {
      pick.onDidAccept(() => pick.activeItems[0] && resolve(pick.activeItems[0]));
      pick.onDidHide(() => resolve(undefined));
    });
    pick.show();
    void count();
    return await (await chosen)?.choose();
  } finally {
    counting.cancel();
    counting.dispose();
    pick.dispose();
  }
}

function newWords(added: number | undefined): string {
  if (added === undefined) {
    return "";
  }
  return added === 1 ? vscode.l10n.t("1 new question") : vscode.l10n.t("{0} new questions", added);
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

function meter(progress: vscode.Progress<{ message?: string; increment?: number }>) {
  const options = { style: "unit", unit: "megabyte", maximumFractionDigits: 1 } as const;
  const megabytes = new Intl.NumberFormat(vscode.env.language, options);
  const size = (bytes: number) => megabytes.format(bytes / 1e6);
  let shown = 0;
  return ({ read, total = 0, found }: HistoryImportProgress): void => {
    const percent = total > 0 ? Math.min(100, (read / total) * 100) : 0;
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
  if (files === 0) {
    return offer("Warning", vscode.l10n.t("No log was found there that could be read."));
  }
  const history = { [vscode.l10n.t("Show History")]: () => execute("followup.showHistory") };
  const troubles = [...skipped, ...damaged];
  const count = skippedCount + damagedCount;
  if (count === 0) {
    return offer("Information", summary, history);
  }
  for (const { file, line, reason } of troubles) {
    log.warn(line > 0 ? `${file}:${line}: ${reason}` : `${file}: ${reason}`);
  }
  if (count > troubles.length) {
    log.warn(`… and ${count - troubles.length} more that could not be read`);
  }
  const details = { [vscode.l10n.t("Show Details")]: () => execute("followup.showLog") };
  await offer("Warning", summary, { ...details, ...history });
}
