// Says in words what is wrong with the sidecar and what to do, and offers it as buttons.

import * as vscode from "vscode";
import type { Disposable } from "vscode-jsonrpc";
import { execute, offer } from "../commands/messages";
import { type MissingReason, messageOf, type Problem, ProblemError } from "./errors";
import { binaryVariable } from "./locate";
import type { Sidecar, SidecarState } from "./sidecar";

/** A problem in words. */
export function words(problem: Problem): string {
  switch (problem.kind) {
    case "missing":
      return missingWords(problem);
    case "unpack":
      return vscode.l10n.t(
        "The Followup sidecar could not be unpacked into {0}: {1}",
        problem.path,
        problem.detail,
      );
    case "version":
      return vscode.l10n.t(
        "Followup speaks protocol version {0}, but the sidecar {1} speaks version {2}. Install matching versions, or change the setting followup.sidecar.path.",
        problem.ours,
        problem.path,
        problem.theirs ?? vscode.l10n.t("unknown"),
      );
    case "start":
      return vscode.l10n.t(
        "The Followup sidecar {0} could not be started: {1}",
        problem.path,
        problem.detail,
      );
    case "crashed":
      return vscode.l10n.t(
        "The Followup sidecar ended unexpectedly {0} times in a short while and is not started again ({1}). Open questions are kept and are asked again when you retry.",
        problem.times,
        problem.detail,
      );
  }
}

function missingWords({ looked, source, reason }: Extract<Problem, { kind: "missing" }>): string {
  const where: Record<typeof source, string> = {
    environment: vscode.l10n.t("The environment variable {0} names the sidecar {1}", binaryVariable, looked),
    setting: vscode.l10n.t("The setting {0} names the sidecar {1}", "followup.sidecar.path", looked),
    bundled: vscode.l10n.t("The sidecar was expected at {0}, beside the extension", looked),
  };
  const why: Record<MissingReason, string> = {
    absent: vscode.l10n.t("but nothing is there."),
    notFile: vscode.l10n.t("but that is not a file."),
    notExecutable: vscode.l10n.t("but that file may not be executed."),
    notAbsolute: vscode.l10n.t("but that is not an absolute path."),
  };
  const hint =
    source === "bundled"
      ? vscode.l10n.t(
          "Install the Followup build for this platform, or name a binary in the setting followup.sidecar.path.",
        )
      : "";
  return vscode.l10n.t("{0}, {1} {2}", where[source], why[reason], hint).trim();
}

/** Why something failed, in words. */
export function reasonOf(error: unknown): string {
  return error instanceof ProblemError ? words(error.problem) : messageOf(error);
}

/** Why there is no sidecar at the moment, in words; null where one runs or starts. */
export function troubleWords(state: SidecarState): string | null {
  switch (state.kind) {
    case "failed":
      return words(state.problem);
    case "restarting":
      return vscode.l10n.t("The Followup sidecar ended unexpectedly and is starting again.");
    default:
      return null;
  }
}

/** Shows each problem of the sidecar's. */
export function showProblems(sidecar: Sidecar): Disposable {
  return sidecar.onDidChangeState((state) => {
    if (state.kind === "failed") {
      void showProblem(state.problem);
    }
  });
}

/** Shows a problem with buttons for what can be done about it. */
export function showProblem(problem: Problem): Promise<void> {
  return offer("Error", words(problem), {
    [vscode.l10n.t("Retry")]: () => execute("followup.restart"),
    [vscode.l10n.t("Open Log")]: () => execute("followup.showLog"),
    [vscode.l10n.t("Open Settings")]: () =>
      vscode.commands.executeCommand("workbench.action.openSettings", "followup.sidecar.path"),
  });
}
