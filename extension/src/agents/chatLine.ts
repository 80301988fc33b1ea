// The line in the chat of a tool call that asks: the question, as a link to its card, and to the history once it is closed.

import * as vscode from "vscode";
import { showCommand } from "../page/notices";
import { parseJson } from "../sidecar/log";

const shownLength = 200;

/** The first paragraph of the question in a call's arguments, in one line; undefined if there is none. Tables and code are on the card. */
export function askedIn(input: unknown): string | undefined {
  const given = typeof input === "string" ? parseJson(input) : input;
  const { question, questions } = (given ?? {}) as { question?: unknown; questions?: unknown };
  const [first] = Array.isArray(questions) ? questions : [];
  const text = question ?? (first as { question?: unknown } | undefined)?.question;
  if (typeof text !== "string" || text.trim() === "") {
    return undefined;
  }
  const [paragraph = "", ...more] = text.trim().split(/\n\s*\n/);
  const line = paragraph.replace(/\s+/g, " ");
  const whole = line.length <= shownLength && more.length === 0;
  return whole ? line : `${line.slice(0, shownLength - 1)}…`;
}

/** The line in the chat. What an agent wrote is text in it. */
export function chatLine(asked: string | undefined, questionId: string): vscode.MarkdownString {
  const line = new vscode.MarkdownString();
  line.isTrusted = { enabledCommands: [showCommand] };
  const target = `command:${showCommand}?${encodeURIComponent(JSON.stringify([questionId]))}`;
  line.appendText(`${vscode.l10n.t("Asking you in Followup:")} `);
  line.appendMarkdown("[");
  line.appendText(asked ?? vscode.l10n.t("a question"));
  line.appendMarkdown(`](${target})`);
  return line;
}

/** The ids that calls were given when they were announced, until they come: the typed API names no call in both. */
export class Announced {
  private calls: { input: string; id: string }[] = [];

  put(input: unknown, id: string): void {
    this.calls = [...this.calls.slice(-63), { input: JSON.stringify(input), id }]; // announced calls need not come
  }

  take(input: unknown): string | undefined {
    const call = this.calls.find((each) => each.input === JSON.stringify(input));
    this.calls = this.calls.filter((each) => each !== call);
    return call?.id;
  }
}
