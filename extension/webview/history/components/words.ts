// Words of an agent's or of the user's as a row shows them.

import { html } from "lit";
import type { MarkdownNode } from "../../../src/protocol.gen";
import type { Translate } from "../../strings";
import "../../components/text";

/**
 * A text as it is, or as the sidecar has read its Markdown.
 *
 * @param label the name of the text for a screen reader, where it can be scrolled
 */
export function words(text: string, label: string, t: Translate, rendered?: readonly MarkdownNode[]) {
  return html`<followup-text
    class="words"
    dir="auto"
    .label=${label}
    .codeLabel=${t("text.code")}
    .markup=${rendered}
    .text=${text}
  ></followup-text>`;
}
