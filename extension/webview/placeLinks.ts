// Makes links of the places in files that stand in a text on the page, where the editor has such a file.

import type { Host, Place } from "../src/protocol.gen";
import { makeLink } from "./markdown";

/** The places in texts that the host can open, in their order. */
export async function placesIn(host: Host, texts: string[]): Promise<Place[]> {
  // Most texts have no number where a line would stand.
  if (!texts.some((text) => /[:(L]\d/.test(text))) {
    return [];
  }
  try {
    return (await host.findPlaces({ texts })).places ?? [];
  } catch {
    return [];
  }
}

/** Makes the places in what an element holds links; what changes meanwhile is left as it is. */
export async function linkPlaces(root: Element, host: Host): Promise<void> {
  const nodes: Text[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text && !node.parentElement?.closest("[role=link]")) {
      nodes.push(node);
    }
  }
  const texts = nodes.map(({ data }) => data);
  // From the end on, so that what stands before keeps its place.
  for (const { text, start, end } of (await placesIn(host, texts)).reverse()) {
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
