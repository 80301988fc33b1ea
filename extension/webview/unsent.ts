// What the user had begun for a question that is closed now, and that was not sent.

import { emptyDraft } from "./answer";
import type { Card } from "./cards";
import { pickAt, toPick } from "./picks";

/** The user's words and choices that are not in the card's outcome, as one text; undefined when there are none. */
export function unsentText(card: Card): string | undefined {
  const texts = [unsentWords(card), ...(card.parts ?? []).map((_, index) => unsentPick(card, index))];
  const kept = texts.filter((text) => text.trim() !== "");
  return kept.length > 0 ? kept.join("\n\n") : undefined;
}

/** What stood in the text box and is not the answer, or the reply. */
function unsentWords({ draft = emptyDraft, sent, outcome, suggest }: Card): string {
  const delivered = outcome?.outcome === "answered" || outcome?.outcome === "replied";
  const chosen = outcome?.suggestion === undefined ? undefined : suggest[outcome.suggestion]?.answer;
  // An outcome with other words is another window's, whatever was sent from here.
  const given = outcome?.text ?? chosen;
  const words = given === undefined && sent && "text" in sent ? [sent.text] : [outcome?.text, chosen];
  return delivered && (words.includes(draft.text) || outcome?.note === draft.text) ? "" : draft.text;
}

/** What was begun for one question of a questionnaire and is not in the outcome's picks, below that question. */
function unsentPick({ draft, outcome, parts = [] }: Card, index: number): string {
  const part = parts[index];
  if (part === undefined) {
    return "";
  }
  const begun = pickAt(draft, index);
  const sent = outcome?.picks?.[index];
  const lines = [begun.other ?? "", begun.notes ?? ""].filter(
    (words) => words.trim() !== "" && words !== sent?.other && words !== sent?.notes,
  );
  if (sent === undefined) {
    const labels = (toPick(begun, part).options ?? []).map((option) => part.options[option]?.label ?? "");
    lines.unshift(...labels);
  }
  return lines.length > 0 ? [part.header || part.question, ...lines].join("\n") : "";
}
