// Components render into the page itself, for one stylesheet, labels across them and selections across them.

import { LitElement } from "lit";
import type { Host } from "../../src/protocol.gen";

/** The page's host. */
export let host: Host;

/** Sets the page's host, before anything is shown. */
export function setHost(to: Host): void {
  host = to;
}

/** The base of every component. */
export abstract class FollowupElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** The texts in an element, but for those within what fits the selector. */
export function textNodes(root: Element, but: string): Text[] {
  const nodes: Text[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    node.parentElement?.closest(but) || nodes.push(node);
  }
  return nodes;
}
