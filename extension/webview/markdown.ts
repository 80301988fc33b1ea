// Creates elements for an agent's Markdown, which internal/markdown has parsed. Its words become text nodes.

import type { MarkdownKind, MarkdownNode } from "../src/protocol.gen";
import { linkSchemes } from "./boundary";

/** The element and class of each kind; the others are spans with a class of their own. */
const elements: Partial<Record<MarkdownKind, readonly [keyof HTMLElementTagNameMap, className?: string]>> = {
  paragraph: ["p"],
  heading: ["p", "md-heading"],
  rule: ["hr"],
  quote: ["blockquote"],
  list: ["ul"],
  orderedList: ["ol"],
  item: ["li"],
  codeBlock: ["pre", "md-code"],
  info: ["p", "md-info"],
  layout: ["pre", "md-layout"],
  table: ["table"],
  tableHead: ["thead"],
  tableBody: ["tbody"],
  row: ["tr"],
  headerCell: ["th"],
  cell: ["td"],
  break: ["br"],
  emphasis: ["em"],
  strong: ["strong"],
  deleted: ["del"],
  code: ["code"],
  link: ["a", "md-link"],
  isolate: ["bdi"],
};

/** The elements for nodes. A link is not a link for the browser: it calls `open`. */
export function markdownFragment(
  nodes: readonly MarkdownNode[],
  open: (href: string) => void,
): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const node of nodes) {
    const inside = markdownFragment(node.nodes ?? [], open);
    inside.prepend(node.text ?? "");
    const element = elementFor(node, open);
    element?.append(inside);
    fragment.append(element && node.kind === "table" ? scrolling(element) : (element ?? inside));
  }
  return fragment;
}

function elementFor(node: MarkdownNode, open: (href: string) => void): HTMLElement | undefined {
  const { kind, href = "", title, language, marked, align, direction } = node;
  if (kind === undefined) {
    return undefined;
  }
  const [tag, className] = (Object.hasOwn(elements, kind) && elements[kind]) || ["span", `md-${kind}`];
  const element = document.createElement(tag);
  const classes = [className, marked && "md-numbered", align && `md-${align}`].filter(Boolean).join(" ");
  const attributes = { class: classes || undefined, title, "data-language": language, dir: direction };
  for (const [name, value] of Object.entries(attributes)) {
    value === undefined || element.setAttribute(name, value);
  }
  return kind === "link" ? link(element, href, open) : element;
}

/** A table in a box that scrolls sideways, so that words are not broken. */
function scrolling(table: HTMLElement): HTMLElement {
  const box = document.createElement("div");
  box.className = "md-table";
  box.append(table);
  return box;
}

/** A link without an address that the browser could follow. Its title shows the target. */
function link(element: HTMLElement, address: string, open: (href: string) => void): HTMLElement | undefined {
  const url = URL.parse(address);
  if (url === null || !linkSchemes.includes(url.protocol)) {
    return undefined;
  }
  return makeLink(element, url.href, () => open(url.href));
}

/** Makes an element a link with a title, which does what `open` does. */
export function makeLink(element: HTMLElement, title: string, open: () => void): HTMLElement {
  element.setAttribute("role", "link");
  element.tabIndex = 0;
  element.title = title;
  const follow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
    open();
  };
  element.addEventListener("click", follow);
  element.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.repeat) {
      follow(event);
    }
  });
  return element;
}
