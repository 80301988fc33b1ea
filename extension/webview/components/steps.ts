// The steps of a questionnaire: a tab for each question and one for the review, and the review itself.

import "@vscode-elements/elements/dist/vscode-button/index.js";
import { html, nothing } from "lit";
import type { Pick as QuestionPick } from "../../src/protocol.gen";
import { type Part, shortHeader } from "../parts";
import { isAnswered } from "../picks";
import type { Translate } from "../strings";
import { linkButton } from "./buttons";
import { icon } from "./icon";
import { answer } from "./record";
import { words } from "./words";

export interface Steps {
  t: Translate;
  /** What the ids of the tabs and of the panel begin with. */
  ids: string;
  parts: readonly Part[];
  /** What would be sent for each question. */
  picks: readonly QuestionPick[];
  /** The tab that is shown; one past the last question is the review. */
  step: number;
  /** More questions may come: there is nothing to review yet. */
  incomplete: boolean;
  /** Shows another step; `answering` moves the keyboard focus to its answer. */
  goTo(step: number, answering: boolean): void;
}

/** The tabs. One of them is in the Tab order. */
export function stepTabs(steps: Steps) {
  const { t, parts, picks, incomplete } = steps;
  return html`<div class="tabs" role="tablist" aria-label=${t("questions.label")}>
    ${parts.map(({ header }, index) => tab(steps, index, nameOf(header, index, t), isAnswered(picks[index] ?? {})))}
    ${incomplete ? nothing : tab(steps, parts.length, t("questions.review"))}
  </div>`;
}

function tab({ t, ids, parts, step, goTo }: Steps, index: number, name: string, answered = false) {
  const selected = index === step;
  const mark = index === parts.length ? icon("checklist") : icon(answered ? "pass-filled" : "circle-large");
  return html`<button
    type="button"
    class="tab"
    role="tab"
    id="${ids}-tab-${index}"
    aria-selected=${String(selected)}
    aria-controls=${selected ? `${ids}-panel` : nothing}
    tabindex=${selected ? "0" : "-1"}
    title=${name}
    aria-label=${answered ? t("questions.answered", { name }) : name}
    data-index=${index}
    data-answered=${answered ? "" : nothing}
    @click=${() => goTo(index, false)}
  >
    ${mark}<span class="tab-name" dir="auto">${shortHeader(name)}</span>
  </button>`;
}

/** Every answer as it would be sent, each with a way back to it; `empty`: there is nothing that could be sent. */
export function review(steps: Steps, empty: boolean, locked: boolean) {
  const { t, ids, parts, picks, goTo } = steps;
  const count = picks.filter(isAnswered).length;
  return html`<p class="hint" id="${ids}-summary">${t("questions.count", { count, total: parts.length })}${
    empty ? html`<br />${t("questions.empty")}` : nothing
  }</p>
    <ol class="review">
      ${parts.map((part, index) => {
        const name = nameOf(part.header, index, t);
        return html`<li class="review-item">
          <div class="review-head">
            <span class="tag" dir="auto" title=${name}>${name}</span>
            ${linkButton(
              {
                name: "change",
                label: t("questions.changeLabel", { question: part.header || part.text }),
                locked,
                run: () => goTo(index, true),
              },
              t("questions.change"),
            )}
          </div>
          ${words({ text: part.text, t, label: t("card.question"), markup: part.rendered?.question, class: "asked" })}
          ${answer(part, picks[index], t, "chosen", true)}
        </li>`;
      })}
    </ol>`;
}

export interface StepButtons {
  t: Translate;
  step: number;
  last: number;
  /** Nothing can be changed at the moment. */
  locked: boolean;
  /** The last step has a button that sends the answers; without one a click on an option does. */
  sends: boolean;
  /** There is something that could be sent. */
  sendable: boolean;
  /** Nothing can be sent at the moment. */
  blocked: boolean;
  /** The id of the line that sums up what is sent. */
  summary?: string;
  back(): void;
  /** Takes back the choice, and goes on. */
  leaveOut(): void;
}

/** What leads through the steps, and sends the answers from the last one. */
export function stepButtons(buttons: StepButtons) {
  const { t, step, last, locked, sends, sendable, blocked, summary, back, leaveOut } = buttons;
  const backButton =
    step > 0
      ? html`<vscode-button secondary class="back" @click=${back}>${t("questions.back")}</vscode-button>`
      : nothing;
  if (step < last) {
    return html`${backButton}
      <vscode-button
        secondary
        class="leave-out"
        title=${t("questions.leaveOutHint")}
        ?disabled=${locked}
        aria-disabled=${String(locked)}
        @click=${leaveOut}
        >${t("questions.leaveOut")}</vscode-button
      >
      <vscode-button class="next" title=${t("questions.nextHint")}
        >${t(step === last - 1 ? "questions.review" : "questions.next")}</vscode-button
      >`;
  }
  const disabled = !sendable || blocked;
  return html`${backButton}${
    sends
      ? html`<vscode-button
          class="submit"
          title=${t(sendable ? "questions.submitHint" : "questions.empty")}
          aria-describedby=${summary ?? nothing}
          ?disabled=${disabled}
          aria-disabled=${String(disabled)}
          >${t("questions.submit")}</vscode-button
        >`
      : nothing
  }`;
}

function nameOf(header: string, index: number, t: Translate): string {
  return header || t("questions.number", { number: index + 1 });
}
