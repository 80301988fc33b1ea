// <followup-thumbnails>: the images that go with an answer, each with a button that takes it away.

import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { AnswerImage } from "../answer";
import { FollowupElement } from "./element";
import { icon } from "./icon";

@customElement("followup-thumbnails")
export class FollowupThumbnails extends FollowupElement {
  @property({ attribute: false }) images: readonly AnswerImage[] = [];
  /** The images cannot be taken away at the moment. */
  @property({ attribute: false }) locked = false;

  protected override render() {
    if (this.images.length === 0) {
      return nothing;
    }
    return html`<ul class="thumbnails" aria-label=${this.t("images.label")}>
      ${this.images.map((image, index) => this.thumbnail(image, index))}
    </ul>`;
  }

  private thumbnail(image: AnswerImage, index: number) {
    const name = image.name || this.t("images.unnamed", { number: index + 1 });
    const label = this.t("images.remove", { name });
    return html`<li class="thumbnail">
      <img src=${`data:${image.mimeType};base64,${image.data}`} alt=${name} title=${name} />
      <button
        type="button"
        class="icon-button remove"
        aria-label=${label}
        title=${label}
        aria-disabled=${this.locked ? "true" : nothing}
        @click=${() => this.locked || this.send("followup-remove-image", { index })}
      >
        ${icon("close")}
      </button>
    </li>`;
  }
}
