// Texts about a question's state: its outcome with an icon, and the announcements of changes.

import type { Guidance, ItemOutcome } from "../src/protocol.gen";
import { type Card, isOverridden, type Phase, plainQuestions } from "./cards";
import { isAnswered } from "./picks";
import type { ViewState } from "./state";
import { countdown, type StringKey, shortened, t } from "./strings";

/** The icons of the outcomes. */
const outcomeIcons = {
  answered: "check",
  replied: "comment",
  allowed: "pass",
  denied: "error",
  dismissed: "circle-slash",
  withdrawn: "discard",
  expired: "watch",
  disconnected: "debug-disconnect",
  notShown: "eye-closed",
  invalid: "warning",
};

/** The icon of an outcome. */
export const outcomeIcon = (outcome: ItemOutcome | undefined): string =>
  outcome && isOverridden(outcome) ? "warning" : outcomeIcons[outcome?.outcome ?? "withdrawn"];

/** Whether it is the user's decision on a request for permission. */
const isDecision = ({ outcome }: ItemOutcome) => outcome === "allowed" || outcome === "denied";

/** A closed card, or an entry of the history. */
interface Ended {
  readonly approval?: unknown;
  readonly outcome?: ItemOutcome;
  readonly guidance?: Guidance;
  readonly beside?: boolean;
  readonly parts?: readonly unknown[];
}

/** The outcome in one line, with what the agent reported, if its own dialog was open, too. */
export function outcomeLine(ended: Ended): string {
  const { outcome, beside = false } = ended;
  const how = decisionLine(ended);
  if (outcome === undefined || !isDecision(outcome)) {
    return how;
  }
  if (isOverridden(outcome)) {
    return t(outcome.effective === "allowed" ? "outcome.ran" : "outcome.didNotRun", { outcome: how });
  }
  return beside && outcome.effective === undefined ? t("outcome.sent", { outcome: how }) : how;
}

function decisionLine({ approval, outcome, guidance, beside = false, parts = [] }: Ended): string {
  if (outcome === undefined) {
    return "";
  }
  const { picks, suggestion = 0, images, answeredBy: name } = outcome;
  // On a team, another person may have answered.
  const { outcome: kind } = outcome;
  const by =
    kind === "withdrawn" ||
    kind === "expired" ||
    kind === "disconnected" ||
    kind === "notShown" ||
    kind === "invalid"
      ? undefined
      : kind;
  if (beside && kind === "disconnected") {
    return t("outcome.stopped");
  }
  if (approval && kind === "dismissed") {
    return name === undefined ? t("outcome.left") : t("outcome.by.left", { name });
  }
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

/** The maximum length of a question that is announced; the card has all of it. */
const spokenLength = 400;

/** The announcements for a change, in the order of the page. */
export function announcements(before: ViewState, after: ViewState): string[] {
  const earlier = new Map(before.cards.map((card) => [card.id, card]));
  return after.cards.flatMap((card) => {
    const known = earlier.get(card.id);
    const timed = card.timer && !known?.timer ? t("app.timed", { time: countdown(card.timer.left) }) : [];
    return [announce(card, known) ?? [], timed].flat();
  });
}

function announce(card: Card, known: Card | undefined): string | undefined {
  const { agent, outcome } = card;
  const earlier: Phase | undefined = known?.phase;
  if (outcome && isOverridden(outcome) && !(known?.outcome && isOverridden(known.outcome))) {
    return t("outcome.announce", { agent, outcome: outcomeLine(card) });
  }
  if (card.phase === earlier) {
    return undefined;
  }
  switch (card.phase) {
    case "streaming":
      return t("app.newQuestion", { agent });
    case "queued":
      return t("app.queued", { agent });
    case "pending":
      // After "sending": the error message is announced anyway.
      return earlier === "sending" ? undefined : answerable(card);
    case "closed":
      return earlier === undefined ? undefined : t("outcome.announce", { agent, outcome: outcomeLine(card) });
    case "sending":
      return undefined;
  }
}

function answerable(card: Card): string {
  const { agent, parts, approval } = card;
  const [only, ...others] = parts;
  const question = shortened(plainQuestions(card)[0] ?? "", spokenLength);
  if (approval) {
    return `${t(`approval.${approval.subject.kind}`, { agent })}: ${question}`;
  }
  return others.length === 0
    ? t("app.answerable", { agent, question, count: only?.options.length ?? 0 })
    : t("app.answerableAll", { agent, question, count: parts.length });
}
