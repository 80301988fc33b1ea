// <followup-suggestions>: the suggested answers as buttons. One of them takes part in the Tab order; the
// arrow keys move between them.

import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Suggestion } from "../../src/protocol.gen";
import { digitAt, moved } from "../keys";
import { FollowupElement } from "./element";
import { icon } from "./icon";
import { modeBadge } from "./record";
import "./places";

/** How long a suggestion is shown whole, in UTF-16 code units and in lines; the composer shows all of it. */
const wholeLength = 1500;
const wholeLines = 30;

@customElement("followup-suggestions")
export class FollowupSuggestions extends FollowupElement {
  @property({ attribute: false }) suggest: readonly Suggestion[] = [];
  /** The call is not whole yet. */
  @property({ attribute: false }) incomplete = false;
  /** Nothing can be chosen at the moment, but the keyboard focus stays where it is. */
  @property({ attribute: false }) locked = false;
  /** The digits choose from this card. */
  @property({ attribute: false }) digits = false;
  /** The user's words go with what is chosen. */
  @property({ attribute: false }) along = false;
  /** The suggestion that was sent. */
  @property({ attribute: false }) chosen: number | undefined;
  /** The suggestion that can be reached with Tab. */
  @state() private current = 0;

  /** Gives the keyboard focus to the suggestion that Tab reaches; false when there is none. */
  focusCurrent(): boolean {
    const button = this.button(this.current);
    button?.focus();
    return button !== null;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("suggest") && this.current >= this.suggest.length) {
      this.current = 0;
    }
  }

  protected override render() {
    if (this.suggest.length === 0) {
      return nothing;
    }
    return html`<ul class="suggestions" aria-label=${this.t("suggestions.label")}>
      ${this.suggest.map((suggestion, index) => this.row(suggestion, index))}
    </ul>`;
  }

  private row(suggestion: Suggestion, index: number) {
    const { t } = this;
    const tabindex = index === this.current ? "0" : "-1";
    const long = isLong(suggestion.answer);
    const digit = digitAt(index) || undefined;
    return html`<li class="suggestion" data-chosen=${index === this.chosen ? "" : nothing}>
      <button
        type="button"
        class="choose"
        data-index=${index}
        tabindex=${tabindex}
        ?disabled=${this.incomplete}
        aria-disabled=${this.locked ? "true" : nothing}
        aria-keyshortcuts=${digit && this.digits ? digit : nothing}
        @click=${(event: MouseEvent) => this.activate(event, index)}
        @keydown=${(event: KeyboardEvent) => this.keydown(event, index)}
        @focus=${() => {
          this.current = index;
        }}
      >
        <span class="digit" aria-hidden="true"
          >${index === this.chosen ? icon("check") : ((this.digits ? digit : undefined) ?? "•")}</span
        >
        <span class="answer" dir="auto" data-long=${long ? "" : nothing}>${suggestion.answer}</span>
        ${long ? html`<span class="hint">${t("suggestions.long")}</span>` : nothing}
        ${modeBadge(suggestion.mode, t)}
        ${this.along ? html`<span class="along">${t("suggestions.along")}</span>` : nothing}
      </button>
      <button
        type="button"
        class="icon-button edit"
        tabindex=${tabindex}
        ?disabled=${this.incomplete}
        aria-disabled=${this.locked ? "true" : nothing}
        aria-label=${t("suggestions.edit", { number: index + 1 })}
        title=${t("suggestions.editHint")}
        @click=${() => this.edit(index)}
        @focus=${() => {
          this.current = index;
        }}
      >
        ${icon("edit")}
      </button>
      ${this.incomplete ? nothing : html`<followup-places .t=${t} .text=${suggestion.answer}></followup-places>`}
    </li>`;
  }

  private activate(event: MouseEvent, index: number): void {
    if (event.shiftKey) {
      this.edit(index);
    } else if (!this.locked) {
      this.send("followup-choose", { suggestion: index, from: event });
    }
  }

  private edit(index: number): void {
    if (!this.locked) {
      this.send("followup-edit", { suggestion: index });
    }
  }

  private keydown(event: KeyboardEvent, index: number): void {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const target = moved(event.key, index, this.suggest.length - 1);
    if (plain && target !== undefined) {
      event.preventDefault();
      this.current = target;
      this.button(target)?.focus();
    } else if (plain && ((event.key === "Enter" && event.shiftKey) || event.key.toLowerCase() === "e")) {
      event.preventDefault();
      this.edit(index);
    }
  }

  private button(index: number): HTMLElement | null {
    return this.querySelector(`.choose[data-index="${index}"]:not(:disabled)`);
  }
}

function isLong(text: string): boolean {
  return text.length > wholeLength || text.split("\n", wholeLines + 1).length > wholeLines;
}
