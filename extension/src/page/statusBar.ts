// Shows in the status bar that questions wait while the view is out of sight: its badge is not drawn before it was opened once.

import * as vscode from "vscode";
import type { CommandId } from "../commands/commands";
import { waitingText } from "../view";

/** The status bar item; a click leads to the questions. */
export class StatusBar {
  private readonly item: vscode.StatusBarItem;

  constructor() {
    this.item = vscode.window.createStatusBarItem("followup.waiting", vscode.StatusBarAlignment.Right, 100);
    this.item.name = vscode.l10n.t("Followup Questions");
    this.item.command = "followup.focus" satisfies CommandId;
  }

  /** Brings the item up to date. */
  update(waiting: number, viewVisible: boolean): void {
    if (waiting === 0 || viewVisible) {
      this.item.hide();
      return;
    }
    this.item.text = `$(comment-discussion) ${waiting}`;
    this.item.tooltip = waitingText(waiting);
    this.item.accessibilityInformation = { label: waitingText(waiting) };
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }
}
