// One document, two views: each has an address, and the browser's back and forward go between them.

/** The views' names. */
export type ViewName = "questions" | "history";

/** The address of a view; relative, since what stands between may have put the page into a folder. */
export function addressOf(view: ViewName): string {
  return view === "history" ? "./?history" : "./";
}

/**
 * Shows the view of the address, and follows it; a browser without the Navigation API loads the page anew. A hidden view leaves the document
 * and keeps its state.
 */
export function followAddress(
  bar: HTMLElement,
  views: Readonly<Record<ViewName, HTMLElement>>,
  shown: (view: ViewName) => void,
): void {
  const scrolled = { questions: 0, history: 0 };
  let current: ViewName | undefined;

  const show = (address: string) => {
    const next = new URL(address).searchParams.has("history") ? "history" : "questions";
    if (next === current) {
      return;
    }
    if (current !== undefined) {
      scrolled[current] = window.scrollY;
      views[current].remove();
    }
    current = next;
    bar.after(views[next]);
    for (const link of bar.querySelectorAll("a")) {
      link.ariaCurrent = link.dataset.view === next ? "page" : null;
    }
    shown(next);
    window.scrollTo({ top: scrolled[next], behavior: "instant" });
  };

  window.navigation?.addEventListener("navigate", (event) => {
    const { canIntercept, destination, navigationType } = event;
    if (
      canIntercept &&
      navigationType !== "reload" &&
      new URL(destination.url).pathname === location.pathname
    ) {
      event.intercept({ handler: async () => show(destination.url), focusReset: "manual", scroll: "manual" });
    }
  });
  show(location.href);
}
