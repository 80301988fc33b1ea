// <followup-places>: the places in files that the text of a button names, as links beside it, since a link cannot stand in a button.

import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { placesIn } from "../placeLinks";
import { t } from "../strings";
import { icon } from "./buttons";
import { askHost, FollowupElement } from "./element";

@customElement("followup-places")
export class FollowupPlaces extends FollowupElement {
  @property({ attribute: false }) text = "";
  /** The words of those that the editor has, each once. */
  @state() private known: readonly string[] = [];

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("text")) {
      this.known = [];
      const { text } = this;
      askHost(this, async (host) => {
        const places = await placesIn(host, [text]);
        if (text === this.text) {
          this.known = [...new Set(places.map(({ start, end }) => text.slice(start, end)))];
        }
      });
    }
  }

  protected override render() {
    return this.known.length === 0
      ? nothing
      : html`<span class="places">${this.known.map(
          (words) =>
            html`<button
              type="button"
              class="place"
              title=${t("places.open", { place: words })}
              @click=${() => askHost(this, (host) => host.openPlace({ text: words }))}
            >
              ${icon("go-to-file")} <span dir="ltr">${words}</span>
            </button>`,
        )}</span>`;
  }
}
