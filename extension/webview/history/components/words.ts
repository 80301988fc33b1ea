// Words of an agent's or of the user's as a row shows them.

import { html } from "lit";
import "../../components/text";

/**
 * A text as it is, never as HTML.
 *
 * @param label the name of the text for a screen reader, where it can be scrolled
 */
export function words(text: string, label: string, _rendered?: string) {
  return html`<followup-text class="words" dir="auto" .label=${label} .text=${text}></followup-text>`;
}
