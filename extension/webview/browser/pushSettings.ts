// The settings of the notifications that a browser gets while the page is closed, and of installing the page.

import { html, nothing, render } from "lit";
import * as protocol from "../../src/protocol.gen";
import type { Link } from "../link";
import { moment, type StringKey, type Translate } from "../strings";
import { endPushes, hasNotices, notifying, pushManager, pushSubscription } from "./notices";

/** How many seconds a question waits before a browser is notified, unless the user changes it. */
const usualAfter = 60;

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

/** What a browser offers where it can install the page; TypeScript's declarations do not have it. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

/** The dialog of settings. */
export class PushSettings {
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
    this.own = await pushSubscription();
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
      this.own = await pushSubscription();
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
    this.busy = false;
    this.draw();
  }

  private async turnOn(): Promise<void> {
    await Notification.requestPermission();
    window.dispatchEvent(new Event(notifying));
    const manager = pushManager();
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
