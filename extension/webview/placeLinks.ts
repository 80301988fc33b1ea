// Makes links of the places in files that stand in a text on the page, where the editor has such a file.

import { type Host, type Place, placeLimits } from "./boundary";
import { makeLink } from "./markdown";
import { type FoundPlace, placesIn } from "./places";

/** Which of the places the host can open; one that has no files can open none. */
export async function knownPlaces(host: Host, places: Place[]): Promise<readonly boolean[]> {
  try {
    return (await host.findPlaces({ places: places.slice(0, placeLimits.count) })).known ?? [];
  } catch {
    return [];
  }
}

/** Makes the places in what an element holds links; what changes meanwhile is left as it is. */
export async function linkPlaces(root: Element, host: Host): Promise<void> {
  const nodes: { node: Text; data: string; found: FoundPlace[] }[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node !== null; node = walker.nextNode() as Text | null) {
    const found = node.parentElement?.closest("[role=link]") ? [] : placesIn(node.data);
    if (found.length > 0) {
      nodes.push({ node, data: node.data, found });
    }
  }
  if (nodes.length === 0) {
    return;
  }
  const known = await knownPlaces(
    host,
    nodes.flatMap(({ found }) => found.map(({ place }) => place)),
  );
  let at = 0;
  for (const { node, data, found } of nodes) {
    const here = found.filter((_, index) => known[at + index]);
    at += found.length;
    if (node.isConnected && node.data === data) {
      // From the end on, so that what stands before keeps its place.
      for (const { start, end, place } of here.reverse()) {
        node.splitText(end);
        const words = node.splitText(start);
        const link = makeLink(document.createElement("a"), words.data, () => host.openPlace({ place }));
        link.className = "md-link";
        words.replaceWith(link);
        link.append(words);
      }
    }
  }
}
