// What was chosen for one question of a questionnaire, in lines: before it is sent and after.

import { html, nothing } from "lit";
import type { Option, Pick as QuestionPick } from "../../src/protocol.gen";
import { type Part, recommendation } from "../parts";
import { isAnswered } from "../picks";
import type { Translate } from "../strings";
import { icon } from "./icon";

/** The chosen options, own words and the note; or that the question was left out. */
export function answerLines(part: Part, pick: QuestionPick = {}, t: Translate) {
  const options = (pick.options ?? []).flatMap((option) => part.options[option] ?? []);
  return html`<ul class="answer-lines">
    ${isAnswered(pick) ? nothing : html`<li class="left-out">${icon("dash")} <span>${t("questions.leftOut")}</span></li>`}
    ${options.map((option) => html`<li class="given">${icon("check")} ${label(option, t)}</li>`)}
    ${
      pick.other
        ? html`<li class="given">
            ${icon("edit")}<span class="visually-hidden">${t("questions.own")}: </span
            ><span class="words" dir="auto">${pick.other}</span>
          </li>`
        : nothing
    }
    ${
      pick.notes
        ? html`<li class="noted">
            ${icon("note")}<span class="visually-hidden">${t("questions.note")}: </span
            ><span class="words" dir="auto">${pick.notes}</span>
          </li>`
        : nothing
    }
  </ul>`;
}

/** The options that were offered and not chosen. */
export function notChosen(part: Part, pick: QuestionPick | undefined, t: Translate) {
  const options = part.options.filter((_, index) => !pick?.options?.includes(index));
  return options.length === 0
    ? nothing
    : html`<ul class="not-chosen" aria-label=${t("outcome.offered")}>
        ${options.map((option) => html`<li title=${option.description || nothing}>${icon("circle-large-outline")} ${label(option, t)}</li>`)}
      </ul>`;
}

function label(option: Option, t: Translate) {
  const { text, recommended } = recommendation(option.label);
  return html`<span
    ><span class="words" dir="auto">${text}</span>${
      recommended ? html` <span class="tag">${t("questions.recommended")}</span>` : nothing
    }</span
  >`;
}
