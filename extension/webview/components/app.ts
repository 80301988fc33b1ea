// <followup-app>: the whole interface. It draws at most once a frame, however many messages arrive.

import { html, nothing, type PropertyValues } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { announcements } from "../announce";
import { digitTarget } from "../attention";
import { hostClearClosed, hostFocus } from "../boundary";
import { arrangeCards } from "../cardlist";
import { type Card, isAway, isFoldable, isOver } from "../cards";
import type { Controller } from "../controller";
import { followDrags } from "../drags";
import { Ground } from "../ground";
import { foldOf, isMac, isTextBox, keyAct, onKeys } from "../keys";
import { firstPending, type ViewEvent, type ViewState } from "../state";
import { FollowupCard } from "./card";
import { clearable, FollowupClosedBar } from "./closed-bar";
import { commandButton, empty, hubBar, troubleBar } from "./notices";
import { FollowupView } from "./view";

/** How soon a page that gets no frames is brought up to date, in milliseconds. */
const hiddenDelay = 200;

/** How long it is said that an act was not taken, and what else belongs to no place on the page, in milliseconds. */
const refusalTime = 4000;
const sayingTime = 8000;

/** How many cards are drawn in full at once; of a longer list the others are when they come near the view. */
const drawnAtOnce = 20;

/** What the user does, and sees done at once. */
const ownEvents: readonly ViewEvent["type"][] = ["drafted", "sent", "cleared", "folded"];

@customElement("followup-app")
export class FollowupApp extends FollowupView {
  private controller!: Controller;
  /** The state that the page shows. */
  @state() private view!: ViewState;
  /** The question that the digits answer. */
  @state() private target: string | undefined;
  @query(".cards") private list!: HTMLElement | null;
  private readonly cards = new Map<string, FollowupCard>();
  private readonly closedBar = new FollowupClosedBar();
  private ground!: Ground;
  private scheduled = false;
  /** The page is about to change by itself, and not by what the user does. */
  private changes = false;
  /** Where the focus goes once the questions are there. */
  private wanted: { id?: string } | undefined;
  /** A button of the pointer is down: nothing moves away below it. */
  private pressed = false;
  /** What is said over the page. */
  @state() private said: string | undefined;
  private saying: ReturnType<typeof setTimeout> | undefined;

  /** Begins to show the controller's state. */
  start(controller: Controller): void {
    this.controller = controller;
    this.view = controller.store.state;
    controller.say = (key, values) => this.say(this.t(key, values), sayingTime);
    this.ground = new Ground(this, controller.guard, () => this.refuse());
    controller.store.subscribe((event) => {
      const { cards } = controller.store.state;
      if (event.type === "attended" && cards === this.view.cards) {
        return; // The page shows nothing of it but the digits.
      }
      this.changes ||= !ownEvents.includes(event.type) && !growsAtEnd(event, cards);
      if (ownEvents.includes(event.type)) {
        this.draw(event);
      } else {
        this.schedule();
      }
    });
    controller.link.on(hostClearClosed, () => this.clearAll());
    controller.link.on(hostFocus, (to) => {
      this.wanted = to.on === "question" ? to : undefined;
      this.draw();
    });
    onKeys((event) => this.keydown(event));
    window.addEventListener("focus", () => this.returned());
    window.addEventListener("focusin", (event) => {
      this.attend();
      this.drawBeside(event);
    });
    window.addEventListener("focusout", (event) => {
      // Until the event is over the focus is nowhere; where it goes on, that is told by the other event.
      if (event.relatedTarget === null) {
        setTimeout(() => this.attend());
      }
    });
    this.addEventListener("followup-moves", () => this.ground.changes(false));
    window.addEventListener("pointerdown", () => this.press(true), { capture: true });
    for (const type of ["pointerup", "pointercancel"]) {
      // The click of the pointer comes first.
      window.addEventListener(type, () => setTimeout(() => this.press(false)), { capture: true });
    }
    followDrags();
  }

  protected override render() {
    const { view, t, controller } = this;
    if (view === undefined) {
      return nothing;
    }
    const trouble = view.trouble !== null;
    return html`<main>
      <h1 class="visually-hidden">${t("app.questions")}</h1>
      ${troubleBar(view, t, controller)}
      ${hubBar(view, t, controller)}
      <div class="cards" @contentvisibilityautostatechange=${this.nearing}></div>
      ${
        (view.ready || trouble) && view.cards.length === 0
          ? empty("comment-discussion", t("empty.title"), t("empty.text"), [
              commandButton("connectAgents", t("empty.connect"), controller, trouble),
              commandButton("askSample", t("empty.sample"), controller, trouble),
            ])
          : nothing
      }
      <p class="toast" role="status" ?data-shown=${this.said !== undefined}>${this.said}</p>
      ${this.announcements()}
    </main>`;
  }

  protected override updated(_changed: PropertyValues): void {
    if (this.view !== undefined && this.list !== null) {
      this.updateCards(this.list);
    }
  }

  /** The cards are kept by hand, see arrangeCards. */
  private updateCards(list: HTMLElement): void {
    const { view, t, controller, target } = this;
    const { length } = view.cards;
    const long = length > drawnAtOnce;
    list.toggleAttribute("data-long", long);
    const drawsAll = !("oncontentvisibilityautostatechange" in HTMLElement.prototype);
    const wanted = view.cards.map((card, index) => {
      const element = this.cards.get(card.id) ?? new FollowupCard();
      this.cards.set(card.id, element);
      Object.assign(element, {
        t,
        controller,
        card,
        locale: view.locale,
        phrases: view.phrases,
        trouble: view.trouble !== null || isAway(view, card),
        away: isAway(view, card) && card.phase !== "closed",
        digits: card.id === target,
        wideable: view.only === undefined && controller.can("openQuestion"),
        folded: view.folded.has(card.id) && isFoldable(card),
        drawn: element.drawn || drawsAll || index < drawnAtOnce || isOver(card),
      });
      if (!long) {
        element.removeAttribute("data-far"); // no event tells it
      }
      element.placeIn(long ? { at: index + 1, of: length } : undefined);
      return element;
    });
    const ids = new Set(view.cards.map(({ id }) => id));
    for (const id of [...this.cards.keys()]) {
      if (!ids.has(id)) {
        this.cards.delete(id);
      }
    }
    const firstClosed = view.cards.findIndex(isOver);
    Object.assign(this.closedBar, { t, controller, closed: view.cards.filter(isOver) });
    const bar = firstClosed < 0 ? [] : [this.closedBar];
    const at = firstClosed < 0 ? wanted.length : firstClosed;
    arrangeCards(list, [...wanted.slice(0, at), ...bar, ...wanted.slice(at)]);
  }

  /** A card of a long list has come near the view, or has left it. */
  private readonly nearing = (event: ContentVisibilityAutoStateChangeEvent): void => {
    const { target: card, skipped } = event;
    if (card instanceof FollowupCard) {
      card.toggleAttribute("data-far", skipped);
      if (!skipped) {
        this.drawInFull(card);
      }
    }
  };

  private drawInFull(card: FollowupCard): void {
    if (!card.drawn) {
      this.ground.changes(false);
      card.drawn = true;
    }
  }

  /** Tab goes to what is drawn: the cards beside the one with the focus are, however fast the keys come. */
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
    requestAnimationFrame(() => this.scheduled && this.draw(undefined, true));
    // The editor draws no frames of a view that is hidden, but a screen reader may still listen.
    setTimeout(() => this.scheduled && this.draw(), hiddenDelay);
  }

  private draw(event?: ViewEvent, inFrame = false): void {
    this.scheduled = false;
    const before = this.view;
    const { changes, target } = this;
    this.changes = false;
    if (changes) {
      this.ground.changes(inFrame);
    }
    const after = this.controller.store.state;
    this.follow(after);
    this.speak(announcements(before, after, this.t));
    if (event?.type === "cleared") {
      const cleared = before.cards.length - after.cards.length;
      this.speak([this.t("closed.cleared", { count: cleared })]);
      this.refocus(before, after);
    }
    this.view = after;
    this.retarget();
    const { wanted } = this;
    if (wanted !== undefined && (after.ready || after.trouble !== null)) {
      this.wanted = undefined;
      void this.updateComplete.then(() => this.focusCard(wanted.id));
    }
    const card = this.cards.get(this.target ?? "");
    if (changes && card !== undefined && this.target !== target) {
      this.ground.retargeted(card);
    }
  }

  /** Says that an act was not taken. */
  private refuse(): void {
    this.say(this.t("guard.refused"), refusalTime);
  }

  /** Says something over the page for a time in milliseconds. */
  private say(text: string, time: number): void {
    this.said = text;
    clearTimeout(this.saying);
    this.saying = setTimeout(() => {
      this.said = undefined;
    }, time);
  }

  private press(pressed: boolean): void {
    this.pressed = pressed;
    this.attend();
  }

  /** What only the focus kept goes once the focus has left it, but not from under the pointer. */
  private attend(): void {
    if (!this.pressed) {
      this.controller.attend();
    }
    this.retarget();
  }

  private retarget(): void {
    const { cards, attention, folded } = this.controller.store.state;
    this.target = digitTarget(cards, attention, folded);
  }

  /** The focus that a card's end took while it was elsewhere in the editor comes back to that card. */
  private returned(): void {
    const card = this.querySelector<FollowupCard>("followup-card[data-unfocused]");
    card?.removeAttribute("data-unfocused");
    if (document.activeElement === document.body) {
      card?.focus({ preventScroll: true });
    }
  }

  /** The focus that a card took with it goes to the closed card that stands there now, which takes no answers. */
  private refocus(before: ViewState, after: ViewState): void {
    const focused = this.list?.querySelector(":focus-within") ?? null;
    if (focused === null) {
      return;
    }
    const at = before.cards.findIndex(({ id }) => id === (focused as HTMLElement).dataset.id);
    const closed = after.cards.filter(isOver);
    const next = before.cards.slice(Math.max(at, 0)).find(({ id }) => closed.some((card) => card.id === id));
    const target = this.cards.get((next ?? closed.at(-1))?.id ?? "");
    target?.focus({ preventScroll: true });
  }

  private clearAll(): void {
    this.controller.clear(clearable(this.controller.store.state.cards));
  }

  private focusCard(id: string | undefined): void {
    const card = id === undefined ? undefined : this.cards.get(id);
    const state = this.controller.store.state;
    const pending = this.target ?? firstPending(state)?.id ?? state.cards[0]?.id ?? "";
    const first = card ?? this.cards.get(pending);
    if (first !== undefined) {
      first.drawn = true;
      this.controller.fold(first.card.id, false);
      void this.updateComplete.then(() => first.updateComplete).then(() => first.focusAnswer());
    } else {
      this.querySelector<HTMLElement>(".empty .action")?.focus();
    }
  }

  private keydown(event: KeyboardEvent): void {
    // An element of @vscode-elements/elements takes the space bar as a click but lets the page scroll by it.
    if (event.key === " " && event.target instanceof Element && event.target.localName === "vscode-button") {
      event.preventDefault();
    }
    const focused = document.activeElement;
    const inText = isTextBox(focused);
    const folds = foldOf(event, isMac);
    if (folds !== undefined) {
      this.fold(focused, folds, event);
      return;
    }
    const act = keyAct(event, inText);
    if (act === null) {
      if (!inText && isLetter(event)) {
        this.controller.guard.typed(event.timeStamp);
      }
      return;
    }
    if (act.do === "escape") {
      this.controller.run("escape");
      return;
    }
    this.attend();
    if (act.do === "choose") {
      this.choose(act.index, event);
    } else if (focused === document.body || focused instanceof FollowupCard) {
      const own = focused instanceof FollowupCard && focused.card.phase === "pending" ? focused : undefined;
      const card = own ?? this.cards.get(firstPending(this.controller.store.state)?.id ?? "");
      if (card !== undefined) {
        event.preventDefault();
        card.focusAnswer();
      }
    }
  }

  /** Folds or unfolds the card that holds the focus or, where nothing does, the only one. */
  private fold(focused: Element | null, folds: boolean, event: KeyboardEvent): void {
    const [only, ...others] = this.cards.values();
    const own = focused?.closest("followup-card");
    const card = own instanceof FollowupCard ? own : others.length === 0 ? only : undefined;
    if (card !== undefined && isFoldable(card.card)) {
      event.preventDefault();
      card.fold(folds);
    }
  }

  private choose(index: number, event: KeyboardEvent): void {
    const card = this.cards.get(this.target ?? "");
    if (card === undefined) {
      return;
    }
    if (this.controller.guard.isTyping(event.timeStamp)) {
      this.refuse();
    } else if (this.ground.rests(card, event)) {
      card.chooseDigit(index, event);
    }
  }
}

/** Whether only text grows, at the end of the page: that moves nothing. */
function growsAtEnd(event: ViewEvent, cards: readonly Card[]): boolean {
  if (event.type !== "change") {
    return false;
  }
  const { grown = [], items, removed, storage } = event.change;
  return !items && !removed && !storage && grown.every(({ questionId }) => questionId === cards.at(-1)?.id);
}

/** Whether the key types a letter; with nothing to type into, it is a word that lost its box. */
function isLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return /^\p{L}$/u.test(key) && !ctrlKey && !metaKey && !altKey;
}
