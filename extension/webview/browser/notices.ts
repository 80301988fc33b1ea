// The notifications that the page shows in a browser while it is open, and the service worker behind them.

import type { NoticeChange, PushMessage } from "../../src/protocol.gen";
import { show } from "./notification";

/** The window's event that notifications work from now on, or do not. */
export const notifying = "followup-notifying";

/** The page's service worker, once there is one: phones show no notification without it. */
let worker: ServiceWorkerRegistration | undefined;

/** Starts the service worker; a browser has none where the page is not encrypted, but for this machine's own address. */
export async function startWorker(focus: (questionId?: string) => void): Promise<void> {
  navigator.serviceWorker?.addEventListener("message", ({ data }) => focus(data.questionId));
  await navigator.serviceWorker?.register("worker.js");
  worker = await navigator.serviceWorker?.ready;
  window.dispatchEvent(new Event(notifying));
}

/** Whether the page can notify the user. */
export function hasNotices(): boolean {
  return worker !== undefined && globalThis.Notification?.permission === "granted";
}

/** The tags of the notifications that this page has shown. */
const shown = new Set<string>();

/** Shows notices of questions that the user does not see, as the sidecar says, and removes them. */
export async function applyNotices({ ended = [], notices = [] }: NoticeChange): Promise<void> {
  if (worker === undefined || !hasNotices()) {
    return;
  }
  for (const tag of ended) {
    shown.delete(tag);
    for (const notice of await worker.getNotifications({ tag })) {
      notice.close();
    }
  }
  for (const { questionId, title, text } of notices) {
    shown.add(questionId);
    await show(worker, { tag: questionId, title, text, questionId });
  }
}

/** Removes all of this page's notifications: without a connection, nobody reports their end. */
export function closeNotices(): void {
  void applyNotices({ ended: [...shown] });
}

/** Removes notifications of questions that do not wait any more and, where the user sees the page, of several questions. */
export async function sweep(waiting: ReadonlySet<string>): Promise<void> {
  for (const notice of (await worker?.getNotifications()) ?? []) {
    const { questionId } = (notice.data ?? {}) as Partial<PushMessage>;
    if (questionId === undefined ? !document.hidden : !waiting.has(questionId)) {
      notice.close();
    }
  }
}

/** This browser's end of Web Push, if it has one. */
export function pushManager(): PushManager | undefined {
  return worker?.pushManager;
}

/** This browser's subscription to pushes, from any server; null without one. */
export async function pushSubscription(): Promise<PushSubscription | null> {
  return (await pushManager()?.getSubscription()) ?? null;
}

/** Ends the pushes to this browser, from any server. */
export async function endPushes(): Promise<void> {
  await (await pushSubscription())?.unsubscribe();
}
