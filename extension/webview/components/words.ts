// Words of an agent's or of the user's.

import { html, nothing } from "lit";
import type { MarkdownNode } from "../../src/protocol.gen";
import "./text";
import { t } from "../strings";

/** A text, and how it is shown. */
export interface Words {
  text: string;
  /** The name of the text for a screen reader, where it can be scrolled. */
  label: string;
  /** Its Markdown as the sidecar has read it. */
  markup?: readonly MarkdownNode[];
  class?: string;
  id?: string;
  /** Places in files are links, where the editor has them. */
  places?: boolean;
}

/** A text as it is, or as its Markdown says. */
export function words({ text, label, markup, class: name = "words", id, places = false }: Words) {
  return html`<followup-text
    class=${name}
    id=${id ?? nothing}
    dir="auto"
    .label=${label}
    .codeLabel=${t("text.code")}
    .tableLabel=${t("text.table")}
    .markup=${markup}
    .text=${text}
    .places=${places}
  ></followup-text>`;
}
