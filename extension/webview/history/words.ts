// An entry's texts: question and answer on a line, its outcome and its workspace.

import type { HistoryEntry } from "../../src/protocol.gen";
import { answerTexts, closedCard, isOverridden, plainQuestions } from "../cards";
import { outcomeLine } from "../outcome";
import { moment, shortened, t } from "../strings";

/** The complete text of the question. */
export function questionText(entry: HistoryEntry): string {
  return entry.payload ? plainQuestions(closedCard(entry)).join("\n") : (entry.error?.message ?? "");
}

/** The user's answer as text, with `between` between answers to several questions; "" if there is none. */
export function answerText(entry: HistoryEntry, between = "\n"): string {
  return answerTexts(closedCard(entry)).join(between);
}

/** Whether the user gave the agent an answer. */
export function isGiven({ outcome: { outcome } }: HistoryEntry): boolean {
  return outcome === "answered" || outcome === "replied";
}

/** How long an agent that still waits may take to collect its answer, in milliseconds. */
export const collectTime = 3_000;

/** Whether the agent has not collected the answer yet. */
export function waits(entry: HistoryEntry): boolean {
  const { collected, source, outcome } = entry;
  return !collected && !source && isGiven(entry) && Date.now() - (outcome.at ?? 0) >= collectTime;
}

/** The answer's line in the list: its text, or the outcome if there is no answer. */
export function answerLine(entry: HistoryEntry): string {
  const { outcome, images = 0 } = entry.outcome;
  if (isOverridden(entry.outcome)) {
    return outcomeLine(closedCard(entry));
  }
  if (!isGiven(entry)) {
    return t(`kind.${outcome}`);
  }
  const nothing = images === 0 ? t("entry.noAnswer") : t("entry.images", { count: images });
  return answerText(entry, " · ") || nothing;
}

/** The beginning of a text, for a line or a screen reader. */
export function beginning(text: string): string {
  return shortened(text, 300);
}

/** The last element of a workspace folder's URI, as its name. */
export function workspaceName(uri: string): string {
  const parts = workspacePath(uri).split(/[/\\]/);
  return parts.findLast(Boolean) ?? uri;
}

/** A workspace folder's path, or its URI if it is not a file's. */
export function workspacePath(uri: string): string {
  try {
    return uri.startsWith("file://") ? decodeURIComponent(uri.slice("file://".length)) : decodeURI(uri);
  } catch {
    return uri;
  }
}

/** An entry's label for screen readers. */
export function entryLabel(entry: HistoryEntry): string {
  return t("history.entry", {
    agent: entry.agent,
    time: entry.outcome.at === undefined ? "–" : moment(entry.outcome.at),
    question: beginning(questionText(entry)),
    answer: beginning(answerLine(entry)),
  });
}
