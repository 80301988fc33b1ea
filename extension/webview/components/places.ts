// Places in files that a text names. They become links in the text. Beside a button they become buttons,
// since a button cannot contain a link.

import { html, nothing } from "lit";
import { guard } from "lit/directives/guard.js";
import { until } from "lit/directives/until.js";
import type { Place } from "../../src/protocol.gen";
import { makeLink } from "../markdown";
import { t } from "../strings";
import { icon } from "./buttons";
import { host, textNodes } from "./element";

/** The places in texts that the host can open, in their order. */
async function placesIn(texts: string[]): Promise<Place[]> {
  // Most texts have no line numbers, and are not searched.
  if (!texts.some((text) => /[:(L]\d/.test(text))) {
    return [];
  }
  const none: { places?: Place[] } = {};
  return (await host.findPlaces({ texts }).catch(() => none)).places ?? [];
}

/** Turns places in an element's text into links, except where the text has changed meanwhile. */
export async function linkPlaces(root: Element): Promise<void> {
  const nodes = textNodes(root, "[role=link]");
  const texts = nodes.map(({ data }) => data);
  // From the end, so that earlier positions do not change.
  for (const { text, start, end } of (await placesIn(texts)).reverse()) {
    const node = nodes[text];
    if (node?.isConnected && node.data === texts[text]?.slice(0, node.length)) {
      node.splitText(end);
      const words = node.splitText(start);
      const { data } = words;
      const link = makeLink(document.createElement("a"), data, () => host.openPlace({ text: data }));
      link.className = "md-link";
      words.replaceWith(link);
      link.append(words);
    }
  }
}

/** Buttons that open the places that a text names, each once, where the host can open them. */
export function placeButtons(text: string) {
  const buttons = async () => {
    const places = await placesIn([text]);
    const named = new Set(places.map(({ start, end }) => text.slice(start, end)));
    return named.size === 0 ? nothing : html`<span class="places">${[...named].map(placeButton)}</span>`;
  };
  return guard([text], () => until(buttons(), nothing));
}

function placeButton(words: string) {
  return html`<button
    type="button"
    class="place"
    title=${t("places.open", { place: words })}
    @click=${() => host.openPlace({ text: words })}
  >
    ${icon("go-to-file")} <span dir="ltr">${words}</span>
  </button>`;
}
