// <followup-unsent>: what the user had begun for a question that is closed now, and that was not sent.

import { html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { Controller } from "../controller";
import { t } from "../strings";
import { secondaryButton } from "./buttons";
import { FollowupElement } from "./element";
import { words } from "./text";

@customElement("followup-unsent")
export class FollowupUnsent extends FollowupElement {
  @property({ attribute: false }) questionId = "";
  @property({ attribute: false }) text = "";
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
    const { text } = this;
    return html`<div class="unsent">
      <p class="hint">${t("outcome.unsent")}</p>
      ${words({ text, label: t("outcome.unsent"), class: "unsent-text" })}
      <div class="unsent-buttons">
        ${secondaryButton({ name: "copy", run: () => this.copy() }, t(this.copied ? "outcome.copied" : "outcome.copy"))}
      </div>
      ${this.discarding ? this.question() : nothing}
    </div>`;
  }

  private question() {
    const { questionId, controller } = this;
    const keep = () => {
      this.discarding = false;
      this.closest<HTMLElement>("followup-card")?.focus();
    };
    const discard = () => controller.gesture.allows(questionId, "discard") && controller.clear([questionId]);
    return html`<p class="hint" role="alert">${t("outcome.discard")}</p>
      <div class="unsent-buttons">
        ${secondaryButton({ name: "keep", run: keep }, t("outcome.discardNo"))}
        ${secondaryButton({ name: "discard", run: discard }, t("outcome.discardYes"))}
      </div>`;
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.text);
      this.copied = true;
    } catch {
      // Without the clipboard's permission the text is selected, and the editor's own Copy takes it.
      getSelection()?.selectAllChildren(this.unsentText);
    }
  }
}
