// Followup: Delete All History…

import * as vscode from "vscode";
import type { HistoryTarget } from "../../webview/boundary";
import type { HistoryDeleteResult } from "../protocol.gen";
import { messageOf } from "../sidecar/errors";
import type { History } from "./history";
import { deletedWords, failed, historyWords } from "./messages";

/** What the command needs. */
export interface DeleteSurroundings {
  history: Pick<History, "delete" | "restore" | "changed">;
  /** The tab, if it is on the screen: there the deletion can be undone. */
  view: { readonly visible: boolean };
  tell(result: HistoryDeleteResult): void;
}

const everything: HistoryTarget = { text: "", filter: {} };

/** Deletes everything when the user has confirmed it; for a short while it can be undone. */
export function deleteHistory(surroundings: DeleteSurroundings): () => Promise<void> {
  const { history, view, tell } = surroundings;
  return async () => {
    if (!(await confirm(vscode.l10n.t("Delete all of Followup's history?")))) {
      return;
    }
    try {
      const result = await history.delete(everything);
      tell(result);
      if (!view.visible || result.count === 0) {
        await offerUndo(history, result);
      }
    } catch (error) {
      await failed(vscode.l10n.t("The history could not be deleted: {0}", messageOf(error)));
    }
  };
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

async function offerUndo(
  history: DeleteSurroundings["history"],
  { count, undo }: HistoryDeleteResult,
): Promise<void> {
  const back = vscode.l10n.t("Undo");
  const choice = await vscode.window.showInformationMessage(deletedWords(count), ...(undo ? [back] : []));
  if (choice !== back || undo === undefined) {
    return;
  }
  try {
    await history.restore(undo);
  } catch (error) {
    // The sidecar's words: most often that it was too late.
    await vscode.window.showWarningMessage(historyWords(error));
  }
  history.changed();
}
