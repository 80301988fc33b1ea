// <followup-composer>: where the user writes an answer of their own or a reply, edits a suggestion, and adds
// images.

import "@vscode-elements/elements/dist/vscode-button/index.js";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { isAttached, isSendable, retyped, withoutSuggestion } from "../answer";
import type { Card } from "../cards";
import type { Controller } from "../controller";
import { isEnter } from "../keys";
import { FollowupElement, type ViewEvents } from "./element";
import { icon } from "./icon";
import { ImageIntake, insertText } from "./intake";
import { Mentions } from "./mentions";
import "./phrases";

@customElement("followup-composer")
export class FollowupComposer extends FollowupElement {
  @property({ attribute: false }) card!: Card;
  @property({ attribute: false }) controller!: Controller;
  /** Nothing can be sent at the moment. */
  @property({ attribute: false }) locked = false;
  /** The user's ready phrases. */
  @property({ attribute: false }) phrases: readonly string[] = [];
  /** The text is a reply to a questionnaire instead of its answers. */
  @property({ attribute: false }) reply = false;
  private readonly intake = new ImageIntake(
    this,
    () => this.box.focus(),
    () => this.box,
  );
  private readonly mentions = new Mentions(
    this,
    () => this.box,
    () => `${this.card.id}-files`,
  );
  /** What stood in the box before a suggestion was moved to it. */
  private typedBefore: string | undefined;
  @query("textarea") private box!: HTMLTextAreaElement;

  /** Gives the keyboard focus to the text box. */
  focusBox(): void {
    this.box.focus();
  }

  /** Moves a suggestion into the box, behind what the user had typed, and gives it the keyboard focus. */
  edit(suggestion: number): void {
    const chosen = this.card.suggest[suggestion];
    if (chosen === undefined || this.card.phase !== "pending") {
      return;
    }
    const typed = this.box.value;
    this.typedBefore = typed;
    this.box.focus();
    this.box.setSelectionRange(typed.length, typed.length);
    insertText(this.box, typed === "" || typed.endsWith("\n") ? chosen.answer : `\n${chosen.answer}`);
    const { value } = this.box;
    this.controller.redraft(this.card.id, ({ images, quotes }) => ({
      text: value,
      images,
      quotes,
      suggestion,
      mode: chosen.mode,
    }));
  }

  /** Puts words into the box at its cursor, apart from those before and behind, and gives it the keyboard focus. */
  private insert(words: string): void {
    const { value, selectionStart, selectionEnd } = this.box;
    const before = selectionStart > 0 && !/\s$/.test(value.slice(0, selectionStart)) ? " " : "";
    const behind = selectionEnd < value.length && !/^\s/.test(value.slice(selectionEnd)) ? " " : "";
    this.box.focus();
    insertText(this.box, before + words + behind);
  }

  /** Adds images among the files, and the paths of others that the editor has; what cannot be added is said. */
  addFiles(files: readonly File[], uris: readonly string[] = []): Promise<void> {
    return this.intake.add(files, uris);
  }

  protected override updated(changed: PropertyValues<this>): void {
    const text = this.card.draft?.text ?? "";
    // The box is ahead of the state only within an event of its own; else the state was restored.
    if (changed.has("card") && this.box.value !== text) {
      this.box.value = text;
    }
  }

  protected override render() {
    const { t, card, intake } = this;
    const draft = this.controller.draft(card.id);
    const sendable = isSendable(draft) && !this.locked && !intake.busy;
    const sending = card.phase !== "pending";
    return html`
      ${
        isAttached(draft) && card.suggest.length > 0
          ? html`<p class="hint">${
              draft.quotes?.length
                ? t("suggestions.attached")
                : t("suggestions.images", { count: draft.images.length })
            }</p>`
          : nothing
      }
      <div class="composer">
        ${this.origin()} ${intake.thumbnails(sending)}
        <textarea
          rows="1"
          dir="auto"
          aria-label=${t(this.reply ? "reply.label" : "composer.label")}
          placeholder=${t(this.reply ? "reply.placeholder" : "composer.placeholder")}
          ?readonly=${sending}
          @input=${this.input}
          @keydown=${this.keydown}
          @paste=${this.paste}
        ></textarea>
        ${this.mentions.list()} ${intake.quotes(sending)}
        ${card.phase === "closed" ? nothing : this.bar(sendable, sending)}
      </div>
      <followup-phrases
        .t=${t}
        .controller=${this.controller}
        .phrases=${this.phrases}
        .locked=${sending}
        @followup-phrase=${(event: CustomEvent<ViewEvents["followup-phrase"]>) => this.insert(event.detail.phrase)}
      ></followup-phrases>
      ${intake.notices()}
    `;
  }

  private bar(sendable: boolean, sending: boolean) {
    const { t, intake } = this;
    return html`<div class="composer-bar">
          ${intake.chooser(sending)}
          <vscode-button
            class="send"
            title=${t("composer.sendHint")}
            ?disabled=${!sendable}
            aria-disabled=${String(!sendable)}
            @click=${this.submit}
            >${t(this.reply ? "reply.send" : "composer.send")}</vscode-button
          >
        </div>`;
  }

  /** Where the text came from, and the mode that goes with it. */
  private origin() {
    const { suggestion, mode } = this.controller.draft(this.card.id);
    if (suggestion === undefined) {
      return nothing;
    }
    const label = this.t("composer.removeMode", { mode: mode ?? "" });
    return html`<div class="origin">
      ${icon("edit")} <span>${this.t("composer.editing", { number: suggestion + 1 })}</span>
      ${
        mode
          ? html`<span class="chip"
              ><span class="visually-hidden">${this.t("suggestions.mode")} </span><span class="chip-text">${mode}</span
              ><button
                type="button"
                class="icon-button"
                aria-label=${label}
                title=${label}
                aria-disabled=${this.card.phase === "pending" ? nothing : "true"}
                @click=${this.removeMode}
              >
                ${icon("close")}
              </button></span
            >`
          : nothing
      }
    </div>`;
  }

  private readonly input = (): void => {
    this.intake.forgetRefusals();
    const text = this.box.value;
    const undone = text === this.typedBefore;
    this.controller.redraft(this.card.id, (draft) =>
      undone ? withoutSuggestion(draft, text) : retyped(draft, text),
    );
  };

  private readonly keydown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || !isEnter(event) || event.shiftKey) {
      return;
    }
    event.preventDefault();
    if (!event.repeat) {
      this.submit(event);
    }
  };

  private readonly submit = (event: Event): void => {
    if (!this.intake.busy && !this.locked) {
      this.controller.submit(this.card.id, event);
    }
  };

  private readonly paste = (event: ClipboardEvent): void => this.intake.paste(event);

  private readonly removeMode = (): void => {
    if (this.card.phase === "pending") {
      this.controller.redraft(this.card.id, ({ mode: _mode, ...draft }) => draft);
      this.box.focus();
    }
  };
}
