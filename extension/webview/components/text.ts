// <followup-text>: literal text, appended as it grows, or its Markdown.

import { html, nothing } from "lit";
import type { MarkdownNode } from "../../src/protocol.gen";
import { markdownFragment } from "../markdown";
import { t } from "../strings";
import { host } from "./element";
import { linkPlaces } from "./places";

/** The maximum length of a text node, in UTF-16 code units. */
const nodeLength = 4000;

/**
 * The pieces of a text, one per node: as many lines as a node holds, or a part of a longer line. Characters
 * are not split.
 */
const pieces = /[\s\S]{0,3999}\n|[\s\S]{1,4000}/gu;

export class FollowupText extends HTMLElement {
  label = "";
  private shown = "";
  private given = "";
  private rendered: readonly MarkdownNode[] | undefined;
  /** Places in files in the text are links, or will be. */
  private linked = false;

  constructor() {
    super();
    new ResizeObserver(() => this.checkOverflow()).observe(this);
  }

  /** Sets the text. If it continues the current one, only the new part is written. */
  set text(value: string) {
    this.given = value;
    if (this.rendered === undefined) {
      this.showText(value);
    }
  }

  /** Sets the text's Markdown, which is shown instead of the text. Without nodes, the text is shown. */
  set markup(value: readonly MarkdownNode[] | undefined) {
    const markup = value?.length ? value : undefined;
    if (markup === this.rendered || JSON.stringify(markup) === JSON.stringify(this.rendered)) {
      return; // keeps the selection
    }
    this.rendered = markup;
    this.linked = false;
    this.toggleAttribute("data-markdown", markup !== undefined);
    if (markup === undefined) {
      this.replaceChildren();
      this.shown = "";
      this.showText(this.given);
      return;
    }
    this.replaceChildren(markdownFragment(markup, (href) => host.openLink({ href })));
    requestAnimationFrame(() => this.checkOverflow());
  }

  /**
   * Turns the places in files that the text names into links, if the editor has the files. Set it last, with
   * the complete text.
   */
  set places(wanted: boolean) {
    if (wanted && !this.linked) {
      this.linked = true;
      void linkPlaces(this);
    }
  }

  private showText(text: string): void {
    if (text === this.shown) {
      return;
    }
    this.linked = false;
    if (!text.startsWith(this.shown)) {
      this.replaceChildren();
      this.shown = "";
    }
    this.write(text.slice(this.shown.length));
    this.shown = text;
    requestAnimationFrame(() => this.checkOverflow());
  }

  /** Appends text. A block ends with a line, so that long texts are laid out block by block. */
  private write(text: string): void {
    const blocks: Element[] = [];
    for (const piece of text.match(pieces) ?? []) {
      let block = blocks.at(-1) ?? this.lastElementChild;
      const last = block?.lastChild;
      const node = last instanceof Text ? last : undefined;
      if (block === null || (node && node.length > nodeLength / 2 && node.data.endsWith("\n"))) {
        block = document.createElement("div");
        blocks.push(block);
        block.append(piece);
      } else {
        node && node.length + piece.length <= nodeLength ? node.appendData(piece) : block.append(piece);
      }
    }
    this.append(...blocks);
  }

  /** Makes overflowing content focusable, so that the keyboard can scroll it. */
  private checkOverflow(): void {
    const { overflowX, overflowY } = getComputedStyle(this);
    makeReachable(this, this.label, overflowY !== "visible" && this.scrollHeight > this.clientHeight + 1);
    for (const block of this.querySelectorAll<HTMLElement>("pre, .md-table")) {
      const scrolls = overflowX !== "visible" && block.scrollWidth > block.clientWidth + 1;
      makeReachable(block, t(block.localName === "pre" ? "text.code" : "text.table"), scrolls);
    }
  }
}

function makeReachable(element: HTMLElement, label: string, overflows: boolean): void {
  for (const [name, value] of Object.entries({ tabindex: "0", role: "group", "aria-label": label })) {
    overflows ? element.setAttribute(name, value) : element.removeAttribute(name);
  }
}

customElements.define("followup-text", FollowupText);

/** A text, and how it is shown. */
interface Words {
  text: string;
  label: string;
  markup?: readonly MarkdownNode[];
  class?: string;
  id?: string;
  places?: boolean;
}

/** A literal text, or its Markdown if there is any. */
export function words({ text, label, markup, class: name = "words", id, places = false }: Words) {
  return html`<followup-text
    class=${name}
    id=${id ?? nothing}
    dir="auto"
    .label=${label}
    .markup=${markup}
    .text=${text}
    .places=${places}
  ></followup-text>`;
}
