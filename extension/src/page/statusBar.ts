// Shows in the status bar that questions wait while the view is out of sight: its badge is not drawn before it was opened once.
// Otherwise the item leads to the history.

import * as vscode from "vscode";
import type { CommandId } from "../commands/commands";
import { waitingText } from "./view";

/** The status bar item. */
export class StatusBar {
  private readonly item: vscode.StatusBarItem;

  constructor() {
    this.item = vscode.window.createStatusBarItem("followup.waiting", vscode.StatusBarAlignment.Right, 100);
    this.item.name = vscode.l10n.t("Followup Questions");
    this.update(0, false);
    this.item.show();
  }

  /** Brings the item up to date. */
  update(waiting: number, viewVisible: boolean): void {
    const { item } = this;
    const calls = waiting > 0 && !viewVisible;
    const label = calls ? waitingText(waiting) : vscode.l10n.t("Followup History");
    item.text = calls ? `$(bell-dot) ${waiting}` : "$(history)";
    item.command = (calls ? "followup.focus" : "followup.showHistory") satisfies CommandId;
    item.tooltip = label;
    item.accessibilityInformation = { label };
  }

  dispose(): void {
    this.item.dispose();
  }
}
