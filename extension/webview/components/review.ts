// <followup-review>: the last step of a questionnaire: every answer as it would be sent, each with a way back to it.

import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Pick as QuestionPick } from "../../src/protocol.gen";
import { whole } from "../growing";
import type { Part } from "../parts";
import { isAnswered } from "../picks";
import { FollowupElement } from "./element";
import { answer } from "./record";
import { words } from "./words";

@customElement("followup-review")
export class FollowupReview extends FollowupElement {
  @property({ attribute: false }) parts: readonly Part[] = [];
  @property({ attribute: false }) picks: readonly QuestionPick[] = [];
  /** The id of the line that sums it up. */
  @property({ attribute: false }) summaryId = "";
  /** There is nothing yet that could be sent. */
  @property({ attribute: false }) empty = false;
  /** Nothing can be changed at the moment. */
  @property({ attribute: false }) locked = false;

  protected override render() {
    const { t, parts, picks } = this;
    const count = picks.filter(isAnswered).length;
    return html`<p class="hint" id=${this.summaryId}>${t("questions.count", { count, total: parts.length })}${
      this.empty ? html`<br />${t("questions.empty")}` : nothing
    }</p>
      <ol class="review">
        ${parts.map((part, index) => this.question(part, index))}
      </ol>`;
  }

  private question(part: Part, index: number) {
    const { t, locked } = this;
    const name = part.header || t("questions.number", { number: index + 1 });
    return html`<li class="review-item">
      <div class="review-head">
        <span class="tag" dir="auto" title=${name}>${name}</span>
        <button
          type="button"
          class="link-button change"
          aria-label=${t("questions.changeLabel", { question: part.header || whole(part.text) })}
          aria-disabled=${String(locked)}
          @click=${(event: MouseEvent) => locked || this.send("followup-step", { step: index, answering: true, from: event })}
        >
          ${t("questions.change")}
        </button>
      </div>
      ${words({ text: part.text, t, label: t("card.question"), markup: part.rendered?.question, class: "asked" })}
      ${answer(part, this.picks[index], t, "chosen", true)}
    </li>`;
  }
}
