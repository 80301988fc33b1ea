// What the service worker uses of its surroundings. TypeScript's own declarations cannot be loaded beside those of a document.

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetched extends Lasting {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface Pushed extends Lasting {
  readonly data: { json(): unknown } | null;
}

interface Clicked extends Lasting {
  readonly notification: Notification;
  readonly action: string;
}

interface Page {
  readonly visibilityState: DocumentVisibilityState;
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
}

/** The worker's global scope. */
export interface ServiceWorker {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(of: { type: "window" }): Promise<Page[]>;
    openWindow(address: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: Lasting) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetched) => void): void;
  addEventListener(type: "push", listener: (event: Pushed) => void): void;
  addEventListener(type: "notificationclick", listener: (event: Clicked) => void): void;
}
