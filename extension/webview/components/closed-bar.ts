// <followup-closed-bar>: stands below the cards while some of them are over, with a button that clears those away.

import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Card } from "../cards";
import type { Controller } from "../controller";
import { linkButton } from "./buttons";
import { FollowupElement } from "./element";

/** Which cards go when all are cleared: closed ones, but none with words that were not sent. */
export function clearable(cards: readonly Card[]): string[] {
  return cards.flatMap(({ id, phase, unsent }) => (phase === "closed" && unsent === undefined ? [id] : []));
}

@customElement("followup-closed-bar")
export class FollowupClosedBar extends FollowupElement {
  @property({ attribute: false }) controller!: Controller;
  @property({ attribute: false }) closed: readonly Card[] = [];

  protected override render() {
    const { t, controller } = this;
    const ids = clearable(this.closed);
    return html`<span>${t("closed.title")}</span>${
      ids.length === 0
        ? nothing
        : linkButton(
            {
              name: "clear-all",
              sign: "clear-all",
              title: t("closed.clearHint"),
              run: () => controller.clear(ids),
            },
            t("closed.clear"),
          )
    }`;
  }
}
