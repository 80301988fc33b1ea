// Makes a page that is loaded new for another case: it removes what the interface and the last case left in it, and the
// interface begins again. It costs a tenth of loading the page.

declare global {
  interface Window {
    /** Starts the interface in its element, which has not been started. */
    startPage(): void;
    /** Gives the page to a case, which finds it as if it had been loaded. */
    renewPage(number: number): void;
    /** Clears a fake's state of one case. */
    forgetCase: (() => void)[];
  }
}

/** Runs in the page before its script, and after what stands in for its surroundings, whose listeners stay. */
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
      // What the script listens to as it is loaded, it listens to once.
      if ("startPage" in window) {
        heard.push([target, ...args]);
      }
      add.apply(target, args);
    };
  }
  /** The timers and frames that are asked for from now on have higher numbers. */
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
