// What stands above a card: whom and what it is for, who asks, how it stands, and what can be done with the card itself.

import { html, nothing } from "lit";
import type { Card } from "../cards";
import { isMac } from "../keys";
import { moment, type Translate } from "../strings";
import { icon } from "./icon";

/** What can be done with a card; what is absent cannot. */
interface CardWays {
  fold: { folded: boolean; toggle(): void } | undefined;
  openWide: (() => void) | undefined;
  clear: ((event: Event) => void) | undefined;
}

/** The header of a card. */
export function cardHeader(card: Card, t: Translate, locale: string, { fold, openWide, clear }: CardWays) {
  const { elsewhere, hub, to, agent, askedAt } = card;
  return html`${elsewhere === undefined ? nothing : context("window", t("card.elsewhere", { folder: elsewhere }))}${
    hub === undefined ? nothing : context("organization", t("card.hub", { hub }))
  }${to === undefined ? nothing : context("account", t("card.to", { name: to }))}<div class="card-header">
      ${fold ? foldToggle(card.id, t, fold) : nothing}
      ${icon(sign(card))}
      <h2 class="agent" dir="auto" title=${agent}>${agent}</h2>
      ${status(card, t) ?? html`<time datetime=${new Date(askedAt).toISOString()}>${moment(askedAt, locale)}</time>`}
      ${openWide ? button("wide", "screen-full", t("card.wide"), openWide) : nothing}
      ${clear ? clearButton(t, clear) : nothing}
    </div>`;
}

/** The button that clears a closed card away. */
export function clearButton(t: Translate, clear: (event: Event) => void) {
  return button("clear", "close", t("card.clear"), clear);
}

function context(name: string, text: string) {
  return html`<p class="elsewhere" dir="auto">${icon(name)} ${text}</p>`;
}

function button(name: string, sign: string, label: string, run: (event: Event) => void) {
  return html`<button type="button" class="icon-button ${name}" aria-label=${label} title=${label} @click=${run}>
    ${icon(sign)}
  </button>`;
}

function foldToggle(id: string, t: Translate, { folded, toggle }: NonNullable<CardWays["fold"]>) {
  return html`<button
    type="button"
    class="icon-button fold"
    aria-label=${t("card.body")}
    aria-expanded=${String(!folded)}
    aria-controls="${id}-body"
    aria-keyshortcuts=${isMac ? "Meta+Alt+[ Meta+Alt+]" : "Control+Shift+[ Control+Shift+]"}
    title=${t(folded ? "card.unfold" : "card.fold", { keys: isMac ? "⌥⌘" : "Ctrl+Shift+" })}
    @click=${toggle}
  >
    ${icon(folded ? "chevron-right" : "chevron-down")}
  </button>`;
}

function status({ phase }: Card, t: Translate) {
  switch (phase) {
    case "streaming":
      return html`<span class="status">${icon("loading", true)} ${t("card.streaming")}</span>`;
    case "sending":
      return html`<span class="status">${icon("loading", true)} ${t("card.sending")}</span>`;
    case "queued":
      return html`<span class="status">${icon("history")} ${t("card.queued")}</span>`;
    default:
      return undefined;
  }
}

/** The icon of a card: what waits for the user differs in its shape, not in a colour, from what arrives, waits its turn, or is over. */
function sign({ guidance, phase }: Card): string {
  if (guidance !== undefined) {
    return "warning";
  }
  return phase === "pending" || phase === "sending" ? "question" : "comment-discussion";
}
