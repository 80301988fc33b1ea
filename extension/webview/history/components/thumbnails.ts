// The images that went with an answer; they come with the row's opening.

import { html, nothing } from "lit";
import type { Image } from "../../../src/protocol.gen";
import type { Translate } from "../../strings";
import type { Detail } from "./detail";

/** The forms that are shown: those that an answer can hold. */
const shownTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** The images of a row, or why they are not there yet. */
export function thumbnails({ entry, images, t }: Detail) {
  if (images?.kind === "here" && images.images.length > 0) {
    return html`<ul class="history-images" aria-label=${t("images.label")}>
      ${images.images.map((image, index) => html`<li>${thumbnail(image, index + 1, t)}</li>`)}
    </ul>`;
  }
  if (images === undefined || images.kind === "here" || !entry.outcome.images) {
    return nothing;
  }
  const { kind } = images;
  return html`<p class="hint" data-plain>
    ${kind === "loading" ? t("entry.imagesLoading") : t("entry.imagesFailed", { message: images.message })}
  </p>`;
}

/** An image, which a click shows larger, and smaller again. */
function thumbnail({ mimeType, data }: Image, number: number, t: Translate) {
  return html`<details class="history-image">
    <summary title=${t("entry.enlarge", { number })}>
      ${
        shownTypes.has(mimeType)
          ? html`<img src=${`data:${mimeType};base64,${data}`} alt=${t("entry.image", { number })} />`
          : mimeType
      }
    </summary>
  </details>`;
}
