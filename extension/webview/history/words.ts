// What an entry says, in words: its question and its answer in a line, how it ended, where it was asked.

import type { HistoryEntry, Pick, Questionnaire } from "../../src/protocol.gen";
import { dateFormat, moment, type Translate } from "../strings";

/** The whole text of what was asked. */
export function questionText(entry: HistoryEntry): string {
  const { payload, rendered, error } = entry;
  if (payload === undefined) {
    return error?.message ?? "";
  }
  return "questions" in payload
    ? payload.questions
        .map(({ question }, at) => rendered?.questions?.[at]?.plainQuestion ?? question)
        .join("\n")
    : (rendered?.plainQuestion ?? payload.question);
}

/**
 * The user's answer as text: words, the suggestion that was chosen, or what was picked of each question, with `between`
 * between them; "" where there is none.
 */
export function answerText(entry: HistoryEntry, between = "\n"): string {
  const { payload, outcome } = entry;
  if (outcome.text) {
    return outcome.text;
  }
  if (payload !== undefined && "questions" in payload) {
    return payload.questions
      .flatMap((_, index) => pickText(payload, index, outcome.picks) || [])
      .join(between);
  }
  const chosen = outcome.suggestion === undefined ? undefined : payload?.suggest[outcome.suggestion];
  return chosen?.answer ?? "";
}

/** What was picked of one question; "" when it was left out. */
export function pickText(payload: Questionnaire, index: number, picks: readonly Pick[] = []): string {
  const { options = [], other } = picks[index] ?? {};
  const labels = options.flatMap((option) => payload.questions[index]?.options[option]?.label ?? []);
  return [...labels, ...(other ? [other] : [])].join(", ");
}

/** Whether its agent has not been given the answer yet. */
export function waits({ collected, source, outcome: { outcome } }: HistoryEntry): boolean {
  return !collected && !source && (outcome === "answered" || outcome === "replied");
}

/** What an entry says besides its question and its answer: what was offered, and notes. */
export function otherTexts({ payload, outcome, error }: HistoryEntry): string[] {
  const notes = (outcome.picks ?? []).flatMap(({ notes }) => notes ?? []);
  const offered =
    payload === undefined
      ? []
      : "questions" in payload
        ? payload.questions.flatMap(({ header, options }) => [
            header,
            ...options.flatMap(({ label, description, preview = "" }) => [label, description, preview]),
          ])
        : payload.suggest.flatMap(({ answer, mode = "" }) => [answer, mode]);
  return [...offered, ...notes, error?.message ?? ""];
}

/** The answer's line in the list: its text, or what there is instead of one. */
export function answerLine(entry: HistoryEntry, t: Translate): string {
  const { outcome } = entry.outcome;
  if (outcome !== "answered" && outcome !== "replied") {
    return t(`kind.${outcome}`);
  }
  const { images = 0 } = entry.outcome;
  const text = answerText(entry, " · ");
  return text !== "" || images === 0 ? text || t("entry.noAnswer") : t("entry.images", { count: images });
}

/** The last part of a workspace folder's URI, as its name. */
export function workspaceName(uri: string): string {
  const path = workspacePath(uri).replace(/[/\\]+$/, "");
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1) || uri;
}

/** A workspace folder's path, readable; the URI as it is where it is not a file's. */
export function workspacePath(uri: string): string {
  try {
    return uri.startsWith("file://") ? decodeURIComponent(uri.slice("file://".length)) : decodeURI(uri);
  } catch {
    return uri;
  }
}

/** A day and time in full. */
export function fullTime(time: number, locale: string): string {
  return dateFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(time);
}

/** A day written as YYYY-MM-DD, as the user's language writes it. */
export function dayName(day: string, locale: string): string {
  const [year = 1970, month = 1, date = 1] = day.split("-").map(Number);
  return dateFormat(locale, { dateStyle: "medium" }).format(new Date(year, month - 1, date));
}

/** What a screen reader is told of an entry in the list. */
export function entryLabel(entry: HistoryEntry, t: Translate, locale: string): string {
  const short = (text: string) => (text.length > spoken ? `${text.slice(0, spoken)}…` : text);
  return t("history.entry", {
    agent: entry.agent,
    time: entry.outcome.at === undefined ? "–" : moment(entry.outcome.at, locale),
    question: short(questionText(entry)),
    answer: short(answerLine(entry, t)),
  });
}

const spoken = 300;
