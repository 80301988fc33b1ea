// What can go wrong between an agent and its answer, as errors that a caller can tell apart by `code`.

import { ResponseError } from "vscode-jsonrpc";
import { CodeCancelled, CodeRefused, CodeUnknown } from "../protocol.gen";

/** Why a promise of Followup's was rejected. */
export type FollowupErrorCode = "withdrawn" | "unavailable" | "refused" | "unknown" | "closed" | "internal";

/**
 * An error of Followup's. Callers in other extensions tell errors apart by `code`, since classes are not shared between
 * extensions.
 */
export class FollowupError extends Error {
  override readonly name: string = "FollowupError";

  constructor(
    /** withdrawn: the question was taken back · unavailable: the sidecar does not run · unknown: no such id. */
    readonly code: FollowupErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** Rejects the answer of a question that the agent took back. */
export class FollowupWithdrawnError extends FollowupError {
  override readonly name = "FollowupWithdrawnError";

  constructor(readonly questionId: string) {
    super("withdrawn", `The question ${questionId} was withdrawn before it was answered.`);
  }
}

/** What a caller of the API is given for an error of the sidecar's. */
export function asFollowupError(error: unknown, questionId = ""): Error {
  if (!(error instanceof ResponseError)) {
    return error instanceof Error ? error : new FollowupError("internal", String(error));
  }
  switch (error.code) {
    case CodeCancelled:
      return new FollowupWithdrawnError(questionId);
    case CodeUnknown:
      return new FollowupError("unknown", error.message);
    case CodeRefused:
      return new FollowupError("refused", error.message);
    default:
      return new FollowupError("internal", error.message);
  }
}

/** Why the sidecar cannot be used; problems.ts has the words for the user. */
export type Problem =
  | { kind: "missing"; looked: string; source: "environment" | "setting" | "bundled"; reason: MissingReason }
  | { kind: "unpack"; path: string; detail: string }
  | { kind: "version"; ours: number; theirs: number | null; path: string }
  | { kind: "start"; path: string; detail: string }
  | { kind: "crashed"; times: number; detail: string };

/** What is wrong with the place where the binary was looked for. */
export type MissingReason = "absent" | "notFile" | "notExecutable" | "notAbsolute";

/** A problem on its way to where it is shown. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";

  constructor(readonly problem: Problem) {
    super(problem.kind);
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
