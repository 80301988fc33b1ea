// How a question ended, in words.

import type { ItemOutcome } from "../src/protocol.gen";
import type { Part } from "./parts";
import { isAnswered } from "./picks";
import type { Card } from "./state";
import type { StringKey, Translate } from "./strings";

/** One line that says how the card's question ended. */
export function outcomeLine(card: Card, t: Translate): string {
  const { outcome } = card;
  if (outcome === undefined) {
    return "";
  }
  if (card.guidance && isWithoutGuidance(outcome.outcome)) {
    return t(`outcome.guidance.${outcome.outcome}`);
  }
  if (outcome.outcome !== "answered") {
    return t(`outcome.${outcome.outcome}`);
  }
  return withImages(card.parts ? answeredParts(card.parts, outcome, t) : answered(outcome, t), outcome, t);
}

function answered(outcome: ItemOutcome, t: Translate): string {
  const number = (outcome.suggestion ?? 0) + 1;
  const key: StringKey =
    outcome.provenance === undefined || (outcome.provenance !== "typed" && outcome.suggestion === undefined)
      ? "outcome.answered"
      : `outcome.${outcome.provenance}`;
  return t(key, { number });
}

function answeredParts(parts: readonly Part[], { picks }: ItemOutcome, t: Translate): string {
  return picks && parts.length > 1
    ? t("outcome.questions", { count: picks.filter(isAnswered).length, total: parts.length })
    : t("outcome.answered");
}

function withImages(how: string, outcome: ItemOutcome, t: Translate): string {
  return outcome.images ? `${how}, ${t("outcome.images", { count: outcome.images })}` : how;
}

function isWithoutGuidance(outcome: string): outcome is "dismissed" | "withdrawn" {
  return outcome === "dismissed" || outcome === "withdrawn";
}

/**
 * The answer's text: the outcome's own or, for a choice, the suggestion's; undefined where there was no
 * answer.
 */
export function outcomeText(card: Card): string | undefined {
  const { outcome } = card;
  if (outcome?.outcome !== "answered" && outcome?.outcome !== "replied") {
    return undefined;
  }
  return (
    outcome.text ?? (outcome.suggestion === undefined ? undefined : card.suggest[outcome.suggestion]?.answer)
  );
}
