// What a screen reader hears when the state changes.

import { type Card, type Phase, plainQuestions } from "./cards";
import { outcomeLine } from "./outcome";
import type { ViewState } from "./state";
import { countdown, shortened, t } from "./strings";

/** How much of a question is read out; the rest is on the card. */
const spokenLength = 400;

/** The sentences for a change, in the order of the page. */
export function announcements(before: ViewState, after: ViewState): string[] {
  const earlier = new Map(before.cards.map((card) => [card.id, card]));
  return after.cards.flatMap((card) => {
    const known = earlier.get(card.id);
    const timed = card.timer && !known?.timer ? t("app.timed", { time: countdown(card.timer.left) }) : [];
    return [announce(card, known?.phase) ?? [], timed].flat();
  });
}

function announce(card: Card, earlier: Phase | undefined): string | undefined {
  const { agent } = card;
  if (card.phase === earlier) {
    return undefined;
  }
  switch (card.phase) {
    case "streaming":
      return t("app.newQuestion", { agent });
    case "queued":
      return t("app.queued", { agent });
    case "pending":
      // Back from "sending": the refusal speaks for itself.
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
