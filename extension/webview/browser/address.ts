// One document, two views: each has an address, and the browser's back and forward go between them.

/** The views' names. */
export type ViewName = "questions" | "history";

/** The address of a view; relative, since what stands between may have put the page into a folder. */
export function addressOf(view: ViewName): string {
  return view === "history" ? "./?history" : "./";
}

/** Shows the view of the address, and follows the bar's links and the browser's history. A hidden view leaves the document and keeps its state. */
export function followAddress(
  bar: HTMLElement,
  views: Readonly<Record<ViewName, HTMLElement>>,
  shown: (view: ViewName) => void,
): void {
  const named = (): ViewName =>
    new URLSearchParams(location.search).has("history") ? "history" : "questions";
  const scrolled = { questions: 0, history: 0 };
  let current: ViewName | undefined;

  const show = () => {
    const next = named();
    if (next === current) {
      return;
    }
    if (current !== undefined) {
      scrolled[current] = window.scrollY;
      views[current].remove();
    }
    current = next;
    bar.after(views[next]);
    for (const link of bar.querySelectorAll<HTMLAnchorElement>("a")) {
      const isCurrent = link.dataset.view === next;
      isCurrent ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
    }
    shown(next);
    window.scrollTo({ top: scrolled[next], behavior: "instant" });
  };

  history.scrollRestoration = "manual";
  window.addEventListener("popstate", show);
  bar.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (
      link === null ||
      event.button !== 0 ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.altKey
    ) {
      return; // another tab or window has a page of its own
    }
    event.preventDefault();
    if (link.dataset.view !== current) {
      history.pushState(null, "", link.href);
      show();
    }
  });
  show();
}
