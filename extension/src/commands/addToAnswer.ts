// The command "Followup: Add to the Answer".

import * as vscode from "vscode";
import type { InboxEntry, Quote } from "../protocol.gen";
import { offer } from "./messages";

/** The part of the interface that these commands use. */
export interface Answers {
  answerable(): Promise<InboxEntry[]>;
  /** Whether any question can be answered. */
  canAnswer(): boolean;
  add(questionId: string, quotes: Quote[]): Promise<void>;
}

/** The maximum length of a quoted text, in UTF-16 code units. For a longer text, only its place is added. */
const longestText = 64 * 1024;

const mostFiles = 20;

/** Adds the target of a menu: selections, files in the explorer, or a quote (see problemActions). */
export async function addToAnswer(
  answers: Answers,
  target?: vscode.Uri | Quote,
  files?: unknown,
): Promise<void> {
  if (target !== undefined && "label" in target) {
    return addQuotes(answers, [target]);
  }
  const uris = Array.isArray(files) ? files.filter((file) => file instanceof vscode.Uri) : [];
  const editor = vscode.window.activeTextEditor;
  const isEditor = target === undefined || target.toString() === editor?.document.uri.toString();
  if (uris.length === 0 && isEditor && editor !== undefined) {
    const { document, selections } = editor;
    // Without a selection, the cursor's line.
    const quotes = selections.map((selection) =>
      quoteOf(document, selection.isEmpty ? document.lineAt(selection.active.line).range : selection),
    );
    const long = quotes.find(({ text }, index) => text === undefined && !selections[index]?.isEmpty);
    const left = long && vscode.l10n.t("{0} is too long to be quoted: only the place was added.", long.label);
    return addQuotes(answers, quotes, left);
  }
  const chosen = uris.length > 0 ? uris : target === undefined ? [] : [target];
  const more = chosen.length - mostFiles;
  const left = vscode.l10n.t("At most {0} files are added at once; {1} were not added.", mostFiles, more);
  return addQuotes(
    answers,
    chosen.slice(0, mostFiles).map((uri) => placeQuote(uri)),
    more > 0 ? left : undefined,
  );
}

/** Adds the terminal's selection. */
export async function addTerminalToAnswer(answers: Answers): Promise<void> {
  const label = vscode.window.activeTerminal?.name ?? vscode.l10n.t("Terminal");
  const whole = await terminalSelection();
  const text = whole.slice(-longestText);
  const left = vscode.l10n.t("The selection in the terminal is too long: only its end was added.");
  await addQuotes(answers, text.trim() === "" ? [] : [{ label, text }], text === whole ? undefined : left);
}

/** Extensions can only read a terminal's selection through the clipboard, whose text is restored. */
async function terminalSelection(): Promise<string> {
  const kept = await vscode.env.clipboard.readText();
  // A clipboard without text, such as a picture, cannot be restored, so it is used only if there is a selection.
  const put = (text: string) => (kept === "" ? undefined : vscode.env.clipboard.writeText(text));
  await put("");
  try {
    await vscode.commands.executeCommand("workbench.action.terminal.copySelection");
    return await vscode.env.clipboard.readText();
  } finally {
    await put(kept);
  }
}

async function addQuotes(answers: Answers, quotes: Quote[], left?: string): Promise<void> {
  const none = () => offer("Information", vscode.l10n.t("No question waits for your answer."));
  const open = await answers.answerable();
  const items = open.map((one) => ({ ...one, label: one.title, description: one.agent }));
  if (items.length === 0) {
    return none();
  }
  if (quotes.length === 0) {
    return offer("Information", vscode.l10n.t("There is nothing here to add to the answer."));
  }
  const placeHolder = vscode.l10n.t("Which answer should it be added to?");
  const options = { placeHolder, matchOnDescription: true };
  const chosen = items.length > 1 ? await vscode.window.showQuickPick(items, options) : items[0];
  if (chosen === undefined) {
    return;
  }
  // The question may have closed while the user chose.
  if (!(await answers.answerable()).some(({ questionId }) => questionId === chosen.questionId)) {
    return none();
  }
  await answers.add(chosen.questionId, quotes);
  if (left !== undefined) {
    await offer("Warning", left);
  }
}

/** A range of a document, with the numbers of its selected lines. */
export function quoteOf(document: vscode.TextDocument, range: vscode.Range): Quote {
  const { start, end } = range;
  const whole = document.getText(range);
  // A range that ends at the start of a line contains nothing of that line.
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  const lines = last === start.line ? `${last + 1}` : `${start.line + 1}-${last + 1}`;
  const text = whole !== "" && whole.length <= longestText ? { text: whole } : {};
  return { ...placeQuote(document.uri, `:${lines}`, start, end), ...text };
}

/** A place in a file, by default its start. */
function placeQuote(uri: vscode.Uri, lines = "", start = { line: 0, character: 0 }, end = start): Quote {
  const plain = ({ line, character }: typeof start) => ({ line, character });
  const label = `${vscode.workspace.asRelativePath(uri)}${lines}`;
  return { label, location: { uri: uri.toString(), range: { start: plain(start), end: plain(end) } } };
}

/** Offers to add a problem next to the editor's fixes for it, in the text and in the list of problems, while a question waits. */
export function problemActions(answers: Pick<Answers, "canAnswer">) {
  return {
    provideCodeActions(document, _range, { diagnostics: [problem] }) {
      if (problem === undefined || !answers.canAnswer()) {
        return [];
      }
      const title = vscode.l10n.t("Add to the Answer: {0}", problem.message);
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      const { text, ...source } = quoteOf(document, problem.range);
      const quote: Quote = { ...source, text: text ? `${problem.message}\n\n${text}` : problem.message };
      action.diagnostics = [problem];
      action.command = { command: "followup.addToAnswer", title, arguments: [quote] };
      return [action];
    },
  } satisfies vscode.CodeActionProvider;
}
