// Markdown that the sidecar has rendered (internal/markdown), into the page: the only place where HTML becomes elements.
// It is not given to the browser's parser, which knows far too much: only the tags that the sidecar writes are read, in
// the way it writes them, and built one by one. Anything else is shown as the text it is.

/** The elements that are built. */
const elements = new Set(
  "a bdi blockquote br code del em hr li ol p pre span strong table tbody td th thead tr ul".split(" "),
);

/** Those without content. */
const empty = new Set(["br", "hr"]);

/** The attribute that is kept besides the classes, by element, and what it may hold. */
const attributes: Record<string, [name: string, allowed: RegExp]> = {
  bdi: ["dir", /^(ltr|rtl|auto)$/],
  pre: ["data-language", /^[\w+#.-]{1,32}$/],
  span: ["title", /./],
};

/** The schemes that a link may have. */
const schemes = new Set(["http:", "https:", "mailto:"]);

/** How deep elements may stand in each other; what is deeper stands in the last of them. */
const maximumDepth = 100;

/** A tag: a closing one's slash, the name, the attributes. */
const tagPattern = /<(\/?)([a-z]+)((?:\s+[a-z-]+="[^"]*")*)>/g;
const attributePattern = /([a-z-]+)="([^"]*)"/g;
const referencePattern = /&(?:#(\d{1,6})|(amp|lt|gt|quot));/g;
const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** The HTML as elements of this page. A link is none to the browser: it does what `open` does. */
export function safeFragment(markup: string, open: (href: string) => void): DocumentFragment {
  const builder = new Builder(open);
  let at = 0;
  for (const match of markup.matchAll(tagPattern)) {
    const [tag, slash, name = "", written = ""] = match;
    const before = markup.slice(at, match.index);
    if (slash ? builder.close(name, before) : builder.open(name, written, before)) {
      at = match.index + tag.length;
    }
  }
  builder.addText(markup.slice(at));
  return builder.fragment;
}

/** Builds the elements, the outermost first. */
class Builder {
  readonly fragment = document.createDocumentFragment();
  /** The elements that are open, and what their content goes into. */
  private readonly stack: { name: string; node: Node }[] = [];

  constructor(private readonly follow: (href: string) => void) {}

  /** Writes text as it stands in HTML. */
  addText(text: string): void {
    if (text !== "") {
      this.node.appendChild(document.createTextNode(decoded(text)));
    }
  }

  /** Begins an element behind the text before it; false where its tag is text. */
  open(name: string, written: string, before: string): boolean {
    const element = elements.has(name) ? this.element(name, attributesOf(written)) : null;
    if (element === null) {
      return false;
    }
    this.addText(before);
    const tooDeep = this.stack.length >= maximumDepth;
    if (!tooDeep) {
      this.node.appendChild(element);
    }
    if (!empty.has(name)) {
      this.stack.push({ name, node: tooDeep ? this.node : element });
    }
    return true;
  }

  /** Ends the innermost element of that name, and those in it; false where the tag is text. */
  close(name: string, before: string): boolean {
    const index = this.stack.findLastIndex((each) => each.name === name);
    if (index < 0) {
      return false;
    }
    this.addText(before);
    this.stack.length = index;
    return true;
  }

  private get node(): Node {
    return this.stack.at(-1)?.node ?? this.fragment;
  }

  private element(name: string, given: ReadonlyMap<string, string>): HTMLElement | null {
    if (name === "a") {
      return link(given.get("href") ?? "", this.follow);
    }
    const element = document.createElement(name);
    const classes = (given.get("class") ?? "").split(" ").filter((each) => /^md-[a-z-]{1,32}$/.test(each));
    if (classes.length > 0) {
      element.className = classes.join(" ");
    }
    const [kept = "", allowed] = attributes[name] ?? [];
    const value = given.get(kept) ?? "";
    if (allowed?.test(value)) {
      element.setAttribute(kept, value);
    }
    return element;
  }
}

function attributesOf(written: string): ReadonlyMap<string, string> {
  const pairs = [...written.matchAll(attributePattern)];
  return new Map(pairs.map(([, name = "", value = ""]) => [name, decoded(value)]));
}

function decoded(text: string): string {
  return text.replace(referencePattern, (_, code: string | undefined, name: string | undefined) =>
    name === undefined ? String.fromCodePoint(Number(code)) : (named[name] ?? ""),
  );
}

/** A link has no address that the browser could follow, and its title tells where it leads. */
function link(address: string, open: (href: string) => void): HTMLElement | null {
  const url = URL.parse(address);
  if (url === null || !schemes.has(url.protocol)) {
    return null;
  }
  const element = document.createElement("a");
  element.className = "md-link";
  element.setAttribute("role", "link");
  element.tabIndex = 0;
  element.title = url.href;
  const follow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
    open(url.href);
  };
  element.addEventListener("click", follow);
  element.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.repeat) {
      follow(event);
    }
  });
  return element;
}
