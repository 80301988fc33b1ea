// <followup-closed>: how a question ended, and the user's unsent text.

import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { readPhrases } from "../boundary";
import { unsentText } from "../cards";
import { t } from "../strings";
import { diffButton } from "./approval";
import { linkButton, secondaryButton } from "./buttons";
import { CardElement } from "./element";
import { record } from "./record";
import { words } from "./text";

@customElement("followup-closed")
export class FollowupClosed extends CardElement {
  @property({ attribute: false }) phrases: readonly string[] = [];
  /** Ask whether to discard the unsent text. */
  @property({ attribute: false }) discarding = false;
  /** Keeps the unsent text. */
  @property({ attribute: false }) keep!: () => void;
  @state() private copied = false;

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("discarding") && this.discarding) {
      this.querySelector<HTMLElement>(".keep")?.focus();
    }
  }

  protected override render() {
    const { card, controller } = this;
    const unsent = unsentText(card);
    return html`${record(card, "names", diffButton(card, controller))} ${this.phraseSaver()}
      ${unsent === undefined ? nothing : this.unsent(unsent)}`;
  }

  private unsent(text: string) {
    const { card, controller, keep } = this;
    const discard = () => controller.gesture.allows(card.id, "discard") && controller.clear([card.id]);
    const copy = { name: "copy", run: () => this.copy(text) };
    return html`<div class="unsent own-unsent">
      ${notSent(t("outcome.unsent"), text, secondaryButton(copy, t(this.copied ? "outcome.copied" : "outcome.copy")))}
      ${
        this.discarding
          ? html`<p class="hint" role="alert">${t("outcome.discard")}</p>
              <div class="unsent-buttons">
                ${secondaryButton({ name: "keep", run: keep }, t("outcome.discardNo"))}
                ${secondaryButton({ name: "discard", run: discard }, t("outcome.discardYes"))}
              </div>`
          : nothing
      }
    </div>`;
  }

  private async copy(text: string): Promise<void> {
    try {
      await this.controller.link.host.copy({ text });
      this.copied = true;
    } catch {
      this.controller.say("problem.notCopied");
    }
  }

  private phraseSaver() {
    const { card, phrases, controller } = this;
    const { outcome: how, provenance, text = "" } = card.outcome ?? {};
    const extended = readPhrases([...phrases, text]);
    const save = () => {
      controller.setPhrases(extended);
      this.closest<HTMLElement>("followup-card")?.focus({ preventScroll: true });
    };
    return how === "answered" && provenance === "typed" && extended.length > phrases.length
      ? linkButton({ name: "save-phrase", sign: "bookmark", run: save }, t("phrases.save"))
      : nothing;
  }
}

/** Text that did not become the answer, and buttons for it. */
export function notSent(label: string, text: string, buttons: unknown) {
  return html`<p class="hint">${label}</p>
    ${words({ text, label, class: "unsent-text" })}
    <div class="unsent-buttons">${buttons}</div>`;
}
