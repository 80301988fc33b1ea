// Markdown that the sidecar has rendered, into the page: the only place where HTML becomes elements. The sidecar
// writes none but harmless elements; whatever comes, nothing but those below is built here. The HTML is read in a
// document of its own, where nothing runs and nothing is loaded, and copied element by element.

/** The elements that are copied; of any other only the text is. */
const elements = new Set(
  "a blockquote br code del em hr li ol p pre strong table tbody td th thead tr ul".split(" "),
);

/** The schemes that a link may have. */
const schemes = new Set(["http:", "https:", "mailto:"]);

/** How deep elements may stand in each other; what is deeper becomes text. */
const maximumDepth = 100;

/** What belongs to the copying of one text. */
interface Copying {
  /** Called with a link's address when the user follows it. */
  open(href: string): void;
}

/** The HTML as elements of this page. A link is none to the browser: it does what `open` does. */
export function safeFragment(markup: string, open: (href: string) => void): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const { body } = new DOMParser().parseFromString(markup, "text/html");
  copyChildren(body, fragment, { open }, 0);
  return fragment;
}

function copyChildren(from: Node, to: Node, copying: Copying, depth: number): void {
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) {
      to.appendChild(document.createTextNode(child.textContent ?? ""));
    } else if (child.nodeType === Node.ELEMENT_NODE) {
      copyElement(child as Element, to, copying, depth + 1);
    }
  }
}

function copyElement(from: Element, to: Node, copying: Copying, depth: number): void {
  if (depth > maximumDepth) {
    to.appendChild(document.createTextNode(from.textContent ?? ""));
    return;
  }
  const copy = build(from, copying);
  if (copy !== null) {
    to.appendChild(copy);
  }
  copyChildren(from, copy ?? to, copying, depth);
}

/** The element without its content; null for one that may not stand in the page. */
function build(from: Element, copying: Copying): HTMLElement | null {
  const { localName } = from;
  if (from.namespaceURI !== "http://www.w3.org/1999/xhtml" || !elements.has(localName)) {
    return null;
  }
  if (localName === "a") {
    return link(from.getAttribute("href") ?? "", copying);
  }
  const copy = document.createElement(localName);
  copy.classList.add(...[...from.classList].filter((name) => /^md-[a-z-]{1,32}$/.test(name)));
  copyAttribute(from, copy, "data-language", /^[\w+#.-]{1,32}$/);
  copyAttribute(from, copy, "start", localName === "ol" ? /^\d{1,9}$/ : /^$/);
  copyAttribute(from, copy, "align", /^t[dh]$/.test(localName) ? /^(left|center|right)$/ : /^$/);
  return copy;
}

function copyAttribute(from: Element, to: Element, name: string, allowed: RegExp): void {
  const value = from.getAttribute(name);
  if (value !== null && allowed.test(value)) {
    to.setAttribute(name, value);
  }
}

/** A link has no address that the browser could follow, and its title tells where it leads. */
function link(address: string, { open }: Copying): HTMLElement | null {
  const url = URL.parse(address);
  if (url === null || !schemes.has(url.protocol)) {
    return null;
  }
  const copy = document.createElement("a");
  copy.className = "md-link";
  copy.setAttribute("role", "link");
  copy.tabIndex = 0;
  copy.title = url.href;
  const follow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
    open(url.href);
  };
  copy.addEventListener("click", follow);
  copy.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.repeat) {
      follow(event);
    }
  });
  return copy;
}
