// How a question ended: in words, and the icon for it.

import type { Guidance, ItemOutcome } from "../src/protocol.gen";
import { isAnswered } from "./parts";
import { type StringKey, t } from "./strings";

/** The icons of the outcomes. */
export const outcomeIcons = {
  answered: "check",
  replied: "comment",
  allowed: "pass",
  denied: "error",
  dismissed: "circle-slash",
  withdrawn: "discard",
  notShown: "eye-closed",
  invalid: "warning",
};

/** What has ended, or an entry of the history. */
interface Ended {
  readonly outcome?: ItemOutcome;
  readonly guidance?: Guidance;
  readonly parts?: readonly unknown[];
}

/** One line that says how it ended. */
export function outcomeLine({ outcome, guidance, parts = [] }: Ended): string {
  if (outcome === undefined) {
    return "";
  }
  const { picks, suggestion = 0, images, answeredBy: name } = outcome;
  // A person of a team may be another one than the reader.
  const { outcome: kind } = outcome;
  const by = kind === "withdrawn" || kind === "notShown" || kind === "invalid" ? undefined : kind;
  const how =
    by !== undefined && name !== undefined
      ? t(`outcome.by.${by}`, { name })
      : kind === "answered" && picks && parts.length > 1
        ? t("outcome.questions", { count: picks.filter(isAnswered).length, total: parts.length })
        : t(outcomeKey(outcome, guidance !== undefined), { number: suggestion + 1 });
  return images ? `${how}, ${t("outcome.images", { count: images })}` : how;
}

function outcomeKey(
  { outcome, provenance, suggestion, picks, elsewhere }: ItemOutcome,
  guidance: boolean,
): StringKey {
  if (guidance && (outcome === "dismissed" || outcome === "withdrawn")) {
    return `outcome.guidance.${outcome}`;
  }
  if (elsewhere) {
    return "outcome.elsewhere";
  }
  if (outcome !== "answered") {
    return `outcome.${outcome}`;
  }
  const known = provenance === "typed" || (provenance !== undefined && suggestion !== undefined);
  return known && picks === undefined ? `outcome.${provenance}` : "outcome.answered";
}
