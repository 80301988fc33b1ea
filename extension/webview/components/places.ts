// <followup-places>: the places in files that the text of a button names, as links beside it, since a link cannot stand in a button.

import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { knownPlaces } from "../placeLinks";
import { type FoundPlace, placesIn } from "../places";
import { t } from "../strings";
import { icon } from "./buttons";
import { askHost, FollowupElement } from "./element";

@customElement("followup-places")
export class FollowupPlaces extends FollowupElement {
  @property({ attribute: false }) text = "";
  /** Those that the editor has. */
  @state() private known: readonly { words: string; found: FoundPlace }[] = [];

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("text")) {
      this.known = [];
      this.find(this.text);
    }
  }

  protected override render() {
    return this.known.length === 0
      ? nothing
      : html`<span class="places">${this.known.map(
          ({ words, found: { place } }) =>
            html`<button
              type="button"
              class="place"
              title=${t("places.open", { place: words })}
              @click=${() => askHost(this, (host) => host.openPlace({ place }))}
            >
              ${icon("go-to-file")} <span dir="ltr">${words}</span>
            </button>`,
        )}</span>`;
  }

  private find(text: string): void {
    const found = placesIn(text);
    if (found.length === 0) {
      return;
    }
    askHost(this, async (host) => {
      const known = await knownPlaces(
        host,
        found.map(({ place }) => place),
      );
      if (text === this.text) {
        const named = found.map((each) => ({ words: text.slice(each.start, each.end), found: each }));
        const here = named.filter((_, index) => known[index]);
        this.known = here.filter(
          ({ words }, index) => here.findIndex((other) => other.words === words) === index,
        );
      }
    });
  }
}
