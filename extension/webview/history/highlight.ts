// Marks in the page what a search found, without touching the text: the ranges go into the document's highlights, which the
// stylesheet colors.

import { findMatches, type termsOf } from "./matches";

/** The name of the highlight in the stylesheet. */
const name = "followup-match";

/** The most ranges that are marked in one entry. */
const markedInEntry = 200;

/** How much text of one entry is searched, in UTF-16 code units. */
const searched = 200_000;

/** Marks the matches within an element, in place of those that were marked in it before. */
export class Highlighter {
  private ranges: Range[] = [];

  /** Elements with the attribute data-plain are passed over: they are not what the history says. */
  mark(root: HTMLElement, terms: ReturnType<typeof termsOf>): void {
    this.clear();
    if (terms.length === 0) {
      return;
    }
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
      node instanceof HTMLElement && node.dataset.plain !== undefined
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
    );
    let left = searched;
    while (left > 0 && this.ranges.length < markedInEntry && walker.nextNode()) {
      const node = walker.currentNode;
      if (node instanceof Text) {
        left -= node.length;
        this.ranges.push(...rangesOf(node, terms, markedInEntry - this.ranges.length));
      }
    }
    const highlight = CSS.highlights.get(name) ?? new Highlight();
    for (const range of this.ranges) {
      highlight.add(range);
    }
    CSS.highlights.set(name, highlight);
  }

  /** Takes the marks away. */
  clear(): void {
    const highlight = CSS.highlights.get(name);
    for (const range of this.ranges) {
      highlight?.delete(range);
    }
    this.ranges = [];
  }
}

function rangesOf(node: Text, terms: ReturnType<typeof termsOf>, limit: number): Range[] {
  return findMatches(node.data, terms, limit).map(({ start, end }) => {
    const range = new Range();
    range.setStart(node, start);
    range.setEnd(node, end);
    return range;
  });
}
