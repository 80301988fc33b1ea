// <followup-composer>: where the user writes an answer of their own, edits a suggestion, and adds images.

import "@vscode-elements/elements/dist/vscode-button/index.js";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { isSendable, retyped } from "../answer";
import type { Controller } from "../controller";
import { limits, type Refusal, room } from "../images/plan";
import { readImage } from "../images/read";
import type { Card } from "../state";
import { FollowupElement } from "./element";
import { icon } from "./icon";
import "./thumbnails";

/**
 * The longest text that goes into the box as if typed, so that undo takes it back; the browser takes a second
 * for 50,000 characters.
 */
const undoableLength = 5_000;

@customElement("followup-composer")
export class FollowupComposer extends FollowupElement {
  @property({ attribute: false }) card!: Card;
  @property({ attribute: false }) controller!: Controller;
  /** Nothing can be sent at the moment. */
  @property({ attribute: false }) locked = false;
  /** How many images are being read. */
  @state() private reading = 0;
  /** Why images were not added. */
  @state() private refusals: string[] = [];
  /** What stood in the box before a suggestion was moved to it. */
  private typedBefore: string | undefined;
  @query("textarea") private box!: HTMLTextAreaElement;
  @query("input[type=file]") private chooser!: HTMLInputElement;

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
    this.insert(typed === "" || typed.endsWith("\n") ? chosen.answer : `\n${chosen.answer}`);
    const { value } = this.box;
    this.controller.redraft(this.card.id, ({ images }) => ({
      text: value,
      images,
      suggestion,
      mode: chosen.mode,
    }));
  }

  /** Adds the images among the files; what cannot be added is said. */
  async addFiles(files: readonly File[]): Promise<void> {
    const { id } = this.card;
    const taken = files.slice(0, room(this.controller.draft(id).images.length + this.reading, files.length));
    const { count: limit } = limits;
    const left = files.length - taken.length;
    this.refusals = left > 0 ? [this.t("images.tooMany", { count: left, limit })] : [];
    this.reading += taken.length;
    for (const file of taken) {
      const read = await readImage(file);
      this.reading--;
      if ("image" in read) {
        this.controller.redraft(id, (draft) => ({ ...draft, images: [...draft.images, read.image] }));
      } else {
        this.refusals = [...this.refusals, this.refusal(read.refused, read.name)];
      }
    }
  }

  protected override updated(changed: PropertyValues<this>): void {
    const text = this.card.draft?.text ?? "";
    // The box is ahead of the state only within an event of its own; else the state was restored.
    if (changed.has("card") && this.box.value !== text) {
      this.box.value = text;
    }
  }

  protected override render() {
    const { t, card } = this;
    const draft = this.controller.draft(card.id);
    const sendable = isSendable(draft) && !this.locked && this.reading === 0;
    return html`
      ${
        draft.images.length > 0 && card.suggest.length > 0
          ? html`<p class="hint">${t("suggestions.images", { count: draft.images.length })}</p>`
          : nothing
      }
      <div class="composer">
        ${this.origin()}
        <followup-thumbnails
          .t=${t}
          .images=${draft.images}
          .locked=${card.phase === "sending"}
          @followup-remove-image=${(event: CustomEvent<{ index: number }>) => this.removeImage(event.detail.index)}
        ></followup-thumbnails>
        <textarea
          rows="1"
          dir="auto"
          aria-label=${t("composer.label")}
          placeholder=${t("composer.placeholder")}
          ?readonly=${card.phase === "sending"}
          @input=${this.input}
          @keydown=${this.keydown}
          @paste=${this.paste}
        ></textarea>
        <div class="composer-bar">
          <button
            type="button"
            class="icon-button attach"
            aria-label=${t("composer.attach")}
            title=${t("composer.attach")}
            aria-disabled=${card.phase === "sending" ? "true" : nothing}
            @click=${() => card.phase === "sending" || this.chooser.click()}
          >
            ${icon("attach")}
          </button>
          <input
            type="file"
            class="visually-hidden"
            accept="image/png,image/jpeg,image/gif,image/webp"
            multiple
            tabindex="-1"
            aria-hidden="true"
            @change=${this.chosenFiles}
          />
          <vscode-button
            class="send"
            title=${t("composer.sendHint")}
            ?disabled=${!sendable}
            aria-disabled=${String(!sendable)}
            @click=${this.submit}
            >${t("composer.send")}</vscode-button
          >
        </div>
      </div>
      <p class="hint" role="status">${this.reading > 0 ? t("images.reading", { count: this.reading }) : nothing}</p>
      ${this.refusals.length > 0 ? html`<div class="refusals" role="alert">${this.refusals.map(refusalLine)}</div>` : nothing}
    `;
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
              ><button type="button" class="icon-button" aria-label=${label} title=${label} @click=${this.removeMode}>
                ${icon("close")}
              </button></span
            >`
          : nothing
      }
    </div>`;
  }

  private readonly input = (): void => {
    this.refusals = [];
    const text = this.box.value;
    const undone = text === this.typedBefore;
    this.controller.redraft(this.card.id, (draft) =>
      undone ? { text, images: draft.images } : retyped(draft, text),
    );
  };

  private readonly keydown = (event: KeyboardEvent): void => {
    // While an input method composes a character, Enter takes its proposal. Safari's and older engines' code
    // for it is 229.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) {
      return;
    }
    event.preventDefault();
    if (!event.repeat) {
      this.submit(event);
    }
  };

  private readonly submit = (event: Event): void => {
    if (this.reading === 0 && !this.locked) {
      this.controller.submit(this.card.id, event);
    }
  };

  private readonly paste = (event: ClipboardEvent): void => {
    const files = filesOf(event.clipboardData);
    // A copy out of a spreadsheet or a document holds a picture of the text besides the text.
    if (files.length > 0 && !event.clipboardData?.types.includes("text/plain")) {
      event.preventDefault();
      void this.addFiles(files);
    }
    event.stopPropagation();
  };

  private readonly chosenFiles = (): void => {
    const files = [...(this.chooser.files ?? [])];
    this.chooser.value = "";
    this.box.focus();
    void this.addFiles(files);
  };

  private readonly removeMode = (): void => {
    this.controller.redraft(this.card.id, ({ mode: _mode, ...draft }) => draft);
    this.box.focus();
  };

  private removeImage(index: number): void {
    this.refusals = [];
    this.controller.redraft(this.card.id, (draft) => ({
      ...draft,
      images: draft.images.filter((_, at) => at !== index),
    }));
    this.box.focus();
  }

  private insert(text: string): void {
    // The only way to put text into a box that its undo knows; there is no successor to it.
    if (text.length > undoableLength || !document.execCommand("insertText", false, text)) {
      this.box.setRangeText(text, this.box.selectionStart, this.box.selectionEnd, "end");
    }
  }

  private refusal(why: Refusal, name: string): string {
    const mebibytes = (bytes: number) => bytes / 1024 / 1024;
    const values: Record<Refusal, Record<string, number>> = {
      format: {},
      unreadable: {},
      gifTooLarge: { limit: mebibytes(limits.bytes), side: limits.side },
      tooManyPixels: { limit: limits.pixels / 1e6 },
      fileTooLarge: { limit: mebibytes(limits.fileBytes) },
    };
    return this.t(`images.${why}`, { name, ...values[why] });
  }
}

function refusalLine(text: string) {
  return html`<p>${text}</p>`;
}

/** The files in what was pasted or dropped. */
export function filesOf(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])];
}
