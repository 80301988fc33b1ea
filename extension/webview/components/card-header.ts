// What stands above a card, in a line: who asks, where, whom and when, how it stands, and what can be done with the card itself.

import { html, nothing } from "lit";
import type { Card } from "../cards";
import { isMac } from "../keys";
import { moment, t } from "../strings";
import { icon, iconButton } from "./buttons";

/** What can be done with a card; what is absent cannot. */
interface CardWays {
  fold: { folded: boolean; toggle(): void } | undefined;
  openWide: (() => void) | undefined;
  clear: (() => void) | undefined;
}

/** The header of a card. */
export function cardHeader(card: Card, { fold, openWide, clear }: CardWays) {
  const { agent } = card;
  return html`<div class="card-header">
      ${fold ? foldToggle(card.id, fold) : nothing}
      ${icon(sign(card))}
      <h2 class="agent" dir="auto" title=${agent}>${agent}</h2>
      ${meta(card)} ${status(card)}
      ${openWide ? iconButton({ name: "wide", sign: "screen-full", label: t("card.wide"), run: openWide }) : nothing}
      ${clear ? clearButton(clear) : nothing}
    </div>`;
}

/** Where it was asked, whom it is for, and when, in a line. */
function meta(card: Card) {
  const { elsewhere, hub, to, askedAt } = card;
  const time = html`<time datetime=${new Date(askedAt).toISOString()}>${moment(askedAt)}</time>`;
  return html`<p class="meta" dir="auto">
    ${elsewhere === undefined ? nothing : html`<span title=${t("card.elsewhere", { folder: elsewhere })}>${t("card.in", { folder: elsewhere })}</span>`}
    ${hub === undefined ? nothing : html`<span>${t("card.at", { hub })}</span>`}
    ${to === undefined ? nothing : html`<span>${t("card.to", { name: to })}</span>`}
    ${status(card) === nothing ? html`<span>${time}</span>` : nothing}
  </p>`;
}

/** The button that clears a closed card away. */
export function clearButton(clear: () => void) {
  return iconButton({ name: "clear", sign: "close", label: t("card.clear"), run: clear });
}

function foldToggle(id: string, { folded, toggle }: NonNullable<CardWays["fold"]>) {
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

function status({ phase }: Card) {
  switch (phase) {
    case "streaming":
      return html`<span class="status">${icon("loading", true)} ${t("card.streaming")}</span>`;
    case "sending":
      return html`<span class="status">${icon("loading", true)} ${t("card.sending")}</span>`;
    case "queued":
      return html`<span class="status">${icon("history")} ${t("card.queued")}</span>`;
    default:
      return nothing;
  }
}

/** The icon of a card: what waits for the user differs in its shape, not in a colour, from what arrives, waits its turn, or is over. */
function sign({ guidance, phase }: Card): string {
  if (guidance !== undefined) {
    return "warning";
  }
  return phase === "pending" || phase === "sending" ? "question" : "comment-discussion";
}
