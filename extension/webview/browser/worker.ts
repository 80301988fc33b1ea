// The page's service worker: it keeps the page's files, so that the page opens without a connection, and shows the server's pushes.

import * as protocol from "../../src/protocol.gen";
import english from "../english.json";
import { Link } from "../link";
import { show } from "./notification";
import type { ServiceWorker } from "./workerTypes";

declare const self: ServiceWorker;

/** The files of the page, the document first. Relative, since a proxy may have put the page into a folder. */
const shell = ["./", "browser.js", "page.css", "icon.svg", "l10n/texts"];

/** How long a file may take to arrive before the kept one is used, in milliseconds: a computer that is off does not answer at all. */
const patience = 4_000;

/** How long an answer may take, in milliseconds. */
const answerPatience = 15_000;

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

self.addEventListener("push", (event) => event.waitUntil(pushed(event.data)));

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const message = event.notification.data as protocol.PushMessage;
  event.waitUntil(event.action === "" ? open(message) : choose(message, Number(event.action)));
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

/**
 * Shows a push. A browser demands a notification for each, unless the user sees the page: so a closed question's notification is
 * replaced, and removed at the next one.
 */
async function pushed(data: { json(): unknown } | null): Promise<void> {
  let message: protocol.PushMessage = { tag: "followup", title: "Followup" };
  try {
    message = { ...message, ...(data?.json() as object) };
  } catch {
    // Nobody but the server can send one; still something has to be shown.
  }
  const pages = await self.clients.matchAll({ type: "window" });
  const isSeen = message.over === true && pages.some(({ visibilityState }) => visibilityState === "visible");
  for (const shown of await self.registration.getNotifications()) {
    if (shown.data?.over || (isSeen && shown.tag === message.tag)) {
      shown.close();
    }
  }
  if (!isSeen) {
    await show(self.registration, message);
  }
}

/** Opens the page at a question. */
async function open({ questionId }: protocol.PushMessage): Promise<void> {
  const [page] = await self.clients.matchAll({ type: "window" });
  if (page) {
    await page.focus();
    page.postMessage({ questionId });
  } else {
    await self.clients.openWindow(addressOf(questionId === undefined ? "./" : `./?question=${questionId}`));
  }
}

/** Answers a question by a choice, and notifies the user if that failed. */
async function choose(message: protocol.PushMessage, choice: number): Promise<void> {
  const { questionId = "", ask } = message;
  const chosen = ask === "questions" ? { picks: [{ options: [choice] }] } : { suggestion: choice };
  let said: "push.notSent" | "push.wasOver" = "push.notSent";
  try {
    const answer = await answered({ questionId, provenance: "clicked", ...chosen }, message.tag);
    if (answer.accepted) {
      return;
    }
    said = "push.wasOver";
  } catch {
    // There is no connection, or the page is no longer logged in.
  }
  const kept = await (await caches.open("shell")).match(addressOf("l10n/texts"));
  const { texts } = kept ? await kept.json() : { texts: {} };
  const text = texts?.[english[said]] ?? english[said];
  await show(self.registration, { ...message, text, choices: [], over: said === "push.wasOver" });
}

/** Sends an answer as the page does, over a connection with the page's cookie; with a new cookie where that one is of another start. */
async function answered(answer: protocol.AnswerParams, tag: string): Promise<protocol.CloseResult> {
  const shelf = await caches.open("credentials");
  const { path, device } = (await (await shelf.match("credentials"))?.json()) ?? {};
  try {
    return await send(path, answer, tag);
  } catch {
    const again = await fetch(addressOf("login"), { method: "POST", body: device });
    const credentials = await again.json();
    await shelf.put("credentials", new Response(JSON.stringify({ device, ...credentials })));
    return await send(credentials.path, answer, tag);
  }
}

async function send(path: string, answer: protocol.AnswerParams, tag: string): Promise<protocol.CloseResult> {
  const endpoint = (await self.registration.pushManager.getSubscription())?.endpoint ?? "";
  const socket = new WebSocket(new URL(path, addressOf("./").replace(/^http/, "ws")));
  const link = new Link((message) => {
    socket.send(JSON.stringify(message));
    return true;
  });
  socket.onmessage = ({ data }) => link.receive(JSON.parse(String(data)));
  try {
    return await new Promise((resolve, reject) => {
      setTimeout(reject, answerPatience);
      socket.onclose = reject;
      socket.onopen = () => {
        // The notification is gone already: nothing has to take its place.
        link.notify(protocol.pushDismiss, { endpoint, tag });
        link.request(protocol.questionAnswer, answer).then(resolve, reject);
      };
    });
  } finally {
    socket.close();
  }
}
