// The page's service worker: it keeps the page's files, so that the page opens without a connection.

import type { ServiceWorker } from "./workerTypes";

declare const self: ServiceWorker;

/** The files of the page; the first one is the document. Relative, since what stands between may have put the page into a folder. */
const shell = ["./", "browser.js", "page.css", "icon.svg", "l10n/texts"];

/** How long a file may take to arrive before the kept one is used, in milliseconds: a computer that is off does not answer at all. */
const patience = 4_000;

/** Until when the kept files are used at once, in milliseconds since 1970: the server has just not answered. */
let awayUntil = 0;

const addressOf = (name: string) => new URL(name, self.registration.scope).href;

self.addEventListener("install", (event) => {
  event.waitUntil(
    Promise.all([caches.open("shell").then((kept) => kept.addAll(shell.map(addressOf))), self.skipWaiting()]),
  );
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method === "GET" && shell.map(addressOf).includes(origin + pathname)) {
    event.respondWith(newest(event.request, origin + pathname));
  }
});

/** A file as the server has it, or the kept one where the server does not answer. */
async function newest(request: Request, address: string): Promise<Response> {
  const shelf = await caches.open("shell");
  const kept = await shelf.match(address, { ignoreVary: true });
  if (kept && Date.now() < awayUntil) {
    return kept;
  }
  const arriving = fetch(request);
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, patience));
  const answer = await Promise.race([arriving, kept ? late : arriving]).catch(() => undefined);
  // A tunnel answers in the place of a computer that is off.
  if (answer === undefined || (kept && answer.status >= 500)) {
    awayUntil = Date.now() + patience;
    return kept ?? (await arriving);
  }
  if (answer.ok) {
    await shelf.put(address, answer.clone());
  }
  return answer;
}
