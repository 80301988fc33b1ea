// <followup-form>: what answers a card: its suggestions or its questions one step at a time, and the user's own words. The browser
// keeps the choices and takes their keys; the draft follows the form's fields.

import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { live } from "lit/directives/live.js";
import { emptyDraft, goesAlong, isAttached, isSendable, retyped, withoutSuggestion } from "../answer";
import type { Card } from "../cards";
import type { Controller } from "../controller";
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
import { type Box, note, origin, textBox } from "./boxes";
import { primaryButton } from "./buttons";
import { buttonMark, type Choice, type Choices, choiceRow, previews, shownDigit } from "./choices";
import { FollowupElement } from "./element";
import { ImageIntake, insertText } from "./intake";
import { Mentions } from "./mentions";
import { review, stepButtons, stepTabs } from "./steps";
import { words } from "./words";
import "./phrases";
import { t } from "../strings";

@customElement("followup-form")
export class FollowupForm extends FollowupElement {
  @property({ attribute: false }) card!: Card;
  @property({ attribute: false }) controller!: Controller;
  @property({ attribute: false }) phrases: readonly string[] = [];
  /** There is trouble with the sidecar: nothing can be sent. */
  @property({ attribute: false }) trouble = false;
  /** The digits choose from this card. */
  @property({ attribute: false }) digits = false;
  /** The choice that the user looks at; undefined until they have moved among them. */
  @state() private looked: number | undefined;
  /** The button of a choice that is in the Tab order. */
  @state() private current = 0;
  @query("form") private form!: HTMLFormElement;
  @query('[name="text"]') private textBox!: HTMLTextAreaElement | null;
  @query('[name="other"]') private otherBox!: HTMLTextAreaElement | null;
  private readonly intake = new ImageIntake(
    this,
    () => (this.textBox ?? this.querySelector<HTMLElement>(".attach"))?.focus(),
    () => this.querySelector<HTMLTextAreaElement>("textarea:focus") ?? this.textBox ?? this.otherBox,
  );
  private readonly mentions = new Mentions(this, () => `${this.card.id}-files`);
  /** What gets the keyboard focus once it is drawn: something by its selector, or what answers the step. */
  private wanted: string | undefined;
  private drawnStep = 0;
  /** What stood in the text box before a suggestion was moved to it. */
  private typedBefore: string | undefined;
  private readonly typeahead = new Typeahead();

  constructor() {
    super();
    // Before the buttons, which take Enter with other keys held and while it is held down as a click.
    this.addEventListener("keydown", (event) => this.keydown(event), { capture: true });
  }

  /** Gives the keyboard focus to what answers the question that is shown, or sends the answers. */
  focusAnswer(): void {
    const answers =
      this.parts === undefined || this.asked ? (this.replying ? null : this.answering()) : this.sending();
    (answers ?? this.textBox)?.focus();
  }

  /** Does what a digit stands for, from 0: gives an answer, chooses an option, or leads to the user's own words behind the last. */
  chooseDigit(index: number): void {
    if (this.asked && index === this.asked.options.length) {
      this.otherBox?.focus();
      return;
    }
    const control = this.control(index);
    if (control instanceof HTMLInputElement) {
      control.focus();
    }
    control?.click();
  }

  /** Adds images among the files, and the paths of others that the editor has; what cannot be added is said. */
  addFiles(files: readonly File[], uris: readonly string[] = []): Promise<void> {
    return this.intake.add(files, uris);
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    if (this.step !== this.drawnStep) {
      this.drawnStep = this.step;
      this.looked = undefined;
      this.current = 0;
    }
  }

  protected override updated(): void {
    const { wanted } = this;
    if (wanted !== undefined) {
      this.wanted = undefined;
      wanted === "" ? this.focusAnswer() : this.querySelector<HTMLElement>(wanted)?.focus();
    }
  }

  protected override render() {
    const { parts, replying } = this;
    const foot = parts && !replying ? this.foot(parts) : this.composer();
    return html`<form novalidate @submit=${(event: Event) => event.preventDefault()} @input=${this.input} @focusin=${this.focused} @click=${this.clicked}>
      ${parts ? this.questions(parts) : this.suggestions()}
      ${this.incomplete ? nothing : foot}
    </form>`;
  }

  private get parts(): readonly Part[] | undefined {
    return this.card.parts;
  }

  get step(): number {
    return stepOf(this.card.draft, this.parts ?? []);
  }

  private get asked(): Part | undefined {
    return this.parts?.[this.step];
  }

  get draft() {
    return this.card.draft ?? emptyDraft;
  }

  /** The user writes a reply to a questionnaire instead of its answers. */
  private get replying(): boolean {
    return this.parts !== undefined && (this.draft.replying ?? false);
  }

  get locked(): boolean {
    return this.card.phase === "sending";
  }

  get incomplete(): boolean {
    return this.card.phase === "streaming";
  }

  /** Nothing can be sent at the moment. */
  get blocked(): boolean {
    return this.card.phase !== "pending" || this.trouble || this.intake.busy;
  }

  /** A click on a choice answers at once. */
  get instant(): boolean {
    const { parts } = this;
    return parts === undefined || (!this.incomplete && isInstant(this.draft, parts));
  }

  private suggestions() {
    const { card } = this;
    const { sent, suggest } = card;
    const clicked =
      sent && "provenance" in sent && sent.provenance === "clicked" ? sent.suggestion : undefined;
    const choices: Choices = {
      ...this.choices(
        suggest.map(({ answer, mode }) => ({ label: answer, mode })),
        card.id,
      ),
      isChosen: (index) => index === clicked,
      editable: true,
      along: goesAlong(this.draft),
    };
    return suggest.length === 0
      ? nothing
      : html`<div class="options" role="list" aria-label=${t("suggestions.label")}>
          ${choices.choices.map((choice, index) => choiceRow(choices, choice, index))}
        </div>`;
  }

  /** What suggestions and options have in common. */
  private choices(choices: readonly Choice[], ids: string) {
    const { current, digits, instant, locked, trouble, incomplete } = this;
    const tabbed = current < choices.length ? current : 0;
    return {
      ids,
      choices,
      current: tabbed,
      digits,
      incomplete,
      kind: "button",
      locked: locked || (instant && trouble),
    } as const;
  }

  private questions(parts: readonly Part[]) {
    const { card, asked, step } = this;
    const tabs = parts.length > 1;
    return html`${tabs ? stepTabs(this, parts) : nothing}
      <div
        class="step"
        id="${card.id}-panel"
        role=${tabs ? "tabpanel" : nothing}
        aria-labelledby=${tabs ? `${card.id}-tab-${step}` : nothing}
      >
        ${
          asked === undefined
            ? review(this, parts)
            : keyed(step, this.question(asked, step, parts.length === 1))
        }
      </div>`;
  }

  private question(part: Part, index: number, single: boolean) {
    const { card } = this;
    const ids = `${card.id}-${index}`;
    const { incomplete } = this;
    const hints = [part.multiSelect ? t("questions.several") : "", isMany(part) ? t("questions.many") : ""];
    return html`
      ${single && part.header ? html`<p class="header-chip"><span class="tag" dir="auto" title=${part.header}>${part.header}</span></p>` : nothing}
      ${words({ text: part.question, label: t("card.question"), markup: part.rendered?.question, class: "question", id: `${ids}-text`, places: !incomplete })}
      <p class="hint" id="${ids}-hint">${hints.filter(Boolean).join(" ") || nothing}</p>
      ${this.options(part, index, ids)}
      ${incomplete ? nothing : this.extras(pickAt(card.draft, index).notes)}
    `;
  }

  private options(part: Part, index: number, ids: string) {
    const { card, instant } = this;
    const { sent } = card;
    const clicked = sent && "picks" in sent ? sent.picks[index]?.options?.[0] : undefined;
    const { options: picked = [] } = pickAt(card.draft, index);
    const offered = part.options.map((option, at) => ({ ...option, rendered: part.rendered?.options[at] }));
    const choices: Choices = {
      ...this.choices(offered, ids),
      kind: instant ? "button" : part.multiSelect ? "checkbox" : "radio",
      isChosen: (at) => (instant ? at === clicked : picked.includes(at)),
      shown: hasPreviews(part) ? (this.looked ?? picked[0]) : undefined,
    };
    return html`<div class="choices" ?data-previews=${hasPreviews(part)} ?data-many=${isMany(part)}>
      <div
        class="options"
        role=${choices.kind === "radio" ? "radiogroup" : "group"}
        aria-labelledby="${ids}-text"
        aria-describedby="${ids}-hint"
      >
        ${offered.map((option, at) => choiceRow(choices, option, at))}
        ${choices.incomplete ? nothing : this.other(choices, index)}
      </div>
      ${hasPreviews(part) ? previews(choices) : nothing}
    </div>`;
  }

  /** The user's own words, as the last choice. */
  private other(choices: Choices, index: number) {
    const { locked } = this;
    const { kind } = choices;
    const { other = "", otherChosen = false } = pickAt(this.card.draft, index);
    const at = choices.choices.length;
    const marker =
      kind === "button"
        ? buttonMark(choices, at)
        : html`<input
            type=${kind}
            name="option"
            value="other"
            aria-label=${t("questions.own")}
            .checked=${live(otherChosen)}
            aria-disabled=${locked ? "true" : nothing}
          />`;
    return html`<div class="option other" data-index=${at} ?data-chosen=${otherChosen} @click=${this.enterOther}>
        <span class="marker">${marker}</span>
        ${this.box("other", other, t("questions.ownLabel"), t("questions.ownPlaceholder"))}
        ${kind === "button" ? nothing : html`<span class="digit" aria-hidden="true">${shownDigit(choices, at)}</span>`}
      </div>
      ${this.mentions.list("other")}`;
  }

  private box(name: Box["name"], value: string, label: string, placeholder: string) {
    return textBox({ name, value, label, placeholder, locked: this.locked });
  }

  /** What can be put beside the choice: a note, which a button opens, and images. */
  private extras(notes: string | undefined) {
    return html`<div class="extras">
      <div class="extra">${note(this, notes)} ${this.mentions.list("notes")}</div>
      ${this.replying ? nothing : this.intake.chooser(this.locked)}
    </div>`;
  }

  /** Opens the box for a note with a text, or closes it. */
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

  /** Takes back the choice, and goes on. */
  leaveOut(): void {
    this.controller.repick(this.card.id, this.step, leftOut);
    this.goTo(this.step + 1, true);
  }

  /** What goes along with a questionnaire's answers, and the way on. */
  private foot(parts: readonly Part[]) {
    const { intake, locked, step, instant } = this;
    return html`
      ${intake.thumbnails(locked)} ${intake.quotes(locked)}
      ${instant ? this.along("questions.attached", "questions.images") : nothing}
      ${intake.notices()}
      <div class="step-bar" ?data-many=${isMany(this.asked)}>
        ${step === parts.length ? intake.chooser(locked) : nothing}
        <span class="step-buttons">${stepButtons(this, parts)}</span>
      </div>
    `;
  }

  /** Tells that what was added goes along, where a click answers at once. */
  private along(
    quotes: "questions.attached" | "suggestions.attached",
    images: "questions.images" | "suggestions.images",
  ) {
    const { draft } = this;
    return isAttached(draft)
      ? html`<p class="hint">${draft.quotes?.length ? t(quotes) : t(images, { count: draft.images.length })}</p>`
      : nothing;
  }

  /** Where the user writes an answer of their own or a reply, edits a suggestion, and adds images. */
  private composer() {
    const { card, controller, draft, intake, locked, replying } = this;
    const send = {
      name: "send",
      title: t("composer.sendHint"),
      disabled: !isSendable(draft),
      locked: this.blocked,
    };
    return html`
      ${replying ? html`<p class="hint reply-hint">${t("reply.hint")}</p>` : nothing}
      ${card.suggest.length > 0 ? this.along("suggestions.attached", "suggestions.images") : nothing}
      <div class="composer">
        ${origin(this)} ${intake.thumbnails(locked)}
        ${this.box(
          "text",
          draft.text,
          t(replying ? "reply.label" : "composer.label"),
          t(replying ? "reply.placeholder" : "composer.placeholder"),
        )}
        ${this.mentions.list("text")} ${intake.quotes(locked)}
        <div class="composer-bar">
          ${intake.chooser(locked)}
${primaryButton(send, t(replying ? "reply.send" : "composer.send"))}
        </div>
      </div>
      <followup-phrases
        .controller=${controller}
        .phrases=${this.phrases}
        .locked=${locked}
        .insert=${this.insert}
      ></followup-phrases>
      ${intake.notices()}
    `;
  }

  private control(index: number): HTMLElement | null {
    return this.querySelector(`.option[data-index="${index}"] :is(.marker input, .choose):not(:disabled)`);
  }

  /** What answers the question: the choice that was made, the one that Tab reaches, or the box for own words. */
  private answering(): HTMLElement | null {
    const { options: [chosen = 0] = [], otherChosen } = pickAt(this.card.draft, this.step);
    return otherChosen ? this.otherBox : this.control(this.instant ? this.current : chosen);
  }

  /** What sends the answers or, with nothing to send, leads back to a question. */
  private sending(): HTMLElement | null {
    return this.querySelector(isSubmittable(this.draft, this.parts ?? []) ? ".submit" : ".change");
  }

  private readonly input = ({ target }: Event): void => {
    const { name, value } = target as HTMLInputElement;
    const { card, controller, asked } = this;
    if (name === "text") {
      this.intake.forgetRefusals();
      const change = value === this.typedBefore ? withoutSuggestion : retyped;
      controller.redraft(card.id, (draft) => change(draft, value));
    } else if (name !== "" && asked) {
      if (name === "option" && value !== "other") {
        this.looked = Number(value);
      }
      const form = new FormData(this.form);
      controller.repick(card.id, this.step, (pick) =>
        filledIn(pick, form, name === "other", asked.multiSelect),
      );
    }
  };

  /** Goes on to the next step, or sends what the user has begun. */
  private advance(): void {
    const { card, controller, parts, step } = this;
    if (parts && !this.replying && step < lastStep(parts)) {
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

  /** Moves a suggestion into the text box, behind what the user had typed, and gives it the keyboard focus. */
  private edit(suggestion: number): void {
    const { card, textBox: box } = this;
    const chosen = card.suggest[suggestion];
    if (chosen === undefined || box === null || card.phase !== "pending" || this.trouble) {
      return;
    }
    const typed = box.value;
    this.typedBefore = typed;
    box.focus();
    box.setSelectionRange(typed.length, typed.length);
    insertText(box, typed === "" || typed.endsWith("\n") ? chosen.answer : `\n${chosen.answer}`);
    const { value: text } = box;
    const { mode } = chosen;
    this.controller.redraft(card.id, ({ images, quotes }) => ({ text, images, quotes, suggestion, mode }));
  }

  /** Puts words into the text box at its cursor, apart from those before and behind, and gives it the keyboard focus. */
  private readonly insert = (words: string): void => {
    const { textBox: box } = this;
    if (box !== null) {
      const { value, selectionStart, selectionEnd } = box;
      const before = selectionStart > 0 && !/\s$/.test(value.slice(0, selectionStart)) ? " " : "";
      const behind = selectionEnd < value.length && !/^\s/.test(value.slice(selectionEnd)) ? " " : "";
      box.focus();
      insertText(box, before + words + behind);
    }
  };

  /** A page in a sandbox may submit no form, and hears of no attempt: clicks and keys do. */
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

  /** A click beside the user's own words leads into them, and so does one that chooses them; the arrow keys only choose. */
  private readonly enterOther = ({ target, detail }: MouseEvent): void => {
    if (!(target instanceof HTMLInputElement) || (detail > 0 && target.checked)) {
      this.otherBox?.focus();
    }
  };

  /**
   * The preview follows the keyboard and what is chosen. It does not follow a press of the pointer: in a narrow view the choices would
   * move away below it before it is a click.
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

  /** What a key does on a tab or on a choice. Radio buttons have their arrow keys from the browser. */
  private moves(event: KeyboardEvent, target: HTMLElement): (() => void) | undefined {
    const { key, shiftKey } = event;
    const { parts, asked, card } = this;
    if (target.role === "tab" && parts && !shiftKey) {
      const last = parts.length - (this.incomplete ? 1 : 0);
      const step = moved(key, this.step, last, ["ArrowLeft", "ArrowRight"]);
      return step === undefined ? undefined : () => this.goTo(step, false);
    }
    if (!target.matches(".choose, .edit, .option:not(.other) input")) {
      return undefined;
    }
    const index = indexOf(target);
    if (!parts && (key.toLowerCase() === "e" || (shiftKey && key === "Enter"))) {
      return () => this.edit(index);
    }
    const { length } = asked?.options ?? card.suggest;
    const arrows = !shiftKey && target.getAttribute("type") !== "radio";
    const named = asked && this.typeahead.find(event, asked.options, index);
    const to = named ?? (arrows ? moved(key, index, length - 1) : undefined);
    return to === undefined
      ? undefined
      : () => {
          this.current = to;
          this.control(to)?.focus();
        };
  }

  /**
   * Enter submits from a text box and, in a questionnaire, from a choice or with Ctrl from anywhere; not while it is held down. On a
   * radio button it chooses first. The browser's own submission by Enter would do so from everywhere.
   */
  private enter(event: KeyboardEvent, target: HTMLElement, held: boolean): void {
    const inBox = target instanceof HTMLTextAreaElement;
    const plain = !event.shiftKey && !event.altKey;
    const composes = this.parts === undefined || this.replying;
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

  /** Enter behind a note would send the note alone, while its only question is not answered yet. */
  private misses(target: HTMLElement): boolean {
    const parts = this.parts ?? [];
    return (
      target.matches('[name="notes"]') && parts.length === 1 && !picksOf(this.draft, parts).some(isAnswered)
    );
  }
}

/** The place of the choice that a control belongs to. */
function indexOf(control: Element): number {
  return Number(control.closest<HTMLElement>(".option")?.dataset.index);
}
