// Resets a loaded page for another case: it removes what the interface and the last case left in it, and
// restarts the interface, for a tenth of the cost of loading the page.

declare global {
  interface Window {
    /** Starts the interface in its element for the first time. */
    startPage(): void;
    /** Resets the page for a case, as if it had just been loaded. */
    renewPage(number: number): void;
    /** Each clears a fake's state of one case. */
    forgetCase: (() => void)[];
  }
}

/** Runs in the page before its script, and after the fakes of its surroundings, whose listeners stay. */
export function installRenewal(): void {
  let title: string;
  document.addEventListener("DOMContentLoaded", () => {
    title = document.title;
  });

  type Heard = Parameters<EventTarget["addEventListener"]>;
  const heard: [EventTarget, ...Heard][] = [];
  for (const target of [window, document] as EventTarget[]) {
    const add = target.addEventListener;
    target.addEventListener = (...args: Heard) => {
      // The script adds its own listeners once, while it loads; later ones belong to a case.
      if ("startPage" in window) {
        heard.push([target, ...args]);
      }
      add.apply(target, args);
    };
  }
  /** Timers and frames requested from now on have higher numbers. */
  const marks = () => ({ timer: window.setTimeout(() => {}), frame: requestAnimationFrame(() => {}) });
  let before = marks();

  window.renewPage = (number) => {
    for (const [target, ...args] of heard.splice(0)) {
      target.removeEventListener(...args);
    }
    const now = marks();
    for (let id = before.timer; id <= now.timer; id++) {
      clearTimeout(id);
    }
    for (let id = before.frame; id <= now.frame; id++) {
      cancelAnimationFrame(id);
    }
    before = now;
    const view = document.querySelector("followup-app, followup-history");
    for (const element of document.querySelectorAll("body > :not(script)")) {
      element.remove();
    }
    for (const name of document.documentElement.getAttributeNames()) {
      document.documentElement.removeAttribute(name);
    }
    document.documentElement.lang = "en";
    document.title = title;
    document.body.prepend(document.createElement(view?.localName ?? ""));
    getSelection()?.removeAllRanges();
    scrollTo(0, 0);
    sessionStorage.clear();
    localStorage.clear();
    sessionStorage.setItem("case", String(number));
    for (const forget of window.forgetCase) {
      forget();
    }
    window.startPage();
  };
}
