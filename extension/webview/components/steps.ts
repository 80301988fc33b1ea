// The steps of a questionnaire: a tab for each question and one for the review, and the review itself.

import { html, nothing } from "lit";
import { type Draft, isAttached } from "../answer";
import type { Card } from "../cards";
import { shortHeader } from "../parts";
import { isAnswered, isSubmittable, lastStep, picksOf } from "../picks";
import { t } from "../strings";
import { icon, linkButton, primaryButton, secondaryButton } from "./buttons";
import { answeredQuestion } from "./record";

/** The questionnaire whose step is shown. */
interface Steps {
  readonly card: Card;
  readonly draft: Draft;
  readonly step: number;
  /** More questions may arrive. */
  readonly incomplete: boolean;
  /** Its answers are being sent. */
  readonly locked: boolean;
  /** Its answers cannot be sent at the moment. */
  readonly blocked: boolean;
  /** A click on an option sends the answer. */
  readonly instant: boolean;
  /** Shows another step; `answering` moves the keyboard focus to its answer. */
  goTo(step: number, answering: boolean): void;
  /** Goes back to a step, unless the same gesture led to the next one. */
  goBack(step: number): void;
  /** Skips the question. */
  leaveOut(): void;
}

/** The tabs. One of them is in the Tab order. */
export function stepTabs(form: Steps) {
  const { draft, incomplete } = form;
  const { parts } = form.card;
  const picks = picksOf(draft, parts);
  // While more questions may arrive, there is no review.
  return html`<div class="tabs" role="tablist" aria-label=${t("questions.label")}>
    ${parts.map(({ header }, index) => tab(form, index, nameOf(header, index), isAnswered(picks[index] ?? {})))}
    ${incomplete ? nothing : tab(form, parts.length, t("questions.review"), false, "checklist")}
  </div>`;
}

function tab(form: Steps, index: number, name: string, answered: boolean, sign?: string) {
  const { step, card } = form;
  const selected = index === step;
  const mark = icon(sign ?? (answered ? "pass-filled" : "circle-large"));
  return html`<button
    type="button"
    class="tab"
    role="tab"
    id="${card.id}-tab-${index}"
    aria-selected=${String(selected)}
    aria-controls=${selected ? `${card.id}-panel` : nothing}
    tabindex=${selected ? "0" : "-1"}
    title=${name}
    aria-label=${answered ? t("questions.answered", { name }) : name}
    data-index=${index}
    data-answered=${answered ? "" : nothing}
    @click=${() => form.goTo(index, false)}
  >
    ${mark}<span class="tab-name" dir="auto">${shortHeader(name)}</span>
  </button>`;
}

/** Every answer as it would be sent, each with a button that goes back to it. */
export function review(form: Steps) {
  const { card, draft, locked } = form;
  const { parts } = card;
  const picks = picksOf(draft, parts);
  const count = picks.filter(isAnswered).length;
  return html`<p class="hint" id="${card.id}-summary">${t("questions.count", { count, total: parts.length })}${
    isSubmittable(draft, parts) ? nothing : html`<br />${t("questions.empty")}`
  }</p>
    <ol class="review">
      ${parts.map((part, index) => {
        const name = nameOf(part.header, index);
        const label = t("questions.changeLabel", { question: part.header || part.question });
        const change = { name: "change", label, locked, run: () => form.goBack(index) };
        const head = html`<div class="review-head">
          <span class="tag" dir="auto" title=${name}>${name}</span> ${linkButton(change, t("questions.change"))}
        </div>`;
        return answeredQuestion(part, head, picks[index], "chosen", true);
      })}
    </ol>`;
}

/** The buttons between the steps, and the one that sends the answers unless a click on an option does. */
export function stepButtons(form: Steps) {
  const { card, step, locked, draft } = form;
  const { parts } = card;
  const last = lastStep(parts);
  const back =
    step > 0
      ? secondaryButton({ name: "back", run: () => form.goBack(step - 1) }, t("questions.back"))
      : nothing;
  if (step < last) {
    const skip = {
      name: "leave-out",
      title: t("questions.leaveOutHint"),
      locked,
      run: () => form.leaveOut(),
    };
    const next = { name: "next", title: t("questions.nextHint") };
    return html`${back} ${secondaryButton(skip, t("questions.leaveOut"))}
      ${primaryButton(next, t(step === last - 1 ? "questions.review" : "questions.next"))}`;
  }
  const sendable = isSubmittable(draft, parts);
  const submit = {
    name: "submit",
    title: t(sendable ? "questions.submitHint" : "questions.empty"),
    describedBy: last > 0 ? `${card.id}-summary` : undefined,
    disabled: !sendable,
    locked: form.blocked,
  };
  return html`${back}${
    !form.instant || isAttached(draft) ? primaryButton(submit, t("questions.submit")) : nothing
  }`;
}

function nameOf(header: string, index: number): string {
  return header || t("questions.number", { number: index + 1 });
}
