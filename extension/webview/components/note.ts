// <followup-note>: the user's words beside a choice: a button that opens a text box for them, and the box.

import { html } from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import type { Controller } from "../controller";
import { FollowupElement } from "./element";
import { icon } from "./icon";
import { Mentions } from "./mentions";

@customElement("followup-note")
export class FollowupNote extends FollowupElement {
  @property({ attribute: false }) controller!: Controller;
  /** The card's id. */
  @property({ attribute: false }) questionId = "";
  @property({ attribute: false }) index = 0;
  /** What was written so far; undefined while the box is closed. */
  @property({ attribute: false }) notes: string | undefined;
  /** Nothing can be changed at the moment. */
  @property({ attribute: false }) locked = false;
  /** Without a note a click on an option answers at once. */
  @property({ attribute: false }) instant = false;

  private readonly mentions = new Mentions(
    this,
    () => this.querySelector("textarea"),
    () => `${this.questionId}-${this.index}-note-files`,
  );

  /** What gets the keyboard focus once it stands on the page. */
  private wanted: string | undefined;

  protected override updated(): void {
    const wanted = this.wanted && this.querySelector<HTMLElement>(this.wanted);
    if (wanted) {
      this.wanted = undefined;
      wanted.focus();
    }
  }

  protected override render() {
    const { t, notes, locked } = this;
    if (notes === undefined) {
      return html`<button
        type="button"
        class="link-button add-note"
        title=${t(this.instant ? "questions.addNoteInstantHint" : "questions.addNoteHint")}
        aria-disabled=${String(locked)}
        @click=${() => locked || this.change("", "textarea")}
      >
        ${icon("note")} ${t("questions.addNote")}
      </button>`;
    }
    return html`<div class="note">
      ${icon("note")}
      <textarea
        rows="1"
        dir="auto"
        aria-label=${t("questions.note")}
        placeholder=${t("questions.notePlaceholder")}
        .value=${live(notes)}
        ?readonly=${locked}
        @input=${(event: Event) => this.change((event.target as HTMLTextAreaElement).value)}
      ></textarea>
      <button
        type="button"
        class="icon-button"
        aria-label=${t("questions.removeNote")}
        title=${t("questions.removeNote")}
        aria-disabled=${String(locked)}
        @click=${() => locked || this.change(undefined, ".add-note")}
      >
        ${icon("close")}
      </button>
    </div>${this.mentions.list()}`;
  }

  /** `focus` names what gets the keyboard focus then. */
  private change(notes: string | undefined, focus?: string): void {
    this.wanted = focus;
    this.controller.repick(this.questionId, this.index, ({ notes: _notes, ...pick }) =>
      notes === undefined ? pick : { ...pick, notes },
    );
  }
}
