// What stands around the view in a browser: the bar with the two views, how many questions wait, in the title and the icon, and a
// notice of a new one where the user wants that.

import { whole } from "../growing";
import type { Peer } from "../peer";
import type { Card } from "../state";
import type { Translate } from "../strings";

/** Tells that what `isSeen` gives may have changed. */
const seen = new EventTarget();

/** Notices do not come, though they are allowed. */
let silent = false;

/** Calls the listener when the user may see questions from now on, or may not. */
export function onSeen(listener: () => void): void {
  document.addEventListener("visibilitychange", listener);
  seen.addEventListener("change", listener);
}

/** Whether the user would see a question that came now: it is on the screen, or a notice tells of it. The history shows none on the screen. */
export function isSeen(): boolean {
  return document.hidden ? isAllowed() && !silent : document.querySelector("followup-history") === null;
}

function isAllowed(): boolean {
  return typeof Notification !== "undefined" && Notification.permission === "granted";
}

/** Draws the bar above the view. */
export function drawBar(t: Translate): void {
  const bar = document.createElement("nav");
  bar.className = "browser-bar";
  const history = document.querySelector("followup-history") !== null;
  for (const [href, key, current] of [
    ["./", "browser.questions", !history],
    ["history.html", "browser.history", history],
  ] as const) {
    const link = document.createElement("a");
    link.href = href;
    link.textContent = t(key);
    if (current) {
      link.setAttribute("aria-current", "page");
    }
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
}

/** Tells how many questions wait, for as long as the page is open. */
export function tellWaiting({ store }: Peer, t: Translate): void {
  let known = new Set<string>();
  let count = -1;
  store.subscribe(() => {
    const waiting = store.state.cards.filter(({ phase }) => phase === "pending");
    if (waiting.length !== count) {
      count = waiting.length;
      document.title = count > 0 ? `(${count}) Followup` : "Followup";
      drawIcon(count);
    }
    const fresh = waiting.filter(({ id }) => !known.has(id));
    known = new Set(waiting.map(({ id }) => id));
    if (document.hidden) {
      for (const card of fresh) {
        notify(card, t);
      }
    }
  });
}

/** A notice; the same question has one, however many pages are open. */
function notify({ id, agent, question, parts }: Card, t: Translate): void {
  if (!isAllowed()) {
    return;
  }
  const body = parts ? whole(parts[0]?.text ?? null) : whole(question);
  try {
    const notice = new Notification(t("app.newQuestion", { agent }), { body, tag: id });
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

/** The page's icon, with a number on it where questions wait. */
function drawIcon(count: number): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon === null) {
    return;
  }
  const size = 32;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d");
  if (count === 0 || context === null) {
    icon.href = "icon.svg";
    return;
  }
  context.fillStyle = "#0078d4";
  context.beginPath();
  context.arc(size / 2, size / 2, size / 2, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = "#ffffff";
  context.font = "bold 20px sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(count > 9 ? "9+" : String(count), size / 2, size / 2 + 1);
  icon.href = canvas.toDataURL();
}
