// How a question ended, in words.

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
  const number = (outcome.suggestion ?? 0) + 1;
  const key: StringKey =
    outcome.provenance === undefined || (outcome.provenance !== "typed" && outcome.suggestion === undefined)
      ? "outcome.answered"
      : `outcome.${outcome.provenance}`;
  const how = t(key, { number });
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
