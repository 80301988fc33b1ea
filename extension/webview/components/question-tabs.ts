// <followup-question-tabs>: one tab for each question of a questionnaire and one for the review. One of them takes
// part in the Tab order; the arrow keys move between them, and what has the focus is shown (the tabs pattern of the
// ARIA Authoring Practices Guide).

import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { moved } from "../keys";
import { type Part, shortHeader } from "../parts";
import { FollowupElement } from "./element";
import { icon } from "./icon";

@customElement("followup-question-tabs")
export class FollowupQuestionTabs extends FollowupElement {
  /** What the ids of the tabs and of the panel begin with. */
  @property({ attribute: false }) ids = "";
  @property({ attribute: false }) parts: readonly Part[] = [];
  /** Which questions are answered. */
  @property({ attribute: false }) answered: readonly boolean[] = [];
  /** The tab that is shown; one past the last question is the review. */
  @property({ attribute: false }) step = 0;
  /** More questions may come: there is nothing to review yet. */
  @property({ attribute: false }) incomplete = false;

  protected override render() {
    const { t, parts } = this;
    return html`<div class="tabs" role="tablist" aria-label=${t("questions.label")} @keydown=${this.keydown}>
      ${parts.map((part, index) => this.questionTab(part, index))}
      ${this.incomplete ? nothing : this.tab(parts.length, t("questions.review"), html`${icon("checklist")}`)}
    </div>`;
  }

  private questionTab({ header }: Part, index: number) {
    const { t } = this;
    const name = header || t("questions.number", { number: index + 1 });
    const answered = this.answered[index] ?? false;
    const mark = html`${icon(answered ? "pass-filled" : "circle-large")}`;
    return this.tab(index, name, mark, answered);
  }

  private tab(index: number, name: string, mark: unknown, answered = false) {
    const selected = index === this.step;
    const { ids } = this;
    return html`<button
      type="button"
      class="tab"
      role="tab"
      id="${ids}-tab-${index}"
      aria-selected=${String(selected)}
      aria-controls=${selected ? `${ids}-panel` : nothing}
      tabindex=${selected ? "0" : "-1"}
      title=${name}
      aria-label=${answered ? this.t("questions.answered", { name }) : name}
      data-index=${index}
      data-answered=${answered ? "" : nothing}
      @click=${(event: MouseEvent) => this.show(index, event)}
    >
      ${mark}<span class="tab-name" dir="auto">${shortHeader(name)}</span>
    </button>`;
  }

  private show(step: number, from: Event): void {
    this.send("followup-step", { step, answering: false, from });
  }

  private readonly keydown = (event: KeyboardEvent): void => {
    const last = this.parts.length - (this.incomplete ? 1 : 0);
    const target = moved(event.key, this.step, last, ["ArrowLeft", "ArrowRight"]);
    if (target === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
      return;
    }
    event.preventDefault();
    this.show(target, event);
    this.querySelector<HTMLElement>(`[data-index="${target}"]`)?.focus();
  };
}
