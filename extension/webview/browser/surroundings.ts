// The surroundings of a view in a browser: the bar, the count in title and icon, and notifications.

import type { Notice, NoticeAttendParams, NoticeChange } from "../../src/protocol.gen";
import type { Peer } from "../peer";
import type { Translate } from "../strings";
import { addressOf } from "./address";
import { entry, signOut } from "./socket";

/** Tells that what `isSeen` gives may have changed. */
const seen = new EventTarget();

/** Notices do not come, though they are allowed. */
let silent = false;

/** Calls the listener when the user may see questions from now on, or may not. */
export function onSeen(listener: () => void): void {
  document.addEventListener("visibilitychange", listener);
  window.addEventListener("focus", listener);
  window.addEventListener("blur", listener);
  seen.addEventListener("change", listener);
}

/** Whether the user would see a question that came now: it is on the screen, or a notice tells of it. The history shows none on the screen. */
export function isSeen(): boolean {
  return document.hidden ? isAllowed() && !silent : document.querySelector("followup-history") === null;
}

/** How it stands with the page, for who decides where the user is told of a question. */
export function attendance(): NoticeAttendParams {
  const visible = !document.hidden && document.querySelector("followup-history") === null;
  const focused = document.hasFocus();
  return { tells: (visible && focused) || (isAllowed() && !silent), focused, visible };
}

function isAllowed(): boolean {
  return typeof Notification !== "undefined" && Notification.permission === "granted";
}

/** Draws the bar above the view, with links to both. */
export function drawBar(t: Translate): HTMLElement {
  const bar = document.createElement("nav");
  bar.className = "browser-bar";
  for (const view of ["questions", "history"] as const) {
    const link = document.createElement("a");
    link.href = addressOf(view);
    link.dataset.view = view;
    link.textContent = t(`browser.${view}`);
    bar.append(link);
  }
  if (typeof Notification !== "undefined" && Notification.permission === "default") {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = t("browser.notify");
    button.addEventListener("click", async () => {
      await Notification.requestPermission();
      button.remove();
      seen.dispatchEvent(new Event("change"));
    });
    bar.append(button);
  }
  document.body.prepend(bar);
  return bar;
}

/** Shows who the user is at a hub, and in which team, and lets them sign out. */
export function drawAccount(t: Translate): void {
  const bar = document.querySelector(".browser-bar");
  const { account: name, team = "" } = entry();
  if (bar === null || name === undefined || bar.querySelector(".sign-out") !== null) {
    return;
  }
  const button = document.createElement("button");
  button.type = "button";
  button.className = "sign-out";
  button.textContent = t("browser.signOut", { name, team });
  button.addEventListener("click", () => void signOut());
  bar.append(button);
}

/** Tells how many questions wait, for as long as the page is open. */
export function tellWaiting({ store }: Peer): void {
  let count = -1;
  store.subscribe(() => {
    const waiting = store.state.cards.filter(({ phase }) => phase === "pending");
    if (waiting.length !== count) {
      count = waiting.length;
      document.title = count > 0 ? `(${count}) Followup` : "Followup";
      drawIcon(count);
    }
  });
}

const notices = new Map<string, Notification>();

/** Tells of questions that the user does not see, as the sidecar says, and takes that back. */
export function applyNotices({ ended = [], told = [] }: NoticeChange): void {
  for (const id of ended) {
    notices.get(id)?.close();
    notices.delete(id);
  }
  for (const notice of told) {
    notify(notice);
  }
}

/** Takes all notices back: there is no connection, and nobody says when they are over. */
export function closeNotices(): void {
  applyNotices({ ended: [...notices.keys()] });
}

/** A notice; the same question has one, however many pages are open. */
function notify({ questionId, title, text }: Notice): void {
  if (!isAllowed()) {
    return;
  }
  try {
    const notice = new Notification(title, { body: text, tag: questionId });
    notices.set(questionId, notice);
    notice.addEventListener("click", () => {
      window.focus();
      notice.close();
    });
  } catch {
    // Phones have notices only for pages that were installed.
    silent = true;
    seen.dispatchEvent(new Event("change"));
  }
}

function drawIcon(count: number): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const text = `<text x="16" y="23" text-anchor="middle" fill="#fff" font-family="sans-serif" font-size="20" font-weight="bold">${count > 9 ? "9+" : count}</text>`;
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#0078d4"/>${text}</svg>`;
  if (icon) {
    icon.href = count === 0 ? "icon.svg" : `data:image/svg+xml,${encodeURIComponent(drawn)}`;
  }
}
