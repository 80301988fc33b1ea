// The base classes of the page's components and of its two views. They render without shadow roots, so that
// they share a stylesheet, labels and text selections.

import { html, LitElement } from "lit";
import { property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { Host, HostState } from "../../src/protocol.gen";
import type { Card } from "../cards";
import type { Controller } from "../controller";
import { onKeys } from "../keys";
import type { Peer } from "../peer";
import { setLanguage, t } from "../strings";

/** The page's host; set when a view begins. */
export let host: Host;

/** The base of every component. */
export abstract class FollowupElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** The base of a card and of its parts. */
export abstract class CardElement extends FollowupElement {
  @property({ attribute: false }) card!: Card;
  @property({ attribute: false }) controller!: Controller;
}

/** The text nodes in an element, except those in elements that match the selector. */
export function textNodes(root: Element, but: string): Text[] {
  const nodes: Text[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    node.parentElement?.closest(but) || nodes.push(node);
  }
  return nodes;
}

/** How many announcements are kept for a screen reader. */
const spokenKept = 4;

/** The base of a view. */
export abstract class FollowupView extends FollowupElement {
  @state() private spoken: readonly { key: number; text: string }[] = [];
  private spokenCount = 0;

  /** Starts to show a peer's state, and handles keys while the view is on the page. */
  protected begin({ link, state }: Peer, keydown: (event: KeyboardEvent) => void): void {
    host = link.host;
    this.follow(state);
    onKeys((event) => this.isConnected && keydown(event));
  }

  /** Switches to the host's language. */
  protected follow({ strings, locale }: HostState): void {
    if (setLanguage(strings, locale)) {
      for (const element of [this, ...this.querySelectorAll("*")]) {
        element instanceof FollowupElement && element.requestUpdate();
      }
      document.documentElement.lang = locale;
    }
  }

  protected speak(texts: readonly string[]): void {
    if (texts.length > 0) {
      const news = texts.map((text) => ({ key: this.spokenCount++, text }));
      this.spoken = [...this.spoken, ...news].slice(-spokenKept);
    }
  }

  protected announcements() {
    return html`<div class="visually-hidden" role="log" aria-live="polite" aria-label=${t("app.announcements")}>
      ${repeat(
        this.spoken,
        ({ key }) => key,
        ({ text }) => html`<p>${text}</p>`,
      )}
    </div>`;
  }
}
