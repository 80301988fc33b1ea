// <followup-options>: the options of one question and the user's own words beside them. They are radio buttons or
// checkboxes, or, where a click answers at once, buttons. A preview stands beside them or, in a narrow view, under
// the option it belongs to.

import { html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import type { Option, PickDraft } from "../../src/protocol.gen";
import type { Controller } from "../controller";
import { digitAt, moved } from "../keys";
import { hasPreviews, isMany, type Part, recommendation } from "../parts";
import { chosen, otherChosen, otherTyped, toPick } from "../picks";
import { FollowupElement } from "./element";
import { icon } from "./icon";
import { Mentions } from "./mentions";
import { preview } from "./preview";
import "./places";
import "./text";

@customElement("followup-options")
export class FollowupOptions extends FollowupElement {
  @property({ attribute: false }) controller!: Controller;
  /** The card's id. */
  @property({ attribute: false }) questionId = "";
  @property({ attribute: false }) index = 0;
  @property({ attribute: false }) asked!: Part;
  @property({ attribute: false }) pick: PickDraft = {};
  /** A click answers at once. */
  @property({ attribute: false }) instant = false;
  /** The call is not whole yet. */
  @property({ attribute: false }) incomplete = false;
  /** Nothing can be changed at the moment, but the keyboard focus stays where it is. */
  @property({ attribute: false }) locked = false;
  /** Nothing can be sent at the moment. */
  @property({ attribute: false }) blocked = false;
  /** The digits choose from these options. */
  @property({ attribute: false }) digits = false;
  /** The option that was sent by a click. */
  @property({ attribute: false }) sent: number | undefined;
  /** The option whose preview shows; undefined until the user has moved among them. */
  @state() private looked: number | undefined;
  /** The button that can be reached with Tab, where a click answers at once. */
  @state() private current = 0;
  private readonly mentions = new Mentions(
    this,
    () => this.box,
    () => `${this.ids}-files`,
  );
  /** The beginning of a label that the user types, and when they typed its last letter. */
  private name = "";
  private namedAt = Number.NEGATIVE_INFINITY;

  /** Gives the keyboard focus to what is chosen, or to the first option. */
  focusCurrent(): void {
    const { options = [], otherChosen: other } = this.pick;
    const index = this.instant ? this.current : (options[0] ?? 0);
    (other ? this.box : this.control(index))?.focus();
  }

  /** Does what the digit of that option stands for; the one behind the last leads to the user's own words. */
  chooseDigit(index: number, from: Event): void {
    if (index === this.asked.options.length) {
      from.preventDefault();
      this.box?.focus();
    } else if (this.asked.options[index] !== undefined) {
      if (!this.instant) {
        this.control(index)?.focus();
      }
      this.choose(index, from);
    }
  }

  protected override render() {
    const { asked: part, instant } = this;
    const previews = hasPreviews(part);
    const shown = this.shownPreview();
    const rows = part.options.map((option, index) => this.row(option, index, previews && index === shown));
    const role = instant || part.multiSelect ? "group" : "radiogroup";
    return html`<div class="choices" ?data-previews=${previews} ?data-many=${isMany(part)}>
      <div class="options" role=${role} aria-labelledby="${this.ids}-text" aria-describedby="${this.ids}-hint"
        >${rows} ${this.incomplete ? nothing : this.other()}</div
      >
      ${previews ? html`<div class="previews">${part.options.map((_, index) => this.preview(index, index === shown))}</div>` : nothing}
    </div>`;
  }

  private get ids(): string {
    return `${this.questionId}-${this.index}`;
  }

  private get box(): HTMLTextAreaElement | null {
    return this.querySelector("textarea");
  }

  private control(index: number): HTMLElement | null {
    return this.querySelector(`.option[data-index="${index}"] :is(input, button):not(:disabled)`);
  }

  /** The option that the user looks at, or else the one that is chosen; undefined where there is neither. */
  private shownPreview(): number | undefined {
    return this.looked ?? this.pick.options?.[0];
  }

  private row(option: Option, index: number, showsPreview: boolean) {
    const { instant, incomplete } = this;
    const isChosen = instant ? index === this.sent : this.isChosen(index);
    return html`<div
        class="option"
        data-index=${index}
        ?data-chosen=${isChosen}
        ?data-disabled=${incomplete || (instant && this.blocked)}
        @focusin=${(event: FocusEvent) => this.focused(event, index)}
        @keydown=${(event: KeyboardEvent) => this.keydown(event, index)}
      >
        <span class="marker"
          >${instant ? html`<span class="digit" aria-hidden="true">${isChosen ? icon("check") : this.digit(index, "•")}</span>` : this.input(index)}</span
        >
        <div class="option-body">
          ${instant ? this.button(option, index) : html`<label for="${this.ids}-option-${index}" dir="auto">${this.label(option)}</label>`}
          ${this.incomplete ? nothing : html`<followup-places .t=${this.t} .text=${option.label}></followup-places>`}
          ${this.description(option, index)}
        </div>
        ${instant ? nothing : html`<span class="digit" aria-hidden="true">${this.digit(index, "")}</span>`}
      </div>
      ${showsPreview && option.preview ? html`<div class="preview-below">${this.preview(index, true)}</div>` : nothing}`;
  }

  private button(option: Option, index: number) {
    return html`<button
      type="button"
      class="pick"
      dir="auto"
      tabindex=${index === this.current ? "0" : "-1"}
      ?disabled=${this.incomplete}
      aria-disabled=${this.locked || this.blocked ? "true" : nothing}
      aria-describedby=${this.describedBy(option, index)}
      aria-keyshortcuts=${this.digit(index, "") || nothing}
      @click=${(event: MouseEvent) => this.choose(index, event)}
      @focus=${() => {
        this.current = index;
      }}
    >
      ${this.label(option)}
    </button>`;
  }

  private input(index: number) {
    const { asked: part, ids } = this;
    const option = part.options[index] as Option;
    return html`<input
      type=${part.multiSelect ? "checkbox" : "radio"}
      id="${ids}-option-${index}"
      name="${ids}-options"
      .checked=${live(this.isChosen(index))}
      ?disabled=${this.incomplete}
      aria-disabled=${this.locked ? "true" : nothing}
      aria-describedby=${this.describedBy(option, index)}
      aria-keyshortcuts=${this.digit(index, "") || nothing}
      @click=${this.refuse}
      @change=${(event: Event) => this.choose(index, event)}
    />`;
  }

  private label({ label }: Option) {
    const { text, recommended } = recommendation(label);
    return html`<span class="option-label">${text}</span>${
      recommended ? html` <span class="tag">${this.t("questions.recommended")}</span>` : nothing
    }`;
  }

  private description({ description, preview }: Option, index: number) {
    const id = `${this.ids}-description-${index}`;
    return html`${
      description
        ? html`<followup-text
            class="description"
            id=${id}
            dir="auto"
            .markup=${this.asked.rendered?.options[index]?.description}
            .text=${description}
            .places=${!this.incomplete}
          ></followup-text>`
        : nothing
    }${preview ? html`<span class="visually-hidden" id="${id}-preview">${this.t("questions.hasPreview")}</span>` : nothing}`;
  }

  private describedBy({ description, preview }: Option, index: number) {
    const id = `${this.ids}-description-${index}`;
    return [description ? id : "", preview ? `${id}-preview` : ""].filter(Boolean).join(" ") || nothing;
  }

  private other() {
    const { t, asked: part, instant, ids } = this;
    const index = part.options.length;
    const isChosen = Boolean(this.pick.otherChosen);
    const marker = instant
      ? html`<span class="digit" aria-hidden="true">${this.digit(index, "•")}</span>`
      : html`<input
          type=${part.multiSelect ? "checkbox" : "radio"}
          name="${ids}-options"
          aria-label=${t("questions.own")}
          .checked=${live(isChosen)}
          aria-disabled=${this.locked ? "true" : nothing}
          @click=${this.refuse}
          @change=${this.chooseOther}
        />`;
    return html`<div class="option other" data-index=${index} ?data-chosen=${isChosen} @click=${this.enterOther}>
      <span class="marker">${marker}</span>
      <textarea
        rows="1"
        dir="auto"
        aria-label=${t("questions.ownLabel")}
        placeholder=${t("questions.ownPlaceholder")}
        .value=${live(this.pick.other ?? "")}
        ?readonly=${this.locked}
        @input=${this.typed}
      ></textarea>
      ${instant ? nothing : html`<span class="digit" aria-hidden="true">${this.digit(index, "")}</span>`}
    </div>${this.mentions.list()}`;
  }

  private preview(index: number, shown: boolean) {
    const option = this.asked.options[index] as Option;
    const markup = this.asked.rendered?.options[index]?.preview;
    return preview({
      t: this.t,
      label: recommendation(option.label).text,
      text: option.preview,
      markup,
      shown,
      places: !this.incomplete,
    });
  }

  private digit(index: number, otherwise: string): string {
    return (this.digits && digitAt(index)) || otherwise;
  }

  private isChosen(index: number): boolean {
    return (toPick(this.pick, this.asked).options ?? []).includes(index);
  }

  private choose(index: number, from: Event): void {
    if (this.locked) {
      return;
    }
    if (this.instant) {
      this.controller.pickAndSubmit(this.questionId, index, from);
    } else {
      this.looked = index;
      this.repick((pick) => chosen(pick, index, this.asked.multiSelect));
    }
  }

  private readonly chooseOther = (): void => {
    this.repick((pick) => otherChosen(pick, this.asked.multiSelect));
  };

  /** A click beside the words leads into them, and so does one that chooses them; the arrow keys only choose. */
  private readonly enterOther = (event: MouseEvent): void => {
    const onMarker = event.target instanceof HTMLInputElement;
    if (!onMarker || (event.detail > 0 && event.target.checked)) {
      this.box?.focus();
    }
  };

  private readonly typed = (event: Event): void => {
    const { value } = event.target as HTMLTextAreaElement;
    this.repick((pick) => otherTyped(pick, value, this.asked.multiSelect));
  };

  private repick(next: (pick: PickDraft) => PickDraft): void {
    this.controller.repick(this.questionId, this.index, next);
  }

  private readonly refuse = (event: Event): void => {
    if (this.locked) {
      event.preventDefault();
    }
  };

  /**
   * The preview follows the keyboard and what is chosen. It does not follow a press of the pointer: in a narrow view
   * the options would move away below it before it is a click.
   */
  private focused(event: FocusEvent, index: number): void {
    if ((event.target as Element).matches(":focus-visible")) {
      this.looked = index;
    }
  }

  private keydown(event: KeyboardEvent, index: number): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) {
      return;
    }
    const named = this.named(event, index);
    if (named !== undefined) {
      event.preventDefault();
      this.current = named;
      this.control(named)?.focus();
    } else if (!event.shiftKey && (this.instant || this.asked.multiSelect)) {
      this.move(event, index); // radio buttons have these keys from the browser
    }
  }

  /** The option whose label begins with what was typed within a second; the same letter again leads to the next one. */
  private named(event: KeyboardEvent, index: number): number | undefined {
    if (event.target instanceof HTMLTextAreaElement || !/^[^\s\d]$/u.test(event.key)) {
      return undefined;
    }
    const letter = event.key.toLocaleLowerCase();
    const goesOn = event.timeStamp - this.namedAt < 1000 && this.name !== letter;
    this.namedAt = event.timeStamp;
    const labels = this.asked.options.map(({ label }) => label.toLocaleLowerCase());
    const find = (name: string, from: number) =>
      labels.map((_, step) => (from + step) % labels.length).find((at) => labels[at]?.startsWith(name));
    const longer = goesOn ? find(this.name + letter, index) : undefined;
    this.name = longer === undefined ? letter : this.name + letter;
    return longer ?? find(letter, index + 1);
  }

  private move(event: KeyboardEvent, index: number): void {
    const target = moved(event.key, index, this.asked.options.length - 1);
    if (target !== undefined) {
      event.preventDefault();
      this.current = target;
      this.control(target)?.focus();
    }
  }
}
