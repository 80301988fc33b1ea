// <followup-app>: the whole interface. It draws at most once a frame, however many messages arrive.

import { html, nothing, type PropertyValues } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { announcements } from "../announce";
import { arrangeCards, cardOf } from "../cardlist";
import type { Controller } from "../controller";
import { followDrags } from "../drags";
import { isTextBox, keyAct, keyboardTarget, onKeys } from "../keys";
import type { ViewState } from "../state";
import { translator } from "../strings";
import { FollowupCard } from "./card";
import { FollowupElement } from "./element";
import "./banner";
import "./empty";

/** How many announcements stay for a screen reader to come to. */
const spokenKept = 4;

/** How soon a page that gets no frames is brought up to date, in milliseconds. */
const hiddenDelay = 200;

@customElement("followup-app")
export class FollowupApp extends FollowupElement {
  private controller!: Controller;
  /** The state that the page shows. */
  @state() private view!: ViewState;
  /** The question that the digits answer. */
  @state() private target: string | undefined;
  @state() private spoken: readonly { key: number; text: string }[] = [];
  private spokenCount = 0;
  @query(".cards") private list!: HTMLElement | null;
  private readonly cards = new Map<string, FollowupCard>();
  private scheduled = false;

  /** Begins to show the controller's state. */
  start(controller: Controller): void {
    this.controller = controller;
    this.view = controller.store.state;
    controller.store.subscribe((event) => {
      if (event.type === "focus") {
        this.draw();
        void this.updateComplete.then(() => this.focusCard(event.id));
      } else if (event.type === "drafted" || event.type === "sent") {
        this.draw();
      } else {
        this.schedule();
      }
    });
    onKeys((event) => this.keydown(event));
    for (const type of ["focusin", "focusout"]) {
      // By the time of the microtask the new focus stands.
      window.addEventListener(type, () => queueMicrotask(() => this.retarget()));
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
      <followup-banner .t=${t} .trouble=${view.trouble} .storage=${view.storage} .controller=${controller}></followup-banner>
      <div class="cards"></div>
      ${
        view.ready && view.cards.length === 0
          ? html`<followup-empty .t=${t} .controller=${controller} .trouble=${trouble}></followup-empty>`
          : nothing
      }
      <div class="visually-hidden" role="log" aria-live="polite" aria-label=${t("app.announcements")}>
        ${repeat(
          this.spoken,
          ({ key }) => key,
          ({ text }) => html`<p>${text}</p>`,
        )}
      </div>
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
    const wanted = view.cards.map((card) => {
      const element = this.cards.get(card.id) ?? new FollowupCard();
      this.cards.set(card.id, element);
      Object.assign(element, {
        t,
        controller,
        card,
        locale: view.locale,
        trouble: view.trouble !== null,
        digits: card.id === target,
      });
      return element;
    });
    for (const id of [...this.cards.keys()]) {
      if (!view.cards.some((card) => card.id === id)) {
        this.cards.delete(id);
      }
    }
    arrangeCards(list, wanted);
  }

  private schedule(): void {
    if (this.scheduled) {
      return;
    }
    this.scheduled = true;
    const draw = () => this.scheduled && this.draw();
    // The editor draws no frames of a view that is hidden, but a screen reader may still listen.
    requestAnimationFrame(draw);
    setTimeout(draw, hiddenDelay);
  }

  private draw(): void {
    this.scheduled = false;
    const before = this.view;
    const after = this.controller.store.state;
    if (after.strings !== before.strings || after.locale !== before.locale) {
      this.t = translator(after.strings, after.locale);
      document.documentElement.lang = after.locale;
    }
    const news = announcements(before, after, this.t).map((text) => ({ key: this.spokenCount++, text }));
    if (news.length > 0) {
      this.spoken = [...this.spoken, ...news].slice(-spokenKept);
    }
    this.view = after;
    this.retarget();
  }

  private retarget(): void {
    const focused = cardOf(document.activeElement)?.dataset.id;
    this.target = keyboardTarget(this.controller, focused);
  }

  private focusCard(id: string | undefined): void {
    const card = id === undefined ? undefined : this.cards.get(id);
    const first = card ?? this.cards.get(this.target ?? "") ?? [...this.cards.values()][0];
    if (first !== undefined) {
      void first.updateComplete.then(() => first.focusAnswer());
    } else {
      this.querySelector<HTMLElement>("followup-empty vscode-button")?.focus();
    }
  }

  private keydown(event: KeyboardEvent): void {
    // An element of @vscode-elements/elements takes the space bar as a click but lets the page scroll by it.
    if (event.key === " " && event.target instanceof Element && event.target.localName === "vscode-button") {
      event.preventDefault();
    }
    const focused = document.activeElement;
    const act = keyAct(event, isTextBox(focused));
    if (act === null) {
      return;
    }
    if (act.do === "escape") {
      this.controller.post("escape");
      return;
    }
    this.retarget();
    const { target } = this;
    const card = target === undefined ? undefined : this.cards.get(target);
    if (target === undefined || card === undefined) {
      return;
    }
    if (act.do === "choose") {
      card.chooseDigit(act.index, event);
    } else if (focused === document.body || focused instanceof FollowupCard) {
      event.preventDefault();
      card.focusAnswer();
    }
  }
}
