// How a notification looks, shown by the page or by its service worker.

import type { PushMessage } from "../../src/protocol.gen";

/** What TypeScript's declarations leave out: https://developer.mozilla.org/docs/Web/API/ServiceWorkerRegistration/showNotification */
interface Options extends NotificationOptions {
  actions?: { action: string; title: string }[];
}

/** Shows a notification, in the place of the one with the same tag. Its buttons are the first answers. */
export function show(worker: ServiceWorkerRegistration, message: PushMessage): Promise<void> {
  const { tag, title, text, choices = [], over } = message;
  const options: Options = {
    tag,
    body: text,
    data: message,
    silent: over ?? null,
    icon: "icon-192.png",
    badge: "badge-96.png",
    actions: choices.map((choice, index) => ({ action: String(index), title: choice })),
  };
  return worker.showNotification(title, options);
}
