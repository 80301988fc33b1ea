// The line above a card: the agent, the place, the recipient, the time, the state, and the card's actions.

import { html, nothing } from "lit";
import { type Card, isFoldable, isOver } from "../cards";
import type { Controller } from "../controller";
import { isMac } from "../keys";
import { moment, t } from "../strings";
import { icon, iconButton } from "./buttons";

/** The card of a header, and its actions. */
interface Headed {
  readonly card: Card;
  readonly controller: Controller;
  readonly drawn: boolean;
  readonly folded: boolean;
  readonly wideable: boolean;
  fold(folded: boolean): void;
  clear(): void;
}

/** The header of a card. */
export function cardHeader(element: Headed) {
  const { card, drawn, wideable, controller } = element;
  const foldable = drawn && isFoldable(card);
  const openWide = () => controller.openWide(card.id);
  return html`<div class="card-header">
      ${foldable ? foldToggle(element) : nothing}
      ${icon(sign(card))}
      <h2 class="agent" dir="auto" title=${card.agent}>${card.agent}</h2>
      ${meta(card)} ${status(card)}
      ${
        foldable && wideable && !isOver(card)
          ? iconButton({ name: "wide", sign: "screen-full", label: t("card.wide"), run: openWide })
          : nothing
      }
      ${isOver(card) ? clearButton(element) : nothing}
    </div>`;
}

function meta(card: Card) {
  const { elsewhere, hub, to, askedAt, expires } = card;
  const time = html`<time datetime=${new Date(askedAt).toISOString()}>${moment(askedAt)}</time>`;
  return html`<p class="meta" dir="auto">
    ${elsewhere === undefined ? nothing : html`<span title=${t("card.elsewhere", { folder: elsewhere })}>${t("card.in", { folder: elsewhere })}</span>`}
    ${hub === undefined ? nothing : html`<span title=${t("card.at", { hub })}>${t("card.at", { hub })}</span>`}
    ${to === undefined ? nothing : html`<span>${t("card.to", { name: to })}</span>`}
    ${expires === undefined || isOver(card) ? nothing : html`<span>${t("card.expires", { time: moment(expires) })}</span>`}
    ${status(card) === nothing ? html`<span>${time}</span>` : nothing}
  </p>`;
}

/** The button that removes a closed card from the view. */
export function clearButton(element: Pick<Headed, "clear">) {
  return iconButton({ name: "clear", sign: "close", label: t("card.clear"), run: () => element.clear() });
}

function foldToggle(element: Headed) {
  const { folded } = element;
  return html`<button
    type="button"
    class="icon-button fold"
    aria-label=${t("card.body")}
    aria-expanded=${String(!folded)}
    aria-controls="${element.card.id}-body"
    aria-keyshortcuts=${isMac ? "Meta+Alt+[ Meta+Alt+]" : "Control+Shift+[ Control+Shift+]"}
    title=${t(folded ? "card.unfold" : "card.fold", { keys: isMac ? "⌥⌘" : "Ctrl+Shift+" })}
    @click=${() => element.fold(!folded)}
  >
    ${icon(folded ? "chevron-right" : "chevron-down")}
  </button>`;
}

function status({ phase }: Card) {
  if (phase === "pending" || phase === "closed") {
    return nothing;
  }
  const moves = phase !== "queued";
  return html`<span class="status">${icon(moves ? "loading" : "history", moves)} ${t(`card.${phase}`)}</span>`;
}

/** The icon of a card. Open questions differ in shape, not in colour, from arriving, queued or closed ones. */
function sign({ guidance, phase }: Card): string {
  if (guidance !== undefined) {
    return "warning";
  }
  return phase === "pending" || phase === "sending" ? "question" : "comment-discussion";
}
