// What the page's views have in common: the user's language, and what a screen reader is told.

import { html } from "lit";
import { state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { Host, HostState } from "../boundary";
import type { Link } from "../link";
import { setLanguage, t } from "../strings";
import { FollowupElement, hostEvent } from "./element";

/** How many announcements stay for a screen reader to come to. */
const spokenKept = 4;

/** The base of a view. */
export abstract class FollowupView extends FollowupElement {
  @state() private spoken: readonly { key: number; text: string }[] = [];
  private spokenCount = 0;
  private spokenIn: Pick<HostState, "strings" | "locale"> | undefined;

  /** Gives what is in the view its host. */
  protected serve({ host }: Link): void {
    this.addEventListener(hostEvent, (event) => (event as CustomEvent<(to: Host) => unknown>).detail(host));
  }

  /** Speaks the language of the host from now on. */
  protected follow({ strings, locale }: HostState): void {
    if (strings !== this.spokenIn?.strings || locale !== this.spokenIn.locale) {
      this.spokenIn = { strings, locale };
      setLanguage(strings, locale);
      for (const element of [this, ...this.querySelectorAll("*")]) {
        element instanceof FollowupElement && element.requestUpdate();
      }
      document.documentElement.lang = locale;
    }
  }

  /** Tells a screen reader something. */
  protected speak(texts: readonly string[]): void {
    if (texts.length > 0) {
      const news = texts.map((text) => ({ key: this.spokenCount++, text }));
      this.spoken = [...this.spoken, ...news].slice(-spokenKept);
    }
  }

  /** What a screen reader was told. */
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
