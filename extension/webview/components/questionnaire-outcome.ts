// <followup-questionnaire-outcome>: a closed questionnaire: every question, what was offered and what was chosen.

import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Part } from "../parts";
import { isAnswered } from "../picks";
import type { Card } from "../state";
import { answerLines, notChosen } from "./answer-lines";
import { FollowupElement } from "./element";
import "./text";

@customElement("followup-questionnaire-outcome")
export class FollowupQuestionnaireOutcome extends FollowupElement {
  @property({ attribute: false }) card!: Card;

  protected override render() {
    return html`<ol class="review">
      ${(this.card.parts ?? []).map((part, index) => this.question(part, index))}
    </ol>`;
  }

  private question(part: Part, index: number) {
    const { t, card } = this;
    const { outcome } = card;
    const pick = outcome?.picks?.[index];
    // A reply leaves no question out.
    const tells = pick !== undefined && (outcome?.outcome === "answered" || isAnswered(pick) || pick.notes);
    return html`<li class="review-item">
      ${part.header ? html`<span class="tag" dir="auto" title=${part.header}>${part.header}</span>` : nothing}
      <followup-text
        class="asked"
        dir="auto"
        .label=${t("card.question")}
        .codeLabel=${t("text.code")}
        .markup=${part.rendered?.question}
        .text=${part.text}
      ></followup-text>
      ${tells ? answerLines(part, pick, t) : nothing} ${notChosen(part, pick, t)}
    </li>`;
  }
}
