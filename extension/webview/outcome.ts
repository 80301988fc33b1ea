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
  const by = byOf(outcome);
  const how =
    by !== undefined && name !== undefined
      ? t(by, { name })
      : outcome.outcome === "answered" && picks && parts.length > 1
        ? t("outcome.questions", { count: picks.filter(isAnswered).length, total: parts.length })
        : t(outcomeKey(outcome, guidance !== undefined), { number: suggestion + 1 });
  return images ? `${how}, ${t("outcome.images", { count: images })}` : how;
}

/** How it ended where a person of a team did that, who may be another one than the reader. */
function byOf({ outcome, answeredBy }: ItemOutcome): StringKey | undefined {
  const ends =
    outcome === "answered" ||
    outcome === "replied" ||
    outcome === "allowed" ||
    outcome === "denied" ||
    outcome === "dismissed";
  return answeredBy !== undefined && ends ? `outcome.by.${outcome}` : undefined;
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
