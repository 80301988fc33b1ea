// An option's preview: a region that can be scrolled with the keyboard in both directions. Layouts and code in it
// keep their lines.

import { html } from "lit";
import type { MarkdownNode } from "../../src/protocol.gen";
import type { Translate } from "../strings";
import "./text";

/** What a preview shows. */
export interface Preview {
  t: Translate;
  /** The option's label. */
  label: string;
  /** The preview as the agent wrote it; absent or empty where the option has none. */
  text?: string;
  /** Its Markdown. */
  markup?: readonly MarkdownNode[];
  /** It is the one that is looked at; the others only keep its place as large as theirs. */
  shown: boolean;
  /** Places in files are links, where the editor has them. */
  places: boolean;
}

/** Draws a preview. */
export function preview({ t, label, text, markup, shown, places }: Preview) {
  if (!text) {
    return html`<p class="preview-none hint" ?data-shown=${shown}>${t("questions.noPreview", { label })}</p>`;
  }
  return html`<div
    class="preview"
    role="region"
    tabindex="0"
    aria-label=${t("questions.preview", { label })}
    ?data-shown=${shown}
  >
    <p class="preview-caption" dir="auto" aria-hidden="true">${label}</p>
    ${markup?.length ? html`<followup-text dir="auto" .markup=${markup} .places=${places}></followup-text>` : html`<pre class="md-layout">${text}</pre>`}
  </div>`;
}
