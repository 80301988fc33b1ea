// What the commands tell the user.

import * as vscode from "vscode";
import { ResponseError } from "vscode-jsonrpc";
import { CodeCancelled } from "../protocol.gen";
import { messageOf } from "../sidecar/errors";
import type { CommandId } from "./commands";

/** Whether the user has cancelled what was rejected with the error. */
export function isCancelled(error: unknown): boolean {
  return error instanceof ResponseError && error.code === CodeCancelled;
}

/** Tells that something failed, with a way to the log. */
export async function failed(text: string): Promise<void> {
  const show = vscode.l10n.t("Open Log");
  if ((await vscode.window.showErrorMessage(text, show)) === show) {
    await openLog();
  }
}

/** Opens the log, as the command does. */
export function openLog(): Thenable<unknown> {
  return vscode.commands.executeCommand("followup.showLog" satisfies CommandId);
}

/** What went wrong in the view, in words. */
export function historyWords(error: unknown): string {
  return messageOf(error) || vscode.l10n.t("The sidecar could not be asked.");
}

/** What was deleted, in words. */
export function deletedWords(count: number): string {
  return count === 1
    ? vscode.l10n.t("1 entry of the history was deleted.")
    : vscode.l10n.t("{0} entries of the history were deleted.", count);
}

/** A number of bytes in words. */
export function sizeWords(bytes: number, locale: string): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: units[power],
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power > 1 ? 1 : 0,
  }).format(bytes / 1000 ** power);
}
