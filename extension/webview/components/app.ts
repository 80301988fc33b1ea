// <followup-app>: the whole interface. It draws at most once a frame, however many messages arrive.

import { html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { hostClearClosed, hostFocus } from "../../src/protocol.gen";
import { alike } from "../approval";
import { type Card, clearable, isAway, isFoldable, isOver } from "../cards";
import type { Controller } from "../controller";
import { cardIdOf, digitTarget, foldOf, isMac, isTextBox, keyAct, nextPending } from "../keys";
import { announcements } from "../outcome";
import type { ViewEvent, ViewState } from "../state";
import { Still } from "../still";
import { t } from "../strings";
import { commandButton, empty, hubBar, linkButton, troubleBar } from "./buttons";
import { FollowupCard } from "./card";
import { takeFiles } from "./drops";
import { FollowupView } from "./element";

/** How soon a page that gets no frames is updated, in milliseconds. */
const hiddenDelay = 200;

/** How long a toast is shown, in milliseconds. */
const sayingTime = 8000;

/**
 * How many cards are drawn in full at once. In a longer list, the others are drawn when they come near the
 * view.
 */
const drawnAtOnce = 20;

/** The user's own events are drawn at once. */
const ownEvents: readonly ViewEvent["type"][] = ["drafted", "sent", "cleared", "folded", "left", "settled"];

@customElement("followup-app")
export class FollowupApp extends FollowupView {
  private controller!: Controller;
  @state() private view!: ViewState;
  @state() private target: string | undefined;
  private readonly still = new Still(this);
  private scheduled = false;
  /** The cards that have been near the view, and stay drawn in full. */
  private readonly drawn = new Set<string>();
  /** The target of the focus once the questions have arrived. */
  private wanted: { id?: string } | undefined;
  @state() private said: string | undefined;
  private saying: ReturnType<typeof setTimeout> | undefined;

  start(controller: Controller): void {
    this.controller = controller;
    this.view = controller.state;
    this.begin(controller, (event) => this.keydown(event));
    controller.say = (key, values) => this.say(t(key, values));
    controller.gesture.listen(this);
    controller.subscribe((event) => (ownEvents.includes(event.type) ? this.draw(event) : this.schedule()));
    controller.link.on(hostClearClosed, () => this.clearAll());
    controller.link.on(hostFocus, (to) => {
      this.wanted = to.on === "question" ? to : undefined;
      this.draw();
    });
    window.addEventListener("focus", () => this.returned());
    window.addEventListener("focusin", (event) => {
      this.attend();
      this.drawBeside(event);
    });
    window.addEventListener("focusout", (event) => {
      // Until this event has been handled nothing has the focus; another event reports its new place.
      if (event.relatedTarget === null) {
        setTimeout(() => this.attend());
      }
    });
    this.still.watch();
    takeFiles((target) => {
      const card = target.closest<FollowupCard>("followup-card");
      return card?.card.phase === "pending" ? card.form : undefined;
    });
  }

  protected override render() {
    const { view, controller } = this;
    if (view === undefined) {
      return nothing;
    }
    return html`<main>
      <h1 class="visually-hidden">${t("app.questions")}</h1>
      ${troubleBar(view, controller)}
      ${hubBar(view, controller)}
      <div class="cards" ?data-long=${view.cards.length > drawnAtOnce} @contentvisibilityautostatechange=${this.nearing}>
        ${repeat(
          view.cards,
          ({ id }) => id,
          (card, index) => this.card(card, index),
        )}
      </div>
      ${clearable(view.cards).length > 0 ? this.closedBar() : nothing}
      ${
        view.ready && view.trouble === null && view.cards.length === 0
          ? empty("comment-discussion", t("empty.title"), t("empty.text"), this.waysOut())
          : nothing
      }
      <p class="toast" role="status" ?data-shown=${this.said !== undefined}>${this.said}</p>
      ${this.announcements()}
    </main>`;
  }

  private closedBar() {
    const title = t("closed.clearHint");
    const clear = { name: "clear-all", sign: "clear-all", title, run: () => this.clearAll() };
    return html`<div class="closed-bar">
      <span>${t("closed.title")}</span>
      ${linkButton(clear, t("closed.clear"))}
    </div>`;
  }

  private waysOut() {
    const { controller } = this;
    if (!controller.can("connectAgents")) {
      return html`<p>${t("empty.terminal")}</p>
        <pre class="commands" tabindex="0" aria-label=${t("empty.terminal")} role="group">followup connect
followup ask "Which port?" --suggest 8080 --suggest 3000</pre>`;
    }
    return [
      commandButton("connectAgents", t("empty.connect"), controller),
      commandButton("askSample", t("empty.sample"), controller),
    ];
  }

  private card(card: Card, index: number) {
    const { view, controller, target } = this;
    const { length } = view.cards;
    const drawsAll = !("oncontentvisibilityautostatechange" in HTMLElement.prototype);
    if (drawsAll || index < drawnAtOnce || isOver(card)) {
      this.drawn.add(card.id);
    }
    const away = isAway(view.hub, card) && !isOver(card);
    const twins = alike(view.cards, card);
    return html`<followup-card
      .controller=${controller}
      .card=${card}
      .phrases=${view.phrases}
      .trouble=${view.trouble !== null || away}
      .away=${away}
      .unsaved=${view.storage !== null}
      .alike=${Math.max(1, twins.length)}
      .ordinal=${twins.indexOf(card) + 1}
      .digits=${card.id === target}
      .wideable=${view.only === undefined && controller.can("openQuestion")}
      .folded=${view.folded.has(card.id) && isFoldable(card)}
      .drawn=${this.drawn.has(card.id)}
      aria-posinset=${length > drawnAtOnce ? index + 1 : nothing}
      aria-setsize=${length > drawnAtOnce ? length : nothing}
    ></followup-card>`;
  }

  private cardOf(id: string | undefined): FollowupCard | undefined {
    return this.cards().find(({ card }) => card.id === id);
  }

  private cards(): FollowupCard[] {
    return [...this.querySelectorAll<FollowupCard>("followup-card")];
  }

  /** A card of a long list has come near the view, or has left it. */
  private readonly nearing = ({ target, skipped }: ContentVisibilityAutoStateChangeEvent): void => {
    if (target instanceof FollowupCard && !skipped) {
      this.drawInFull(target);
    }
  };

  private drawInFull({ card: { id } }: FollowupCard): void {
    if (!this.drawn.has(id)) {
      this.drawn.add(id);
      this.requestUpdate();
    }
  }

  /**
   * Tab only reaches drawn cards, so those beside the focused one are drawn, however fast the user presses
   * keys.
   */
  private drawBeside({ target }: Event): void {
    const card = target instanceof Element ? target.closest("followup-card") : null;
    for (const beside of [card?.nextElementSibling, card?.previousElementSibling]) {
      if (beside instanceof FollowupCard) {
        this.drawInFull(beside);
      }
    }
  }

  private schedule(): void {
    if (this.scheduled) {
      return;
    }
    this.scheduled = true;
    requestAnimationFrame(() => this.scheduled && this.draw());
    // The editor draws no frames of a view that is hidden, but a screen reader may still listen.
    setTimeout(() => this.scheduled && this.draw(), hiddenDelay);
  }

  private draw(event?: ViewEvent): void {
    this.scheduled = false;
    const before = this.view;
    const after = this.controller.state;
    this.follow(after);
    this.speak(announcements(before, after));
    const focused = document.activeElement;
    if (event?.type === "cleared") {
      const cleared = before.cards.length - after.cards.length;
      this.speak([t("closed.cleared", { count: cleared })]);
      this.refocus(before, after);
    }
    this.view = after;
    this.retarget();
    void this.updateComplete.then(() => this.drew(before, after, focused));
  }

  private drew(before: ViewState, after: ViewState, focused: Element | null): void {
    // Below the last open card, nothing can be clicked by mistake.
    const cards = this.cards();
    const last = cards.findLastIndex(({ card }) => !isOver(card));
    const below = new Set<Element>(cards.slice(Math.max(last, 0)));
    this.still.release((card) => below.has(card));
    this.still.tidy();
    if (focused instanceof HTMLElement && focused.isConnected && document.activeElement === document.body) {
      focused.focus({ preventScroll: true }); // its card was moved
    }
    this.goOn(before, after);
    const { wanted } = this;
    if (wanted !== undefined && (after.ready || after.trouble !== null)) {
      this.wanted = undefined;
      this.focusCard(wanted.id);
    }
  }

  /** After the user's answer the focus moves to the next question, where digits answer it. */
  private goOn(before: ViewState, after: ViewState): void {
    const id = cardIdOf(document.activeElement);
    const own = after.cards.find((card) => card.id === id);
    if (own?.answeredHere && before.cards.find((card) => card.id === id)?.phase === "sending") {
      const next = nextPending(after.cards, own.id);
      // Nothing scrolls by itself under a pointer.
      this.cardOf(next?.id)?.focus({ preventScroll: this.controller.gesture.byPointer });
    }
    const openBefore = before.cards.some((card) => !isOver(card));
    const news = after.cards.find((card) => !isOver(card));
    if (!openBefore && news !== undefined && before.ready) {
      this.cardOf(news.id)?.scrollIntoView({ block: "nearest" }); // there is no other open card that could move
    }
  }

  private say(text: string): void {
    this.said = text;
    clearTimeout(this.saying);
    this.saying = setTimeout(() => {
      this.said = undefined;
    }, sayingTime);
  }

  private attend(): void {
    const focused = document.activeElement;
    this.controller.attend(cardIdOf(focused), isTextBox(focused));
    this.retarget();
  }

  private retarget(): void {
    const { cards, folded } = this.controller.state;
    const { activeElement, body } = document;
    this.target = digitTarget(cards, activeElement === body ? null : cardIdOf(activeElement), folded);
  }

  /** Returns the focus to a card that closed while the focus was elsewhere in the editor. */
  private returned(): void {
    const card = this.querySelector<FollowupCard>("followup-card[data-unfocused]");
    card?.removeAttribute("data-unfocused");
    if (document.activeElement === document.body) {
      card?.focus({ preventScroll: true });
    }
  }

  /** The focus of a removed card moves to the closed card in its place, which takes no answers. */
  private refocus(before: ViewState, after: ViewState): void {
    const focused = cardIdOf(document.activeElement);
    if (focused === undefined) {
      return;
    }
    const at = before.cards.findIndex(({ id }) => id === focused);
    const closed = after.cards.filter(isOver);
    const next = before.cards.slice(Math.max(at, 0)).find(({ id }) => closed.some((card) => card.id === id));
    this.cardOf((next ?? closed.at(-1))?.id)?.focus({ preventScroll: true });
  }

  private clearAll(): void {
    this.controller.clear(clearable(this.controller.state.cards));
  }

  private focusCard(id: string | undefined): void {
    const state = this.controller.state;
    const first =
      this.cardOf(id) ?? this.cardOf(this.target ?? nextPending(state.cards)?.id ?? state.cards[0]?.id);
    if (first !== undefined) {
      this.drawInFull(first);
      this.controller.fold(first.card.id, false);
      void this.updateComplete.then(() => first.updateComplete).then(() => first.focusAnswer());
    } else {
      this.querySelector<HTMLElement>(".empty .action")?.focus();
    }
  }

  private keydown(event: KeyboardEvent): void {
    const focused = document.activeElement;
    const folds = foldOf(event, isMac);
    const act = keyAct(event, isTextBox(focused));
    if (folds !== undefined) {
      this.fold(focused, folds, event);
    } else if (act === "letter") {
      this.controller.gesture.typed(event.timeStamp);
    } else if (act === "escape") {
      this.controller.run("escape");
    } else if (typeof act === "number") {
      this.attend();
      this.choose(act, event);
    } else if (act === "enter" && (focused === document.body || focused instanceof FollowupCard)) {
      const own = focused instanceof FollowupCard && focused.card.phase === "pending" ? focused : undefined;
      const card = own ?? this.cardOf(nextPending(this.controller.state.cards)?.id);
      if (card !== undefined) {
        event.preventDefault();
        card.focusAnswer();
      }
    }
  }

  /** Folds or unfolds the card that holds the focus or, where nothing does, the only one. */
  private fold(focused: Element | null, folds: boolean, event: KeyboardEvent): void {
    const [only, ...others] = this.cards();
    const own = focused?.closest("followup-card");
    const card = own instanceof FollowupCard ? own : others.length === 0 ? only : undefined;
    if (card !== undefined && isFoldable(card.card)) {
      event.preventDefault();
      card.fold(folds);
    }
  }

  private choose(index: number, event: KeyboardEvent): void {
    const { gesture, state } = this.controller;
    const card = this.cardOf(this.target);
    if (gesture.isTyping(event.timeStamp)) {
      return;
    }
    if (card === undefined) {
      const pending = state.cards.filter(({ phase }) => phase === "pending");
      if (pending.length > 1) {
        this.say(t("digits.which"));
      }
    } else if (gesture.takes(card, event)) {
      event.preventDefault();
      card.form?.chooseDigit(index);
    }
  }
}
