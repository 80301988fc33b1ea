// What the page's views have in common: the user's language, and what a screen reader is told.

import { html } from "lit";
import { state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { HostState } from "../../src/protocol.gen";
import { onKeys } from "../keys";
import type { Peer } from "../peer";
import { setLanguage, t } from "../strings";
import { FollowupElement, setHost } from "./element";

/** How many announcements stay for a screen reader to come to. */
const spokenKept = 4;

/** The base of a view. */
export abstract class FollowupView extends FollowupElement {
  @state() private spoken: readonly { key: number; text: string }[] = [];
  private spokenCount = 0;

  /** Begins to show what a peer knows, and hears the keys while it is on the page. */
  protected begin({ link, store }: Peer, keydown: (event: KeyboardEvent) => void): void {
    setHost(link.host);
    this.follow(store.state);
    onKeys((event) => this.isConnected && keydown(event));
  }

  /** Speaks the language of the host from now on. */
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
