// <followup-card data-id data-state>: one question, from its first word to its outcome.

import "@vscode-elements/elements/dist/vscode-button/index.js";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import type { Controller } from "../controller";
import type { Card } from "../state";
import { moment } from "../strings";
import { type FollowupComposer, filesOf } from "./composer";
import { FollowupElement, type ViewEvents } from "./element";
import { icon } from "./icon";
import type { FollowupSuggestions } from "./suggestions";
import "./outcome";
import "./suggestions";
import "./text";

@customElement("followup-card")
export class FollowupCard extends FollowupElement {
  @property({ attribute: false }) card!: Card;
  @property({ attribute: false }) controller!: Controller;
  @property({ attribute: false }) locale = "en";
  /** There is trouble with the sidecar: nothing can be sent. */
  @property({ attribute: false }) trouble = false;
  /** The digits choose from this card. */
  @property({ attribute: false }) digits = false;
  @query("followup-suggestions") private suggestions!: FollowupSuggestions | null;
  @query("followup-composer") private composer!: FollowupComposer | null;

  constructor() {
    super();
    this.addEventListener("followup-choose", (event) => {
      const { suggestion, from } = (event as CustomEvent<ViewEvents["followup-choose"]>).detail;
      this.controller.choose(this.card.id, suggestion, from);
    });
    this.addEventListener("followup-edit", (event) => {
      this.composer?.edit((event as CustomEvent<ViewEvents["followup-edit"]>).detail.suggestion);
    });
    this.addEventListener("paste", (event) => this.takeFiles(event, event.clipboardData));
    this.addEventListener("dragover", (event) => this.dragOver(event));
    this.addEventListener("dragleave", () => this.removeAttribute("data-drop"));
    this.addEventListener("drop", (event) => this.takeFiles(event, event.dataTransfer));
  }

  /** Gives the keyboard focus to what answers the question, or to the card where nothing can yet. */
  focusAnswer(): void {
    if (this.card.phase === "pending" && this.composer !== null) {
      if (!this.suggestions?.focusCurrent()) {
        this.composer.focusBox();
      }
    } else {
      this.focus();
    }
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { agent, id, phase } = this.card;
    this.dataset.id = id;
    this.dataset.state = phase;
    this.role = "article";
    this.tabIndex = -1;
    this.ariaBusy = String(phase === "streaming");
    this.toggleAttribute("data-guidance", this.card.guidance !== undefined);
    this.ariaLabel = this.t(this.card.guidance ? "card.guidanceLabel" : "card.label", { agent });
    // Its buttons are about to go away; a focus that stands on one of them stays with the card. Where the
    // focus is elsewhere in the editor, it stays there.
    const closes = phase === "closed" && changed.get("card")?.phase !== undefined;
    if (
      closes &&
      document.hasFocus() &&
      this !== document.activeElement &&
      this.contains(document.activeElement)
    ) {
      this.focus({ preventScroll: true });
    }
  }

  protected override render() {
    const { t, card } = this;
    const { phase } = card;
    return html`
      ${this.header()}
      <followup-text class="question" dir="auto" .label=${t("card.question")} .text=${card.question}></followup-text>
      ${card.guidance ? html`<p class="hint">${t("card.guidanceHint", { message: card.guidance.error.message })}</p>` : nothing}
      ${phase === "queued" ? html`<p class="hint">${t("card.queuedHint")}</p>` : nothing}
      ${phase === "streaming" || phase === "pending" || phase === "sending" ? this.choices() : nothing}
      ${phase === "pending" || phase === "sending" ? this.answering() : nothing}
      ${phase === "closed" ? html`<followup-outcome .t=${t} .card=${card}></followup-outcome>` : nothing}
    `;
  }

  private header() {
    const { card } = this;
    return html`<div class="card-header">
      ${icon(card.guidance ? "warning" : "comment-discussion")}
      <h2 class="agent" dir="auto" title=${card.agent}>${card.agent}</h2>
      ${this.status() ?? html`<time datetime=${new Date(card.askedAt).toISOString()}>${moment(card.askedAt, this.locale)}</time>`}
    </div>`;
  }

  private status() {
    switch (this.card.phase) {
      case "streaming":
        return html`<span class="status">${icon("loading", true)} ${this.t("card.streaming")}</span>`;
      case "sending":
        return html`<span class="status">${icon("loading", true)} ${this.t("card.sending")}</span>`;
      case "queued":
        return html`<span class="status">${icon("history")} ${this.t("card.queued")}</span>`;
      default:
        return undefined;
    }
  }

  private choices() {
    const { card } = this;
    return html`<followup-suggestions
      .t=${this.t}
      .suggest=${card.suggest}
      .incomplete=${card.phase === "streaming"}
      .locked=${card.phase === "sending" || this.trouble}
      .digits=${this.digits}
      .chosen=${card.sent?.provenance === "clicked" ? card.sent.suggestion : undefined}
    ></followup-suggestions>`;
  }

  private answering() {
    const { t, card } = this;
    const locked = card.phase === "sending" || this.trouble;
    return html`<followup-composer
        .t=${t}
        .card=${card}
        .controller=${this.controller}
        .locked=${locked}
      ></followup-composer>
      ${card.refused === undefined ? nothing : html`<p class="refused" role="alert">${icon("error")} ${card.refused}</p>`}
      <div class="card-footer">
        <button
          type="button"
          class="link-button dismiss"
          title=${t(card.guidance ? "card.guidanceDismissHint" : "card.dismissHint")}
          aria-disabled=${locked ? "true" : nothing}
          @click=${(event: MouseEvent) => this.controller.dismiss(card.id, event)}
        >
          ${t("card.dismiss")}
        </button>
      </div>`;
  }

  private dragOver(event: DragEvent): void {
    if (event.dataTransfer?.types.includes("Files") && this.composer !== null) {
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      this.setAttribute("data-drop", "");
    }
  }

  private takeFiles(event: Event, data: DataTransfer | null): void {
    this.removeAttribute("data-drop");
    const files = filesOf(data);
    if (files.length > 0 && this.composer !== null) {
      event.preventDefault();
      void this.composer.addFiles(files);
    }
  }
}
