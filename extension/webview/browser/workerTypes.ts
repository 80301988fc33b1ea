// What the service worker uses of its surroundings. TypeScript's own declarations cannot be loaded beside those of a document.

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetched extends Lasting {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** The worker's global scope. */
export interface ServiceWorker {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: Lasting) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetched) => void): void;
}
