// The surroundings of a view in a browser: its address, the bar, the count in title and icon, and notifications.

import { html, nothing, render } from "lit";
import type { NoticeAttendParams } from "../../src/protocol.gen";
import type { Peer } from "../peer";
import type { Translate } from "../strings";
import { endPushes, hasNotices, notifying, sweep } from "./notices";
import { credentials, signOut } from "./socket";

/** The views' names. One document has both; each has an address, and the browser's back and forward go between them. */
export type ViewName = "questions" | "history";

/** The address of a view; relative, since a proxy may have put the page into a folder. */
function addressOf(view: ViewName): string {
  return view === "history" ? "./?history" : "./";
}

/**
 * Shows the view of the address, and follows it; a browser without the Navigation API reloads the page. A hidden view leaves the document
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
    const { canIntercept, destination, hashChange, navigationType } = event;
    if (
      canIntercept &&
      !hashChange && // a link, whose secret is behind the #
      navigationType !== "reload" &&
      new URL(destination.url).pathname === location.pathname
    ) {
      event.intercept({ handler: async () => show(destination.url), focusReset: "manual", scroll: "manual" });
    }
  });
  show(location.href);
}

/** Calls the listener when the user may see questions from now on, or may not. */
export function onSeen(listener: () => void): void {
  document.addEventListener("visibilitychange", listener);
  for (const type of ["focus", "blur", notifying]) {
    window.addEventListener(type, listener);
  }
}

/** Whether the user would notice a new question: it is on the screen, or a notification appears. The history shows none on the screen. */
export function isSeen(): boolean {
  return document.hidden ? hasNotices() : isShown();
}

/** The state of the page, which decides where the user is notified of a question. */
export function attendance(): NoticeAttendParams {
  const visible = !document.hidden && isShown();
  const focused = document.hasFocus();
  return { canNotify: (visible && focused) || hasNotices(), focused, visible };
}

function isShown(): boolean {
  return document.querySelector("followup-history") === null;
}

/** Draws the bar above the view: links to both, the settings of notifications and, at a hub, who the user is, in which team, and a way out. */
export function drawBar(t: Translate, openSettings: () => void): HTMLElement {
  const bar = document.querySelector("nav") as HTMLElement;
  const { account: name, team = "" } = credentials();
  const leave = async () => {
    await endPushes();
    await signOut();
  };
  render(
    html`${(["questions", "history"] as const).map(
      (view) => html`<a href=${addressOf(view)} data-view=${view}>${t(`browser.${view}`)}</a>`,
    )}
    <button type="button" @click=${openSettings}>${t("browser.notify")}</button>
    ${name === undefined ? nothing : html`<button type="button" class="sign-out" @click=${leave}>${t("browser.signOut", { name, team })}</button>`}`,
    bar,
  );
  return bar;
}

/** Shows how many questions wait, in the title and the icon. */
export function showWaiting(peer: Peer): void {
  let count = -1;
  peer.subscribe(() => {
    const before = count;
    const waiting = peer.state.cards.filter(({ phase }) => phase === "pending");
    count = waiting.length;
    if (count !== before) {
      if (peer.state.ready) {
        void sweep(new Set(waiting.map(({ id }) => id)));
      }
      document.title = count > 0 ? `(${count}) Followup` : "Followup";
      drawIcon(count);
    }
  });
}

function drawIcon(count: number): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const text = `<text x="16" y="23" text-anchor="middle" fill="#fff" font-family="sans-serif" font-size="20" font-weight="bold">${count > 9 ? "9+" : count}</text>`;
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#0078d4"/>${text}</svg>`;
  if (icon) {
    icon.href = count === 0 ? "icon.svg" : `data:image/svg+xml,${encodeURIComponent(drawn)}`;
  }
}
