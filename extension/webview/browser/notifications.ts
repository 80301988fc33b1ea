// The notifications of the page in a browser: those that it shows while it is open, and the settings of those that come when it is closed.

import { html, nothing, render } from "lit";
import * as protocol from "../../src/protocol.gen";
import type { Link } from "../link";
import { moment, type StringKey, type Translate } from "../strings";
import { show } from "./notification";

/** The window's event that notifications work from now on, or do not. */
export const notifying = "followup-notifying";

/** How many seconds a question waits before a browser is notified, unless the user changes it. */
const usualAfter = 60;

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

/** Why this browser cannot notify the user; undefined where it can, or may after it was asked. */
function hindrance(): StringKey | undefined {
  const { standalone } = navigator as { standalone?: boolean }; // of iPhones and iPads alone
  if (!isSecureContext) {
    return "push.insecure";
  } else if (standalone === false) {
    return "push.homeScreen";
  } else if (!("Notification" in window) || !("serviceWorker" in navigator)) {
    return "push.unsupported";
  }
  return Notification.permission === "denied" ? "push.denied" : undefined;
}

/** The tags of the notifications that this page has shown. */
const shown = new Set<string>();

/** Shows notices of questions that the user does not see, as the sidecar says, and removes them. */
export async function applyNotices({ ended = [], notices = [] }: protocol.NoticeChange): Promise<void> {
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
    const { questionId } = (notice.data ?? {}) as Partial<protocol.PushMessage>;
    if (questionId === undefined ? !document.hidden : !waiting.has(questionId)) {
      notice.close();
    }
  }
}

/** Ends the pushes to this browser, from any server. */
export async function endPushes(): Promise<void> {
  await (await worker?.pushManager?.getSubscription())?.unsubscribe();
}

/** What a browser offers where it can install the page; TypeScript's declarations do not have it. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

/** The settings of notifications. */
export class Settings {
  private readonly dialog = document.createElement("dialog");
  private install: InstallPrompt | undefined;
  private list: protocol.PushListResult | undefined;
  private own: PushSubscription | null = null;
  private problem = "";
  private busy = false;

  constructor(
    private readonly link: Link,
    private readonly t: Translate,
  ) {
    this.dialog.className = "push";
    document.body.append(this.dialog);
    window.addEventListener("beforeinstallprompt", (event) => {
      event.preventDefault();
      this.install = event as InstallPrompt;
      this.draw();
    });
    window.addEventListener("appinstalled", () => {
      this.install = undefined;
      this.draw();
    });
    window.addEventListener(notifying, () => this.draw());
  }

  open(): void {
    void this.run(async () => {});
    this.dialog.showModal();
  }

  /** After each connection the server gets the language, and at a hub the token, that this browser has now. */
  async renew(): Promise<void> {
    this.own = (await worker?.pushManager?.getSubscription()) ?? null;
    if (this.own !== null) {
      this.list = await this.link.request(protocol.pushList, {});
      const { browser, own } = this;
      await (browser && this.subscribe(own, browser));
    }
  }

  /** This browser, as the server has it. */
  private get browser(): protocol.PushReceiver | undefined {
    return this.list?.browsers.find(({ endpoint }) => endpoint === this.own?.endpoint);
  }

  private async run(work: () => Promise<void>): Promise<void> {
    this.problem = "";
    this.busy = true;
    this.draw();
    try {
      await work();
      this.list = await this.link.request(protocol.pushList, {});
      this.own = (await worker?.pushManager?.getSubscription()) ?? null;
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
    this.busy = false;
    this.draw();
  }

  private async turnOn(): Promise<void> {
    await Notification.requestPermission();
    window.dispatchEvent(new Event(notifying));
    const manager = worker?.pushManager;
    if (!hasNotices() || !manager) {
      return;
    }
    const { key } = await this.link.request(protocol.pushList, {}); // there may have been no connection when the settings opened
    try {
      await endPushes(); // it may have another server's key
      const own = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
      await this.subscribe(own, { after: usualAfter * 1000 });
    } catch (error) {
      throw new Error(this.t("push.pageOnly", { problem: error instanceof Error ? error.message : "" }));
    }
  }

  private async subscribe(own: PushSubscription, how: { after: number; hidden?: boolean }): Promise<void> {
    const { p256dh = "", auth = "" } = own.toJSON().keys ?? {};
    const silent = "silent" in Notification.prototype;
    const { endpoint } = own;
    const { after, hidden } = how;
    await this.link.request(protocol.pushSubscribe, {
      endpoint,
      p256dh,
      auth,
      name: nameOf(navigator.userAgent),
      after,
      hidden,
      silent,
    });
  }

  private async remove({ endpoint }: protocol.PushEndpoint): Promise<void> {
    if (endpoint === this.own?.endpoint) {
      await endPushes();
    }
    await this.link.request(protocol.pushUnsubscribe, { endpoint });
  }

  private save(event: SubmitEvent): void {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const { own } = this;
    const how = { after: Number(form.get("after")) * 1000, hidden: form.has("hidden") };
    void this.run(async () => {
      await (own && this.subscribe(own, how));
    });
  }

  private draw(): void {
    const { t, list, browser, problem, install } = this;
    const others = list?.browsers.filter((each) => each !== browser) ?? [];
    const why = hindrance();
    this.dialog.ariaLabel = t("push.title");
    render(
      html`<h2>${t("push.title")}</h2>
        ${why === undefined ? (browser ? this.settings(browser) : this.offer()) : html`<p>${t(why)}</p>`}
        <p role="status">${problem}</p>
        ${install && this.button("push.install", () => void install.prompt())}
        ${this.listed("push.others", others, (each) => this.button("push.remove", () => this.run(() => this.remove(each)), each.name))}
        ${this.listed("push.addresses", list?.addresses ?? [], (each) => this.tester("push.testOf", each))}
        <footer>${this.button("push.close", () => this.dialog.close())}</footer>`,
      this.dialog,
    );
  }

  private offer() {
    const { t } = this;
    return html`<p>${t("push.about")} ${t("push.leaves")}</p>
      ${this.button("push.on", () => this.run(() => this.turnOn()))}`;
  }

  private settings(browser: protocol.PushReceiver) {
    const { t } = this;
    const { after, hidden = false } = browser;
    return html`<p>${t("push.isOn")}</p>
      <form @submit=${(event: SubmitEvent) => this.save(event)}>
        <label>${t("push.after")}
          <input name="after" type="number" min="0" max="86400" required .value=${String(after / 1000)}></label>
        <label><input name="hidden" type="checkbox" .checked=${hidden}> ${t("push.hidden")}</label>
        <button ?disabled=${this.busy}>${t("push.save")}</button>
      </form>
      <p>${this.outcome(browser)}</p>
      ${this.tester("push.test", browser)}
      ${this.button("push.off", () => this.run(() => this.remove(browser)))}`;
  }

  /** Receivers with the outcome of each, and a button. */
  private listed(
    title: StringKey,
    all: protocol.PushReceiver[],
    button: (each: protocol.PushReceiver) => unknown,
  ) {
    return all.length === 0
      ? nothing
      : html`<h3>${this.t(title)}</h3>${all.map((each) => html`<p>${each.name}: ${this.outcome(each)}</p>${button(each)}`)}`;
  }

  /** The button that sends a test. */
  private tester(key: StringKey, { endpoint, name }: protocol.PushReceiver) {
    const test = async () => void (await this.link.request(protocol.pushTest, { endpoint }));
    return this.button(key, () => this.run(test), name);
  }

  private outcome({ lastAt, problem = "" }: protocol.PushReceiver): string {
    if (lastAt === undefined) {
      return this.t("push.never");
    }
    return this.t(problem === "" ? "push.delivered" : "push.failed", { time: moment(lastAt), problem });
  }

  private button(key: StringKey, click: () => unknown, name = "") {
    return html`<button type="button" ?disabled=${this.busy && key !== "push.close"} @click=${click}>${this.t(key, { name })}</button>`;
  }
}

/** What people call a browser, such as "Chrome · Android". */
function nameOf(agent: string): string {
  const names = {
    Firefox: "Firefox",
    Edg: "Edge",
    OPR: "Opera",
    SamsungBrowser: "Samsung Internet",
    Chrome: "Chrome",
    Safari: "Safari",
  };
  const [, name] = Object.entries(names).find(([sign]) => agent.includes(`${sign}/`)) ?? [];
  const [system] = /Android|iPhone|iPad|Windows|Mac OS|CrOS|Linux/.exec(agent) ?? [];
  return [name, system].filter((each) => each !== undefined).join(" · ");
}
