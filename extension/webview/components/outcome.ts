// <followup-outcome>: how a question ended, and what the user had typed if it was not sent.

import "@vscode-elements/elements/dist/vscode-badge/index.js";
import "@vscode-elements/elements/dist/vscode-button/index.js";
import { html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { Controller } from "../controller";
import { outcomeIcons, outcomeLine, outcomeText } from "../outcome";
import type { Card } from "../state";
import { FollowupElement } from "./element";
import { icon } from "./icon";
import "./text";

/** How much of an answer the card shows, in UTF-16 code units: laying out one endless line takes the browser long. */
const shownLength = 20_000;

@customElement("followup-outcome")
export class FollowupOutcome extends FollowupElement {
  @property({ attribute: false }) card!: Card;
  @property({ attribute: false }) controller!: Controller;
  @state() private copied = false;
  /** The user is asked whether the words may go. */
  @state() private discarding = false;
  @query(".unsent-text") private unsentText!: HTMLElement;

  /** Asks whether the words that were not sent may go with the card. */
  askToDiscard(): void {
    this.discarding = true;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(".keep")?.focus());
  }

  protected override render() {
    const { t, card } = this;
    const { outcome, unsent } = card;
    if (outcome === undefined) {
      return nothing;
    }
    const text = outcomeText(card);
    return html`<div class="outcome">
        ${icon(outcomeIcons[outcome.outcome])}
        <div class="outcome-body">
          ${
            text
              ? html`<followup-text class="outcome-text" dir="auto" .label=${t("composer.label")} .text=${text.slice(0, shownLength)}></followup-text>`
              : nothing
          }
          ${text && text.length > shownLength ? html`<p class="hint">${t("outcome.long")}</p>` : nothing}
          <p class="outcome-line">
            ${outcomeLine(card, t, card.parts?.length)}${
              outcome.mode
                ? html` <vscode-badge class="mode"
                    ><span class="visually-hidden">${t("suggestions.mode")} </span>${outcome.mode}</vscode-badge
                  >`
                : nothing
            }
          </p>
        </div>
      </div>
      ${unsent === undefined ? nothing : this.unsent(unsent)}`;
  }

  private unsent(text: string) {
    const { t } = this;
    return html`<div class="unsent">
      <p class="hint">${t("outcome.unsent")}</p>
      <followup-text class="unsent-text" dir="auto" .label=${t("outcome.unsent")} .text=${text}></followup-text>
      <div class="unsent-buttons">
        <vscode-button secondary class="copy" @click=${() => this.copy(text)}
          >${this.copied ? t("outcome.copied") : t("outcome.copy")}</vscode-button
        >
      </div>
      ${this.discarding ? this.question() : nothing}
    </div>`;
  }

  private question() {
    const { t, card, controller } = this;
    return html`<p class="hint" role="alert">${t("outcome.discard")}</p>
      <div class="unsent-buttons">
        <vscode-button
          secondary
          class="keep"
          @click=${() => {
            this.discarding = false;
            this.closest<HTMLElement>("followup-card")?.focus();
          }}
          >${t("outcome.discardNo")}</vscode-button
        >
        <vscode-button
          secondary
          class="discard"
          @click=${(event: Event) => controller.guard.allows(`${card.id} discard`, event) && controller.clear([card.id])}
          >${t("outcome.discardYes")}</vscode-button
        >
      </div>`;
  }

  private async copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.copied = true;
    } catch {
      // Without the clipboard's permission the text is selected, and the editor's own Copy takes it.
      getSelection()?.selectAllChildren(this.unsentText);
    }
  }
}
