// The images that went with an answer; they come with the row's opening.

import { html, nothing } from "lit";
import type { Image } from "../../../src/protocol.gen";
import type { Detail } from "./detail";

/** The forms that are shown: those that an answer can hold. */
const shownTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** The images of a row, or why they are not there yet. */
export function thumbnails({ entry, images, t, large, enlarge }: Detail) {
  if (images === undefined || (images.kind !== "here" && !entry.outcome.images)) {
    return nothing;
  }
  switch (images.kind) {
    case "loading":
      return html`<p class="hint" data-plain>${t("entry.imagesLoading")}</p>`;
    case "failed":
      return html`<p class="hint" data-plain>${t("entry.imagesFailed", { message: images.message })}</p>`;
    case "here":
      return images.images.length === 0
        ? nothing
        : html`<ul class="history-images" aria-label=${t("images.label")}>
            ${images.images.map((image, index) => thumbnail(image, index + 1))}
          </ul>`;
  }

  function thumbnail({ mimeType, data }: Image, number: number) {
    const isLarge = large.has(number);
    const label = t(isLarge ? "entry.shrink" : "entry.enlarge", { number });
    return html`<li>
      <button
        type="button"
        class="history-image"
        aria-label=${label}
        title=${label}
        ?data-large=${isLarge}
        @click=${() => enlarge(number)}
      >
        ${
          shownTypes.has(mimeType)
            ? html`<img src=${`data:${mimeType};base64,${data}`} alt=${t("entry.image", { number })} />`
            : mimeType
        }
      </button>
    </li>`;
  }
}
