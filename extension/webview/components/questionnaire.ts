// <followup-questionnaire>: the questions of a questionnaire, one step at a time, and what leads through them.

import "@vscode-elements/elements/dist/vscode-button/index.js";
import { html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { isAttached } from "../answer";
import type { Card } from "../cards";
import type { Controller } from "../controller";
import { isEnter } from "../keys";
import { isMany, type Part } from "../parts";
import {
  chosen,
  isAnswered,
  isInstant,
  isSubmittable,
  lastStep,
  leftOut,
  pickAt,
  picksOf,
  stepOf,
} from "../picks";
import { FollowupElement, type ViewEvents } from "./element";
import { ImageIntake } from "./intake";
import { isCompleting } from "./mentions";
import type { FollowupOptions } from "./options";
import { words } from "./words";
import "./note";
import "./options";
import "./question-tabs";
import "./review";

@customElement("followup-questionnaire")
export class FollowupQuestionnaire extends FollowupElement {
  @property({ attribute: false }) card!: Card;
  @property({ attribute: false }) controller!: Controller;
  /** There is trouble with the sidecar: nothing can be sent. */
  @property({ attribute: false }) trouble = false;
  /** The digits choose from this card. */
  @property({ attribute: false }) digits = false;
  @query("followup-options") private options!: FollowupOptions | null;
  @query(".submit") private submitButton!: HTMLElement | null;
  private readonly intake = new ImageIntake(
    this,
    () => this.querySelector<HTMLElement>(".attach")?.focus(),
    () => this.querySelector("textarea:focus") ?? this.querySelector(".other textarea"),
  );

  /** The step that is drawn next gets the keyboard focus. */
  private wantsFocus = false;

  constructor() {
    super();
    this.addEventListener("followup-step", (event) => {
      const { step, answering, from } = (event as CustomEvent<ViewEvents["followup-step"]>).detail;
      this.goTo(step, answering, from);
    });
    // Before the buttons, which take Enter with other keys held and while it is held down as a click.
    this.addEventListener("keydown", (event) => this.keydown(event), { capture: true });
  }

  /** Gives the keyboard focus to what answers the question that is shown, or sends the answers. */
  focusAnswer(): void {
    if (this.options) {
      this.options.focusCurrent();
    } else {
      // With nothing to send, the way back to a question.
      (this.sendable ? this.submitButton : this.querySelector<HTMLElement>(".change"))?.focus();
    }
  }

  /** Does what a digit stands for, from 0. */
  chooseDigit(index: number, from: Event): void {
    this.options?.chooseDigit(index, from);
  }

  /** Adds images among the files, and the paths of others that the editor has; what cannot be added is said. */
  addFiles(files: readonly File[], uris: readonly string[] = []): Promise<void> {
    return this.intake.add(files, uris);
  }

  protected override updated(): void {
    if (this.wantsFocus) {
      this.wantsFocus = false;
      // What stands in the step is drawn behind it.
      void Promise.resolve(this.options?.updateComplete).then(() => this.focusAnswer());
    }
  }

  protected override render() {
    const { card, step, parts } = this;
    const part = parts[step];
    const tabs = parts.length > 1;
    return html`
      ${tabs ? this.tabs() : nothing}
      <div
        class="step"
        id="${card.id}-panel"
        role=${tabs ? "tabpanel" : nothing}
        aria-labelledby=${tabs ? `${card.id}-tab-${step}` : nothing}
      >
        ${part === undefined ? this.review() : keyed(step, this.question(part, step))}
      </div>
      ${this.streaming ? nothing : this.foot()}
    `;
  }

  private get parts(): readonly Part[] {
    return this.card.parts ?? [];
  }

  private get step(): number {
    return stepOf(this.card.draft, this.parts);
  }

  private get streaming(): boolean {
    return this.card.phase === "streaming";
  }

  private get locked(): boolean {
    return this.card.phase === "sending" || this.card.phase === "closed";
  }

  private get instant(): boolean {
    return !this.streaming && isInstant(this.card.draft, this.parts);
  }

  private tabs() {
    const { card, parts } = this;
    return html`<followup-question-tabs
      .t=${this.t}
      .ids=${card.id}
      .parts=${parts}
      .answered=${picksOf(card.draft, parts).map(isAnswered)}
      .step=${this.step}
      .incomplete=${this.streaming}
    ></followup-question-tabs>`;
  }

  private question(part: Part, index: number) {
    const { t, card, controller, instant, locked } = this;
    const pick = pickAt(card.draft, index);
    const prefix = `${card.id}-${index}`;
    const single = this.parts.length === 1;
    return html`
      ${single && part.header ? html`<p class="header-chip"><span class="tag" dir="auto" title=${part.header}>${part.header}</span></p>` : nothing}
      ${words({ text: part.text, t, label: t("card.question"), markup: part.rendered?.question, class: "question", id: `${prefix}-text`, places: !this.streaming })}
      <p class="hint" id="${prefix}-hint">${[part.multiSelect ? t("questions.several") : "", isMany(part) ? t("questions.many") : ""].filter(Boolean).join(" ") || nothing}</p>
      <followup-options
        .t=${t}
        .controller=${controller}
        .questionId=${card.id}
        .index=${index}
        .asked=${part}
        .pick=${pick}
        .instant=${instant}
        .incomplete=${this.streaming}
        .locked=${locked}
        .blocked=${this.trouble}
        .digits=${this.digits}
        .sent=${card.sent && "picks" in card.sent ? card.sent.picks[index]?.options?.[0] : undefined}
      ></followup-options>
      ${this.streaming ? nothing : this.extras(index)}
    `;
  }

  /** What can be put beside the choice: a note, and images. */
  private extras(index: number) {
    const { t, card, controller, instant, locked } = this;
    return html`<div class="extras">
      <followup-note
        .t=${t}
        .controller=${controller}
        .questionId=${card.id}
        .index=${index}
        .notes=${pickAt(card.draft, index).notes}
        .locked=${locked}
        .instant=${instant}
      ></followup-note>
      ${card.draft?.replying ? nothing : this.intake.chooser(locked)}
    </div>`;
  }

  private review() {
    const { card, parts } = this;
    return html`<followup-review
      .t=${this.t}
      .parts=${parts}
      .picks=${picksOf(card.draft, parts)}
      .summaryId="${card.id}-summary"
      .empty=${!this.sendable}
      .locked=${this.locked}
    ></followup-review>`;
  }

  /** Images, and the way on. A reply has a foot of its own. */
  private foot() {
    const { card, locked, intake } = this;
    if (card.draft?.replying || card.phase === "closed") {
      return nothing;
    }
    const count = card.draft?.images.length ?? 0;
    return html`
      ${intake.thumbnails(locked)} ${intake.quotes(locked)}
      ${this.along(count, card.draft?.quotes?.length ?? 0)}
      ${intake.notices()}
      <div class="step-bar" ?data-many=${isMany(this.parts[this.step])}>
        ${this.step === this.parts.length ? intake.chooser(locked) : nothing}
        <span class="step-buttons">${this.buttons()}</span>
      </div>
    `;
  }

  /** Tells that what was added goes along, where a click answers at once. */
  private along(images: number, quotes: number) {
    if (!this.instant || images + quotes === 0) {
      return nothing;
    }
    const { t } = this;
    return html`<p class="hint">${quotes > 0 ? t("questions.attached") : t("questions.images", { count: images })}</p>`;
  }

  private get sendable(): boolean {
    return isSubmittable(this.card.draft, this.parts);
  }

  private buttons() {
    const { t, step, locked } = this;
    const last = lastStep(this.parts);
    const back =
      step > 0
        ? html`<vscode-button secondary class="back" @click=${(event: Event) => this.goTo(step - 1, true, event)}
            >${t("questions.back")}</vscode-button
          >`
        : nothing;
    if (step < last) {
      return html`${back}
        <vscode-button
          secondary
          class="leave-out"
          title=${t("questions.leaveOutHint")}
          ?disabled=${locked}
          aria-disabled=${String(locked)}
          @click=${(event: Event) => this.leaveOut(event)}
          >${t("questions.leaveOut")}</vscode-button
        >
        <vscode-button class="next" title=${t("questions.nextHint")} @click=${(event: Event) => this.advance(event)}
          >${t(step === last - 1 ? "questions.review" : "questions.next")}</vscode-button
        >`;
    }
    return html`${back}${this.submitting()}`;
  }

  private submitting() {
    const { t } = this;
    if (this.instant && !(this.card.draft && isAttached(this.card.draft))) {
      return nothing;
    }
    const disabled = !this.sendable || this.locked || this.trouble || this.intake.busy;
    return html`<vscode-button
      class="submit"
      title=${t(this.sendable ? "questions.submitHint" : "questions.empty")}
      aria-describedby=${this.parts.length > 1 ? `${this.card.id}-summary` : nothing}
      ?disabled=${disabled}
      aria-disabled=${String(disabled)}
      @click=${(event: Event) => this.advance(event)}
      >${t("questions.submit")}</vscode-button
    >`;
  }

  /** Goes on to the next step, or sends the answers from the last one. */
  private advance(from: Event): void {
    const { card, controller, step, parts } = this;
    if (this.streaming || card.draft?.replying) {
      return;
    }
    if (step < lastStep(parts)) {
      this.goTo(step + 1, true, from);
    } else if (!this.intake.busy) {
      controller.submitPicks(card.id, from);
    }
  }

  private leaveOut(from: Event): void {
    if (!this.locked) {
      this.controller.repick(this.card.id, this.step, leftOut);
      this.advance(from);
    }
  }

  private goTo(step: number, answering: boolean, from: Event): void {
    this.wantsFocus = answering;
    this.controller.goTo(this.card.id, step, from);
  }

  private keydown(event: KeyboardEvent): void {
    if (!isEnter(event) || isCompleting(event.target)) {
      return;
    }
    const { target } = event;
    const inChoice = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    const withControl = event.ctrlKey || event.metaKey;
    if (event.repeat && !(target instanceof HTMLTextAreaElement && event.shiftKey)) {
      stop(event);
    } else if (withControl || (inChoice && !event.shiftKey && !event.altKey)) {
      stop(event);
      this.chooseFocused(target, withControl);
      if (!withControl && this.misses(target)) {
        this.focusAnswer();
      } else {
        this.advance(event);
      }
    }
  }

  /** Enter behind a note would send the note alone, while its only question is not answered yet. */
  private misses(target: EventTarget | null): boolean {
    const inNote = target instanceof Element && target.closest("followup-note") !== null;
    const picks = picksOf(this.controller.draft(this.card.id), this.parts);
    return inNote && lastStep(this.parts) === 0 && !picks.some(isAnswered);
  }

  /** Enter on a radio button that is not chosen yet chooses it. */
  private chooseFocused(target: EventTarget | null, withControl: boolean): void {
    const option =
      target instanceof HTMLInputElement && target.type === "radio" && !withControl && !this.locked;
    const index = option ? target.closest<HTMLElement>(".option:not(.other)")?.dataset.index : undefined;
    if (index !== undefined) {
      this.controller.repick(this.card.id, this.step, (pick) => chosen(pick, Number(index), false));
    }
  }
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
