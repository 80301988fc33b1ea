// <followup-card data-id data-state>: one question or questionnaire, from its first word to its outcome.

import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { isEmpty, wordsOf } from "../answer";
import { answerTexts, type Card, isFollowup, isOver, isOverridden, plainQuestions } from "../cards";
import { outcomeIcon, outcomeLine } from "../outcome";
import type { FollowupApproval } from "./approval";
import { icon, linkButton, secondaryButton } from "./buttons";
import { cardHeader, clearButton } from "./card-header";
import { notSent } from "./closed";
import { CardElement } from "./element";
import type { FollowupForm } from "./form";
import { contextBefore, followupText, record } from "./record";
import "./approval";
import "./form";
import "./timer";
import { shortened, t } from "../strings";

/** After how long the card shows why sending takes time, in milliseconds. */
const slowTime = 3000;

@customElement("followup-card")
export class FollowupCard extends CardElement {
  @property({ attribute: false }) phrases: readonly string[] = [];
  /** There is trouble with the sidecar, or no link to the hub: nothing can be sent. */
  @property({ attribute: false }) trouble = false;
  @property({ attribute: false }) away = false;
  /** Nothing can be saved at the moment. */
  @property({ attribute: false }) unsaved = false;
  @property({ attribute: false }) digits = false;
  /** The card is complete. Otherwise it only has its texts, which can be read and searched, and nothing to act on. */
  @property({ attribute: false }) drawn = false;
  @property({ attribute: false }) wideable = false;
  /** Only its title is shown; the rest keeps its state. */
  @property({ attribute: false }) folded = false;
  @query(".fold") private foldButton!: HTMLElement | null;
  /** The number of open requests that look like this one, including it, and its position among them. */
  @property({ attribute: false }) alike = 1;
  @property({ attribute: false }) ordinal = 1;
  @query("followup-form") form!: FollowupForm | null;
  @query("followup-approval") private approval!: FollowupApproval | null;
  @query(".reply") private replyButton!: HTMLElement | null;

  /** The reply was opened or closed: its new last element gets the keyboard focus once it is drawn. */
  private wantsFocus = false;
  private focusedInside: HTMLElement | undefined;
  /** A timer was going to choose for the user. */
  private timed = false;
  private answerable = false;
  /** The position of the card before it closed. */
  private room: DOMRect | undefined;
  /** The user is asked whether to discard their unsent text. */
  @state() private discarding = false;
  @state() private slow = false;
  private slowly: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    // A control that has no effect at the moment keeps the keyboard focus, which a disabled one would lose.
    this.addEventListener(
      "click",
      (event) => {
        if (event.target instanceof Element && event.target.closest('[aria-disabled="true"]')) {
          event.preventDefault();
          event.stopPropagation();
        }
      },
      { capture: true },
    );
    this.addEventListener("keydown", (event) => {
      if (event.key === "Delete" && isOver(this.card) && !event.repeat) {
        event.preventDefault();
        this.clear();
      }
    });
    for (const act of ["pointerdown", "keydown", "focusin", "input"]) {
      this.addEventListener(act, this.touch, { capture: true });
    }
  }

  private readonly touch = (): void => this.controller.touch(this.card.id);

  focusAnswer(): void {
    if (this.card.phase === "pending") {
      (this.approval ?? this.form)?.focusAnswer();
    } else {
      this.focus();
    }
  }

  /** Folds the card to its title, or unfolds it; the focus moves to the button that undoes it, and back. */
  fold(folded: boolean): void {
    this.touch();
    const focused = document.activeElement;
    const inside =
      folded && focused instanceof HTMLElement && this.querySelector(".card-body")?.contains(focused);
    this.controller.fold(this.card.id, folded);
    if (inside) {
      this.foldButton?.focus({ preventScroll: true });
      this.focusedInside = focused;
    } else if (!this.contains(focused)) {
      this.focusedInside = undefined;
    }
    if (isOver(this.card) && this.contains(focused)) {
      // Folding replaces the focused element by the title, unfolding the title by the focused element.
      void this.updateComplete.then(() => this.querySelector<HTMLElement>(".fold, .folded-title")?.focus());
    }
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { agent, id, phase, timer } = this.card;
    const before = changed.get("card");
    const closes = isOver(this.card) && before !== undefined;
    // Open cards below a closing one do not move, until Still releases the room.
    this.room = closes && !isOver(before) ? this.getBoundingClientRect() : undefined;
    if (this.room !== undefined) {
      // The page must not become shorter, even briefly, or it would scroll.
      this.style.marginBlockEnd = `${this.room.height}px`;
    }
    this.timed ||= timer !== undefined;
    this.dataset.id = id;
    this.dataset.state = phase;
    this.dataset.dropHint = t("drop.hint");
    this.role = "article";
    this.tabIndex = -1;
    this.ariaBusy = String(phase === "streaming");
    this.toggleAttribute("data-folded", this.folded);
    this.toggleAttribute("data-guidance", this.card.guidance !== undefined);
    this.ariaLabel = t(this.card.guidance ? "card.guidanceLabel" : "card.label", { agent });
    const answerable = phase === "pending" && !this.trouble && this.drawn;
    if (answerable && !this.answerable) {
      this.controller.gesture.answerable(this);
    }
    this.answerable = answerable;
    this.discarding &&= isOver(this.card);
    if (phase !== "sending") {
      clearTimeout(this.slowly);
      this.slowly = undefined;
      this.slow = false;
    } else {
      this.slowly ??= setTimeout(() => {
        this.slow = true;
      }, slowTime);
    }
    // When its buttons disappear, the card keeps the focus, or gets it back when the window does.
    if (closes && this !== document.activeElement && this.contains(document.activeElement)) {
      if (document.hasFocus()) {
        this.focus({ preventScroll: true });
      } else {
        this.setAttribute("data-unfocused", "");
      }
    }
  }

  /** Keeps the space that the card had before it closed, around the line that remains, which stays in view. */
  private keepRoom(): void {
    const { room } = this;
    if (room === undefined) {
      return;
    }
    const spare = room.height - this.getBoundingClientRect().height;
    if (spare > 0) {
      const above = Math.min(Math.max(-room.top, 0), spare);
      this.style.marginBlock = `${above}px ${spare - above}px`;
    } else {
      this.removeAttribute("style");
    }
  }

  protected override updated(changed: PropertyValues<this>): void {
    this.keepRoom();
    if (changed.has("folded") && !this.folded) {
      this.focusedInside?.focus({ preventScroll: true });
      this.focusedInside = undefined;
    }
    if (document.hasFocus() && this.contains(document.activeElement)) {
      this.touch();
    }
    if (this.wantsFocus) {
      this.wantsFocus = false;
      void this.form?.updateComplete.then(() =>
        this.card.draft?.replying ? this.form?.focusAnswer() : this.replyButton?.focus(),
      );
    }
  }

  protected override render() {
    const { card } = this;
    if (!this.drawn) {
      return html`${cardHeader(this)}${textsOf(card).map((text) => html`<p class="sketch" dir="auto">${text}</p>`)}`;
    }
    const { phase } = card;
    const answering = phase === "pending" || phase === "sending";
    if (this.folded && phase === "closed") {
      return this.closedLine();
    }
    // Parts that are hidden until found keep their state, and the browser's search unfolds them.
    return html`
      ${cardHeader(this)}
      ${this.folded ? this.foldedTitle() : nothing}
      ${this.timed && phase === "pending" ? html`<followup-timer .timer=${card.timer} .stop=${this.touch}></followup-timer>` : nothing}
      <div
        class="card-body"
        id="${card.id}-body"
        hidden=${this.folded ? "until-found" : nothing}
        @beforematch=${() => this.fold(false)}
      >
      ${contextBefore(card, "context-words", phase !== "streaming")}
      ${isFollowup(card) ? followupText(card, "question", phase !== "streaming") : nothing}
      ${phase === "closed" ? nothing : this.waiting()}
      ${card.guidance ? html`<p class="hint">${t("card.guidanceHint", { message: card.guidance.error.message })}</p>` : nothing}
      ${phase === "queued" ? this.queued() : nothing}
      ${
        card.approval && answering
          ? html`<followup-approval
              .card=${card}
              .controller=${this.controller}
              .trouble=${this.trouble}
              .alike=${this.alike}
              .ordinal=${this.ordinal}
            ></followup-approval>`
          : phase === "streaming" || answering
            ? html`<followup-form
              .card=${card}
              .controller=${this.controller}
              .phrases=${this.phrases}
              .trouble=${this.trouble}
              .digits=${this.digits}
            ></followup-form>`
            : nothing
      }
      ${answering ? this.answering() : nothing}
      ${
        phase === "closed"
          ? html`<followup-closed
              .card=${card}
              .controller=${this.controller}
              .phrases=${this.phrases}
              .discarding=${this.discarding}
              .keep=${this.keep}
            ></followup-closed>`
          : nothing
      }
      </div>
    `;
  }

  private waiting() {
    const { card } = this;
    if (card.orphaned) {
      return html`<p class="hint">${t("card.orphaned")}</p>`;
    }
    const { agent } = card;
    if (card.noCancel) {
      return html`<p class="hint">${t("card.noCancel", { agent })}</p>`;
    }
    // A request for permission has a button that names the dialog.
    return card.beside && !card.approval ? html`<p class="hint">${t("card.beside", { agent })}</p>` : nothing;
  }

  private closedLine() {
    const { card } = this;
    const { outcome } = card;
    const answer = inLine(answerTexts(card).join(", "));
    const how = outcomeLine(card);
    const overridden = outcome !== undefined && isOverridden(outcome);
    return html`<div class="closed-line">
      <button type="button" class="folded-title" aria-expanded="false" title=${how} @click=${() => this.fold(false)}>
        ${icon(outcomeIcon(outcome))}
        <span class="folded-words" dir="auto">${titleOf(card)}</span>
        <span class="closed-answer" dir="auto" ?data-overridden=${overridden}
          >${answer === "" || overridden ? how : html`<span class="visually-hidden">${how}: </span>${answer}`}</span
        >
      </button>
      ${clearButton(this)}
    </div>`;
  }

  private foldedTitle() {
    const { card } = this;
    const begun = card.draft !== undefined && !isEmpty(card.draft);
    return html`<button type="button" class="folded-title" aria-expanded="false" @click=${() => this.fold(false)}>
      <span class="folded-words" dir="auto">${titleOf(card)}</span>
      ${begun ? html`<span class="hint">${icon("edit")} ${t("card.begun")}</span>` : nothing}
    </button>`;
  }

  private queued() {
    const { card } = this;
    return html`${isFollowup(card) ? nothing : record(card, "names")}<p class="hint">${t("card.queuedHint")}</p>`;
  }

  /** Removes the closed card, or first asks whether to discard unsent text. */
  clear(): void {
    const { card, controller } = this;
    if (card.draft === undefined) {
      controller.clear([card.id]);
    } else {
      controller.gesture.allows(card.id, "clear");
      this.discarding = true;
      controller.fold(card.id, false);
    }
  }

  private readonly keep = (): void => {
    this.discarding = false;
    this.focus();
  };

  private answering() {
    const { card } = this;
    return html`${card.refused === undefined ? nothing : html`<p class="refused" role="alert">${icon("error")} ${card.refused || t("card.notSent")}</p>`}
      ${this.other()} ${this.footer()}`;
  }

  /** The text that another page wrote while the user writes on this one, and the choice between the two. */
  private other() {
    const { card, controller } = this;
    if (card.other === undefined) {
      return nothing;
    }
    const settle = (takes: boolean) => () => {
      controller.settle(card.id, takes);
      this.form?.focusWords();
    };
    const buttons = html`${secondaryButton({ name: "use-other", run: settle(true) }, t("card.useOther"))}
      ${secondaryButton({ name: "keep-mine", run: settle(false) }, t("card.keepMine"))}`;
    return html`<div class="unsent other-draft" role="status">
      ${notSent(t("card.theirs"), wordsOf(card.other), buttons)}
    </div>`;
  }

  private footer() {
    const { card, controller, trouble } = this;
    const why = this.hindrance();
    const dismiss = {
      name: "dismiss",
      title: t(
        card.approval
          ? "approval.leaveHint"
          : card.guidance
            ? "card.guidanceDismissHint"
            : "card.dismissHint",
      ),
      locked: card.phase !== "pending" || trouble,
      run: () => controller.dismiss(card.id),
    };
    return html`<div class="card-footer">
        ${why === undefined ? nothing : html`<p class="hint away" role="status">${why}</p>`}
        ${isFollowup(card) || card.approval ? nothing : this.replyToggle()}
        ${card.readOnly ? nothing : linkButton(dismiss, t(card.approval ? "approval.leave" : "card.dismiss"))}
      </div>`;
  }

  private hindrance(): string | undefined {
    const { card, trouble, away, slow } = this;
    if (card.phase === "sending") {
      const waits = this.unsaved && card.approval ? "card.slowUnsaved" : "card.slow";
      return slow ? t(trouble ? "card.slowOffline" : waits) : undefined;
    }
    return away ? t("card.hubAway") : trouble ? t("card.offline") : undefined;
  }

  private replyToggle() {
    const { card, controller } = this;
    const { replying = false } = card.draft ?? {};
    const toggle = {
      name: "reply",
      sign: replying ? "arrow-left" : "reply",
      title: replying ? undefined : t("reply.openHint"),
      locked: card.phase === "sending",
      run: () => {
        this.wantsFocus = true;
        controller.redraft(card.id, (draft) => ({ ...draft, replying: !replying }));
      },
    };
    return linkButton(toggle, t(replying ? "reply.close" : "reply.open"));
  }
}

/** How much of the question a folded card shows, in UTF-16 code units. */
const titleLength = 300;

function titleOf(card: Card): string {
  return inLine(plainQuestions(card).join(" · "));
}

function inLine(text: string): string {
  return shortened(text.replace(/\s+/g, " ").trim(), titleLength);
}

function textsOf({ parts }: Card): string[] {
  return parts.flatMap(({ question, options }) => [question, ...options.map(({ label }) => label)]);
}
