// Followup: Delete All History…

import * as vscode from "vscode";
import type { Interface } from "../page/interface";
import { type HistoryDeleteResult, historyDelete, historyRestore } from "../protocol.gen";
import { messageOf } from "../sidecar/errors";
import type { Sidecar } from "../sidecar/sidecar";
import { failed, offer } from "./messages";

/** What the command needs. */
export interface DeleteSurroundings {
  sidecar: Pick<Sidecar, "request">;
  page: Pick<Interface, "history" | "deleted" | "historyChanged">;
}

/** Deletes everything when the user has confirmed it; for a short while it can be undone. */
export function deleteHistory({ sidecar, page }: DeleteSurroundings): () => Promise<void> {
  return async () => {
    if (!(await confirm(vscode.l10n.t("Delete all of Followup's history?")))) {
      return;
    }
    try {
      const result = await sidecar.request(historyDelete, { all: true, text: "", filter: {} });
      page.deleted(result);
      // On the screen the tab offers the way back.
      if (!page.history.visible || result.count === 0) {
        await offerUndo(result);
      }
    } catch (error) {
      await failed(vscode.l10n.t("The history could not be deleted: {0}", messageOf(error)));
    }
  };

  async function offerUndo({ count, undo }: HistoryDeleteResult): Promise<void> {
    const restore = async () => {
      try {
        await sidecar.request(historyRestore, { undo: undo ?? "" });
      } catch (error) {
        await offer("Warning", messageOf(error)); // most often that it was too late
      }
      page.historyChanged();
    };
    const text =
      count === 1
        ? vscode.l10n.t("1 entry of the history was deleted.")
        : vscode.l10n.t("{0} entries of the history were deleted.", count);
    await offer("Information", text, undo ? { [vscode.l10n.t("Undo")]: restore } : {});
  }
}

/** Asks whether everything that matches, so many entries, is to be deleted. */
export function confirmDelete(count: number): Promise<boolean> {
  return confirm(
    vscode.l10n.t("Delete everything that matches from Followup's history? Entries: {0}", count),
  );
}

async function confirm(question: string): Promise<boolean> {
  const yes = vscode.l10n.t("Delete");
  const detail = vscode.l10n.t(
    "It can be undone for 10 seconds. Then the texts and images are removed from this machine for good.",
  );
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}
