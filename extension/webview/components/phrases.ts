// <followup-phrases>: the user's ready phrases under a text box. One of them takes part in the Tab order; the arrow keys move between
// them, Enter puts one into the box, and Delete takes it out of the list.

import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Controller } from "../controller";
import { moved } from "../keys";
import { FollowupElement } from "./element";
import { icon } from "./icon";

@customElement("followup-phrases")
export class FollowupPhrases extends FollowupElement {
  @property({ attribute: false }) controller!: Controller;
  @property({ attribute: false }) phrases: readonly string[] = [];
  /** Nothing can be changed at the moment. */
  @property({ attribute: false }) locked = false;
  /** The phrase that can be reached with Tab. */
  @state() private current = 0;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("phrases") && this.current >= this.phrases.length) {
      this.current = Math.max(0, this.phrases.length - 1);
    }
  }

  protected override render() {
    const { t, phrases } = this;
    if (phrases.length === 0) {
      return nothing;
    }
    return html`<ul class="phrases" aria-label=${t("phrases.label")}>
      ${phrases.map((phrase, index) => this.phrase(phrase, index))}
    </ul>`;
  }

  private phrase(phrase: string, index: number) {
    const { t, locked } = this;
    const tabindex = index === this.current ? "0" : "-1";
    const remove = t("phrases.remove", { phrase });
    return html`<li class="phrase">
      <button
        type="button"
        class="phrase-words"
        dir="auto"
        data-index=${index}
        tabindex=${tabindex}
        title=${phrase}
        aria-keyshortcuts="Delete"
        aria-disabled=${locked ? "true" : nothing}
        @click=${() => locked || this.send("followup-phrase", { phrase })}
        @keydown=${(event: KeyboardEvent) => this.keydown(event, index)}
        @focus=${() => {
          this.current = index;
        }}
      >
        ${phrase}
      </button>
      <button type="button" class="icon-button" tabindex="-1" aria-label=${remove} title=${remove} @click=${() => this.takeOut(index)}>
        ${icon("close")}
      </button>
    </li>`;
  }

  private keydown(event: KeyboardEvent, index: number): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
      return;
    }
    const last = this.phrases.length - 1;
    const target =
      moved(event.key, index, last, ["ArrowLeft", "ArrowRight"]) ?? moved(event.key, index, last);
    if (target !== undefined) {
      event.preventDefault();
      this.focusAt(target);
    } else if (event.key === "Delete" && !event.repeat) {
      event.preventDefault();
      event.stopPropagation();
      this.takeOut(index);
      void this.updateComplete.then(() => this.focusAt(Math.min(index, this.phrases.length - 1)));
    }
  }

  private takeOut(index: number): void {
    this.controller.setPhrases(this.phrases.filter((_, at) => at !== index));
  }

  private focusAt(index: number): void {
    this.current = index;
    this.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus();
  }
}
