// Reads the extension's settings.

import * as vscode from "vscode";
import type { HistoryConfigureParams, Trace } from "./protocol.gen";

/** The name in front of every setting and command of the extension. */
export const section = "followup";

/** The path of the sidecar's binary; empty when the bundled one is to be used. */
export function sidecarPath(): string {
  return vscode.workspace.getConfiguration(section).get<string>("sidecar.path", "");
}

/** How much of the traffic with the sidecar is logged. */
export function trace(): Trace {
  const value = vscode.workspace.getConfiguration(section).get<string>("trace", "off");
  return value === "messages" || value === "verbose" ? value : "off";
}

/** How calls of the language-model tool are read. */
export function reading(): { strict: boolean; mistakeLimit: number } {
  const settings = vscode.workspace.getConfiguration(section);
  return { strict: settings.get("strict", false), mistakeLimit: settings.get("mistakeLimit", 3) };
}

/** Whether the view appears when a question arrives. */
export function revealsOnQuestion(): boolean {
  return vscode.workspace.getConfiguration(section).get<string>("reveal", "onQuestion") !== "never";
}

/** What of closed questions is kept. */
export function historyKept(): HistoryConfigureParams {
  const settings = vscode.workspace.getConfiguration(section);
  return {
    keep: settings.get("history.keep", true),
    retentionDays: Math.max(0, Math.floor(settings.get("history.retentionDays", 0))),
  };
}
