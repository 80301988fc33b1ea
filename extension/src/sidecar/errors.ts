// Errors. Agents distinguish them by `code`.

import { l10n } from "vscode";
import { ResponseError } from "vscode-jsonrpc";
import { CodeCancelled, CodeRefused, CodeUnknown } from "../protocol.gen";

/** Why a promise of Followup rejected. */
export type FollowupErrorCode = "withdrawn" | "unavailable" | "refused" | "unknown" | "closed" | "internal";

/** An error with a `code`, since other extensions do not share its class. */
export class FollowupError extends Error {
  override readonly name = "FollowupError";

  constructor(
    /** withdrawn: the question was withdrawn · unavailable: the sidecar does not run · unknown: no such id. */
    readonly code: FollowupErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** Converts an error from the sidecar for a caller of the API. */
export function asFollowupError(error: unknown, questionId = ""): Error {
  if (!(error instanceof ResponseError)) {
    return error instanceof Error ? error : new FollowupError("internal", String(error));
  }
  if (error.code === CodeCancelled) {
    return new FollowupError("withdrawn", `The question ${questionId} was withdrawn before it was answered.`);
  }
  const code = error.code === CodeUnknown ? "unknown" : error.code === CodeRefused ? "refused" : "internal";
  return new FollowupError(code, error.message);
}

/** Returns a handler of rejections: it converts an error with the code to a value, and any other to a caller's error. */
export function unless<T = void>(code: FollowupErrorCode, value?: () => T): (error: unknown) => T {
  return (error) => {
    const known = asFollowupError(error);
    if (known instanceof FollowupError && known.code === code) {
      return value?.() as T;
    }
    throw known;
  };
}

/** The sidecar's program cannot be started, or exits too early. Its message is for the user, like that of every failed start. */
export class StartError extends Error {
  override readonly name = "StartError";

  constructor(
    path: string,
    readonly detail: string,
  ) {
    super(l10n.t("The Followup sidecar {0} could not be started: {1}", path, detail));
  }
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
