// <followup-form>: suggestions or a questionnaire's steps, and the user's own words. The controls are native,
// and the draft follows their values.

import { html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { emptyDraft, goesAlong, isAttached, retyped, withoutSuggestion } from "../answer";
import { type Card, isFollowup } from "../cards";
import { isEnter, moved, Typeahead } from "../keys";
import { hasPreviews, isMany, type Part } from "../parts";
import {
  filledIn,
  isAnswered,
  isInstant,
  isSubmittable,
  lastStep,
  leftOut,
  pickAt,
  picksOf,
  stepOf,
} from "../picks";
import { t } from "../strings";
import { composer, note, ownWords } from "./boxes";
import { type Choices, choiceRow, previews } from "./choices";
import { CardElement } from "./element";
import { insertText } from "./insert";
import { ImageIntake } from "./intake";
import { Mentions } from "./mentions";
import { review, stepButtons, stepTabs } from "./steps";
import { words } from "./text";

@customElement("followup-form")
export class FollowupForm extends CardElement {
  @property({ attribute: false }) phrases: readonly string[] = [];
  @property({ attribute: false }) trouble = false;
  @property({ attribute: false }) digits = false;
  /** The choice with the keyboard focus; undefined until the user has moved among the choices. */
  @state() private looked: number | undefined;
  @state() private current = 0;
  @query("form") private form!: HTMLFormElement;
  @query('[name="text"]') readonly textBox!: HTMLTextAreaElement | null;
  @query('[name="other"]') readonly otherBox!: HTMLTextAreaElement | null;
  readonly intake = new ImageIntake(this);
  readonly mentions = new Mentions(this);
  /** The selector of the element to focus after drawing; empty for the answer of the step. */
  private wanted: string | undefined;
  private drawnStep = 0;
  /** The content of the text box before a suggestion was moved to it. */
  private typedBefore: string | undefined;
  private readonly typeahead = new Typeahead();

  constructor() {
    super();
    // This handles keys before the buttons, which take Enter with a modifier, or Enter held down, as a click.
    this.addEventListener("keydown", (event) => this.keydown(event), { capture: true });
  }

  focusAnswer(): void {
    const answers = this.replying ? null : this.shownPart ? this.answering() : this.sending();
    (answers ?? this.textBox)?.focus();
  }

  /** Gives the keyboard focus to the box for the user's own words. */
  focusWords(): void {
    (this.textBox ?? this.otherBox)?.focus();
  }

  /** Acts on a digit, from 0: gives an answer, chooses an option, or, after the last, goes to the user's own words. */
  chooseDigit(index: number): void {
    if (index === this.shownPart?.options.length) {
      this.otherBox?.focus();
      return;
    }
    const control = this.control(index);
    if (control instanceof HTMLInputElement) {
      control.focus();
    }
    control?.click();
  }

  protected override willUpdate(): void {
    if (this.step !== this.drawnStep) {
      this.drawnStep = this.step;
      this.looked = undefined;
      this.current = 0;
    }
    this.current = this.shownPart?.options[this.current] ? this.current : 0;
  }

  protected override updated(): void {
    const { wanted } = this;
    if (wanted !== undefined) {
      this.wanted = undefined;
      wanted === "" ? this.focusAnswer() : this.querySelector<HTMLElement>(wanted)?.focus();
    }
  }

  protected override render() {
    const { card, shownPart: part, step, incomplete } = this;
    const tabs = card.parts.length > 1;
    const foot = this.composes ? composer(this) : this.foot();
    return html`<form novalidate @submit=${(event: Event) => event.preventDefault()} @input=${this.input} @focusin=${this.focused} @click=${this.clicked}>
      ${tabs ? stepTabs(this) : nothing}
      <div
        class="step"
        id="${card.id}-panel"
        role=${tabs ? "tabpanel" : nothing}
        aria-labelledby=${tabs ? `${card.id}-tab-${step}` : nothing}
      >
        ${part ? keyed(step, this.question(part, `${card.id}-${step}`)) : review(this)}
      </div>
      ${incomplete ? nothing : foot}
    </form>`;
  }

  get step(): number {
    return stepOf(this.card.draft, this.card.parts);
  }

  private get shownPart(): Part | undefined {
    return this.card.parts[this.step];
  }

  get draft() {
    return this.card.draft ?? emptyDraft;
  }

  private get followup(): boolean {
    return isFollowup(this.card);
  }

  /** The user writes a reply to a questionnaire instead of its answers. */
  get replying(): boolean {
    return !this.followup && (this.draft.replying ?? false);
  }

  private get composes(): boolean {
    return this.followup || this.replying;
  }

  get locked(): boolean {
    return this.card.phase === "sending";
  }

  get incomplete(): boolean {
    return this.card.phase === "streaming";
  }

  get blocked(): boolean {
    return this.card.phase !== "pending" || this.trouble || this.intake.busy;
  }

  /** Nothing can be chosen at the moment, but the keyboard focus stays. */
  private get stuck(): boolean {
    return this.locked || (this.instant && this.trouble);
  }

  get instant(): boolean {
    return this.followup || (!this.incomplete && isInstant(this.draft, this.card.parts));
  }

  /** A question with its choices. A followup's card shows the question itself. */
  private question(part: Part, ids: string) {
    const { incomplete, followup, draft, step } = this;
    if (followup) {
      return part.options.length > 0 ? this.options(part, ids) : nothing;
    }
    const { header, question, rendered, multiSelect } = part;
    const hints = [multiSelect ? t("questions.several") : "", isMany(part) ? t("questions.many") : ""];
    return html`
      ${header && this.card.parts.length === 1 ? html`<p class="header-chip"><span class="tag" dir="auto" title=${header}>${header}</span></p>` : nothing}
      ${words({ text: question, label: t("card.question"), markup: rendered?.question, class: "question", id: `${ids}-text`, places: !incomplete })}
      <p class="hint" id="${ids}-hint">${hints.filter(Boolean).join(" ") || nothing}</p>
      ${this.options(part, ids)}
      ${incomplete ? nothing : this.extras(pickAt(draft, step).notes)}
    `;
  }

  private options(part: Part, ids: string) {
    const { card, draft, followup, instant, incomplete, digits, current, stuck } = this;
    const { options: picked = [] } = pickAt(draft, this.step);
    const choices: Choices = {
      part,
      ids,
      followup,
      digits,
      current,
      incomplete,
      stuck,
      along: goesAlong(draft),
      kind: instant ? "button" : part.multiSelect ? "checkbox" : "radio",
      chosen: instant ? [sentChoice(card)] : picked,
      shown: hasPreviews(part) ? (this.looked ?? picked[0]) : undefined,
    };
    return html`<div class="choices" ?data-previews=${hasPreviews(part)} ?data-many=${isMany(part)}>
      <div
        class="options"
        role=${followup ? "list" : choices.kind === "radio" ? "radiogroup" : "group"}
        aria-label=${followup ? t("suggestions.label") : nothing}
        aria-labelledby=${followup ? nothing : `${ids}-text`}
        aria-describedby=${followup ? nothing : `${ids}-hint`}
      >
        ${part.options.map((option, at) => choiceRow(choices, option, at))}
        ${incomplete || followup ? nothing : ownWords(this, choices)}
      </div>
      ${hasPreviews(part) ? previews(choices) : nothing}
    </div>`;
  }

  private extras(notes: string | undefined) {
    return html`<div class="extras">
      <div class="extra">${note(this, notes)} ${this.mentions.list("notes")}</div>
      ${this.replying ? nothing : this.intake.chooser()}
    </div>`;
  }

  changeNotes(notes: string | undefined): void {
    this.wanted = notes === undefined ? ".add-note" : '[name="notes"]';
    this.controller.repick(this.card.id, this.step, ({ notes: _notes, ...pick }) =>
      notes === undefined ? pick : { ...pick, notes },
    );
  }

  removeMode(): void {
    this.controller.redraft(this.card.id, ({ mode: _mode, ...rest }) => rest);
    this.textBox?.focus();
  }

  leaveOut(): void {
    this.controller.repick(this.card.id, this.step, leftOut);
    this.goTo(this.step + 1, true);
  }

  private foot() {
    const { intake, shownPart: part } = this;
    return html`
      ${intake.thumbnails()} ${intake.quotes()} ${this.along()} ${intake.notices()}
      <div class="step-bar" ?data-many=${isMany(part)}>
        ${part ? nothing : intake.chooser()}
        <span class="step-buttons">${stepButtons(this)}</span>
      </div>
    `;
  }

  /** Shows that attachments are sent too, if a click answers at once. */
  along() {
    const { draft, instant, shownPart: part } = this;
    if (!instant || !isAttached(draft) || !part?.options.length) {
      return nothing;
    }
    const kind = this.followup ? "suggestions" : "questions";
    const { quotes, images } = draft;
    return html`<p class="hint">
      ${quotes?.length ? t(`${kind}.attached`) : t(`${kind}.images`, { count: images.length })}
    </p>`;
  }

  private control(index: number): HTMLElement | null {
    return this.querySelector(`.option[data-index="${index}"] :is(.marker input, .choose):not(:disabled)`);
  }

  /** The control that answers: the chosen option, the one that Tab reaches, or the text box. */
  private answering(): HTMLElement | null {
    const { options: [chosen = 0] = [], otherChosen } = pickAt(this.card.draft, this.step);
    return otherChosen ? this.otherBox : this.control(this.instant ? this.current : chosen);
  }

  private sending(): HTMLElement | null {
    return this.querySelector(isSubmittable(this.draft, this.card.parts) ? ".submit" : ".change");
  }

  private readonly input = ({ target }: Event): void => {
    const { name, value } = target as HTMLInputElement;
    const { card, controller, shownPart: part } = this;
    if (name === "text") {
      this.intake.forgetRefusals();
      const change = value === this.typedBefore ? withoutSuggestion : retyped;
      controller.redraft(card.id, (draft) => change(draft, value));
    } else if (name !== "" && part) {
      if (name === "option" && value !== "other") {
        this.looked = Number(value);
      }
      const form = new FormData(this.form);
      controller.repick(card.id, this.step, (pick) =>
        filledIn(pick, form, name === "other", part.multiSelect),
      );
    }
  };

  private advance(): void {
    const { card, controller, step } = this;
    if (!this.composes && step < lastStep(card.parts)) {
      this.goTo(step + 1, true);
    } else if (!this.intake.busy) {
      controller.submit(card.id);
    }
  }

  /** Shows another step; `answering` moves the keyboard focus to its answer. */
  goTo(step: number, answering: boolean): void {
    this.wanted = answering ? "" : `[role="tab"][data-index="${step}"]`;
    this.controller.goTo(this.card.id, step);
  }

  goBack(step: number): void {
    if (this.controller.gesture.allows(this.card.id, "back")) {
      this.goTo(step, true);
    }
  }

  /** Moves a suggestion into the text box, after the typed text, and gives it the keyboard focus. */
  private edit(suggestion: number): void {
    const { card, textBox: box } = this;
    const chosen = this.shownPart?.options[suggestion];
    if (chosen === undefined || box === null || card.phase !== "pending" || this.trouble) {
      return;
    }
    const typed = box.value;
    this.typedBefore = typed;
    box.focus();
    box.setSelectionRange(typed.length, typed.length);
    insertText(box, typed === "" || typed.endsWith("\n") ? chosen.label : `\n${chosen.label}`);
    const { value: text } = box;
    const { mode } = chosen;
    this.controller.redraft(card.id, ({ images, quotes }) => ({ text, images, quotes, suggestion, mode }));
  }

  /** A sandboxed page cannot submit forms and gets no submit event, so clicks and keys do it. */
  private readonly clicked = (event: MouseEvent): void => {
    const control = (event.target as Element).closest(".edit, .choose, .next, .submit, .send");
    if (control?.matches(".edit") || (event.shiftKey && control?.matches(".suggestion .choose"))) {
      this.edit(indexOf(control));
    } else if (control?.matches(".choose")) {
      this.controller.choose(this.card.id, indexOf(control));
    } else if (control) {
      this.advance();
    }
  };

  /**
   * The preview follows the keyboard, not a press of the pointer: in narrow views the choices would move away
   * under it.
   */
  private readonly focused = ({ target }: FocusEvent): void => {
    const control = target as HTMLElement;
    if (control.closest(".option:not(.other)")) {
      this.current = control.matches(".choose, .edit") ? indexOf(control) : this.current;
      this.looked = control.matches(":focus-visible") ? indexOf(control) : this.looked;
    }
  };

  private keydown(event: KeyboardEvent): void {
    const { target } = event;
    if (event.defaultPrevented || event.isComposing || !(target instanceof HTMLElement)) {
      return;
    }
    const held = event.ctrlKey || event.metaKey;
    const to = held || event.altKey ? undefined : this.moves(event, target);
    if (to !== undefined) {
      event.preventDefault();
      to();
    } else if (isEnter(event)) {
      this.enter(event, target, held);
    }
  }

  /** Returns the action of a key on a tab or a choice. The browser handles arrow keys on radio buttons. */
  private moves(event: KeyboardEvent, target: HTMLElement): (() => void) | undefined {
    const { key, shiftKey } = event;
    const { shownPart: part, followup, incomplete, step } = this;
    const { parts } = this.card;
    if (target.role === "tab" && !shiftKey) {
      const last = parts.length - (incomplete ? 1 : 0);
      const to = moved(key, step, last, ["ArrowLeft", "ArrowRight"]);
      return to === undefined ? undefined : () => this.goTo(to, false);
    }
    if (!part || !target.matches(".choose, .edit, .option:not(.other) input")) {
      return undefined;
    }
    const index = indexOf(target);
    if (followup && (key.toLowerCase() === "e" || (shiftKey && key === "Enter"))) {
      return () => this.edit(index);
    }
    const arrows = !shiftKey && target.getAttribute("type") !== "radio";
    const named = followup ? undefined : this.typeahead.find(event, part.options, index);
    const to = named ?? (arrows ? moved(key, index, part.options.length - 1) : undefined);
    return to === undefined
      ? undefined
      : () => {
          this.current = to;
          this.control(to)?.focus();
        };
  }

  /** Enter submits from a text box and, in a questionnaire, from a choice (which a radio button takes first) or with Ctrl from anywhere. */
  private enter(event: KeyboardEvent, target: HTMLElement, held: boolean): void {
    const inBox = target instanceof HTMLTextAreaElement;
    const plain = !event.shiftKey && !event.altKey;
    const { composes } = this;
    const leadsOn = (held && !composes) || (plain && (inBox || target instanceof HTMLInputElement));
    const repeats = event.repeat && !(inBox && event.shiftKey);
    if (!leadsOn && !repeats && !(target instanceof HTMLInputElement)) {
      return; // a click on a button, or a new line
    }
    event.preventDefault();
    event.stopPropagation();
    if (!leadsOn || repeats) {
      return;
    }
    if (!held && target.matches('.option:not(.other) [type="radio"]')) {
      target.click();
    }
    if (composes ? target === this.textBox : held || !this.misses(target)) {
      this.advance();
    } else if (!composes) {
      this.focusAnswer();
    }
  }

  /** Enter in a note would send only the note while the single question is not answered yet. */
  private misses(target: HTMLElement): boolean {
    const { parts } = this.card;
    return (
      target.matches('[name="notes"]') && parts.length === 1 && !picksOf(this.draft, parts).some(isAnswered)
    );
  }
}

function sentChoice({ sent }: Card): number | undefined {
  return sent?.provenance === "clicked" ? (sent.suggestion ?? sent.picks?.[0]?.options?.[0]) : undefined;
}

function indexOf(control: Element): number {
  return Number(control.closest<HTMLElement>(".option")?.dataset.index);
}
