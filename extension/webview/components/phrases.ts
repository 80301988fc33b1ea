// <followup-phrases>: the user's phrases, as one Tab stop: arrow keys move, Enter inserts, and Delete
// removes, which can be undone.

import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Controller } from "../controller";
import { moved } from "../keys";
import { t } from "../strings";
import { iconButton, linkButton } from "./buttons";
import { FollowupElement } from "./element";

@customElement("followup-phrases")
export class FollowupPhrases extends FollowupElement {
  @property({ attribute: false }) controller!: Controller;
  @property({ attribute: false }) phrases: readonly string[] = [];
  @property({ attribute: false }) locked = false;
  @property({ attribute: false }) insert!: (phrase: string) => void;
  @state() private current = 0;
  /** The last removed phrase and its position, until the phrases change in another way. */
  @state() private removed: { phrase: string; at: number } | undefined;
  /** The position that gets the keyboard focus once the phrases have changed. */
  private wanted: number | undefined;

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { phrases } = this;
    if (changed.has("phrases")) {
      this.current = Math.max(0, Math.min(this.current, phrases.length - 1));
      this.removed = this.removed && phrases.includes(this.removed.phrase) ? undefined : this.removed;
    }
  }

  protected override updated(changed: PropertyValues<this>): void {
    const { phrases, wanted } = this;
    if (changed.has("phrases") && wanted !== undefined) {
      this.wanted = undefined;
      phrases.length > 0
        ? this.focusAt(Math.min(wanted, phrases.length - 1))
        : this.querySelector<HTMLElement>(".put-back")?.focus();
    }
  }

  protected override render() {
    const { phrases, removed } = this;
    if (phrases.length === 0 && removed === undefined) {
      return nothing;
    }
    return html`<ul class="phrases" aria-label=${t("phrases.label")}>
      ${phrases.map((phrase, index) => this.phrase(phrase, index))}
      ${removed === undefined ? nothing : html`<li>${this.putBackButton(removed.phrase, removed.at)}</li>`}
    </ul>`;
  }

  private phrase(phrase: string, index: number) {
    const { locked } = this;
    const tabindex = index === this.current ? "0" : "-1";
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
        @click=${() => this.insert(phrase)}
        @keydown=${(event: KeyboardEvent) => this.keydown(event, index)}
        @focus=${() => {
          this.current = index;
        }}
      >
        ${phrase}
      </button>
      ${iconButton({ sign: "close", label: t("phrases.remove", { phrase }), tabindex: "-1", run: () => this.takeOut(index) })}
    </li>`;
  }

  /** Its button disappears when the phrases have changed, so the focus moves on. */
  private putBackButton(phrase: string, at: number) {
    const label = t("phrases.putBack", { phrase });
    const run = () => {
      this.controller.setPhrases(this.phrases.toSpliced(at, 0, phrase));
      this.wanted = at;
    };
    return linkButton({ name: "put-back", sign: "discard", label, title: label, run }, t("undo.undo"));
  }

  private keydown(event: KeyboardEvent, index: number): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
      return;
    }
    const key = event.key.replace("Left", "Up").replace("Right", "Down");
    const target = moved(key, index, this.phrases.length - 1);
    if (target !== undefined) {
      event.preventDefault();
      this.focusAt(target);
    } else if (event.key === "Delete" && !event.repeat) {
      event.preventDefault();
      event.stopPropagation();
      this.takeOut(index);
    }
  }

  private takeOut(index: number): void {
    const { phrases } = this;
    this.removed = { phrase: phrases[index] ?? "", at: index };
    this.controller.setPhrases(phrases.filter((_, at) => at !== index));
    this.wanted = index;
  }

  private focusAt(index: number): void {
    this.current = index;
    this.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus();
  }
}
