// Marks what a search found, without touching the text: the ranges go into the document's highlights, which the stylesheet colors.

import type { HistoryMatch } from "../../src/protocol.gen";

const name = "followup-match";

/** How much of an entry's text is marked, in UTF-16 code units. */
const markedText = 200_000;

/** What is marked in one element. */
export class Marks {
  private ranges: Range[] = [];

  /** Marks the matches in the element's text, but for what is in elements with data-plain: the history does not say it. */
  show(root: HTMLElement, matches: readonly HistoryMatch[] = []): void {
    this.clear();
    if (matches.length === 0) {
      return;
    }
    const byWord = new Map<string, HistoryMatch[]>();
    for (const match of matches) {
      byWord.set(match.word, [...(byWord.get(match.word) ?? []), match]);
    }
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
      node instanceof HTMLElement && node.dataset.plain !== undefined
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
    );
    const highlight = CSS.highlights.get(name) ?? new Highlight();
    CSS.highlights.set(name, highlight);
    for (let left = markedText; left > 0 && texts.nextNode(); ) {
      const node = texts.currentNode;
      if (node instanceof Text) {
        left -= node.length;
        for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
          for (const { start, end } of byWord.get(word) ?? []) {
            const range = new Range();
            range.setStart(node, index + start);
            range.setEnd(node, index + end);
            this.ranges.push(range);
            highlight.add(range);
          }
        }
      }
    }
  }

  clear(): void {
    for (const range of this.ranges.splice(0)) {
      CSS.highlights.get(name)?.delete(range);
    }
  }
}
