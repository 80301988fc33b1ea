// The page's host in a browser, as far as a browser can replace the extension host.

import * as protocol from "../../src/protocol.gen";
import { readPhrases } from "../boundary";
import { readStored } from "../kept";
import type { Message } from "../link";
import { PageHost } from "../pageHost";
import { drawAdmission, refusalWords } from "./admission";
import { applyNotices, closeNotices, startWorker } from "./notices";
import { PushSettings } from "./pushSettings";
import { type Connection, Socket } from "./socket";
import { attendance, drawBar, isSeen, onSeen } from "./surroundings";

/** The most that the server reads of one message, in bytes. */
const messageLimit = 32 * 1024 * 1024;

/** Under which name the browser keeps the user's ready phrases, which in the editor are a setting. */
const phrasesKey = "followup.phrases";

export class BrowserHost extends PageHost {
  private readonly socket = new Socket(
    (message) => this.link.receive(message),
    (connection) => this.changed(connection),
  );
  private readonly settings = new PushSettings(this.link, (key, values) => this.t(key, values));
  /** Nothing is known of the connection yet. */
  private first = true;
  /** The server has admitted this browser since the page was loaded. */
  private admitted = false;

  constructor(
    locale: string,
    strings: Readonly<Record<string, string>>,
    private readonly isHub: boolean,
  ) {
    const phrases = readPhrases(readStored(() => localStorage, phrasesKey));
    super({ strings, locale, folders: [], keep: true, phrases, commands: [], trouble: null }, messageLimit);
    onSeen(() => this.showed());
    this.link.on(protocol.noticeDidChange, (change) => void applyNotices(change));
    this.socket.retry();
    startWorker((questionId) => this.focus(questionId)).catch(console.warn);
    const address = new URL(location.href);
    const questionId = address.searchParams.get("question"); // of a notification
    if (questionId !== null) {
      history.replaceState(null, "", address.pathname);
      void this.known.promise.then(() => this.focus(questionId));
    }
  }

  /** Draws the bar above the views. */
  drawBar(): HTMLElement {
    return drawBar(
      (key, values) => this.t(key, values),
      () => this.settings.open(),
    );
  }

  /** Shows a question, or all of them. */
  private focus(id?: string): void {
    document.querySelector<HTMLElement>('[data-view="questions"]')?.click();
    this.link.receive({ method: protocol.hostFocus.method, params: { on: "question", id } });
  }

  protected override pass(_message: Message, text: string): boolean {
    return this.socket.send(text);
  }

  /** The state of the first connection is part of the first message to the page; later ones are sent as changes. */
  private changed(connection: Connection): void {
    const isOpen = connection === "open";
    const refusal =
      isOpen || connection === "lost" ? null : refusalWords(connection, this.isHub, this.t.bind(this));
    const { first } = this;
    this.first = false;
    this.admitted ||= isOpen;
    // Cards that are already shown stay, with what the user has written.
    const barred = this.admitted ? null : refusal;
    drawAdmission(barred, this.t(isApp() ? "admission.paste" : "problem.retry"), () => void this.restart());
    if (isOpen) {
      this.showed();
      this.drawBar();
      this.settings.renew().catch(console.warn);
    } else if (!first) {
      closeNotices();
      this.link.lost(); // not at the start: the page's first requests will be answered
    }
    const message = refusal?.join(" · ") ?? this.t("browser.lost");
    this.change({
      // A lost connection is retried automatically.
      commands: refusal === null ? ["escape"] : ["escape", "restart"],
      trouble: isOpen ? null : { message, restarting: refusal === null },
    });
    this.known.resolve();
    if (isOpen && !first) {
      // Where it is lost again meanwhile, the next one subscribes.
      this.link.request(protocol.inboxSubscribe, {}).then(this.subscribed.bind(this), () => {});
    }
  }

  /** The sidecar reports to waiting agents of other programs whether somebody could see their questions. */
  showed(): void {
    this.link.notify(protocol.inboxDidShow, { shown: isSeen() });
    this.link.notify(protocol.noticeAttend, attendance());
  }

  async confirmDelete({
    count,
  }: protocol.HostConfirmDeleteParams): Promise<protocol.HostConfirmDeleteResult> {
    return { confirmed: confirm(this.t("browser.confirmDelete", { count })) };
  }

  async export({ target }: protocol.HostExportParams): Promise<void> {
    const { text } = await this.link.request(protocol.historyText, { format: "markdown", ...target });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/markdown" }));
    link.download = "followup.md";
    link.click();
    URL.revokeObjectURL(link.href);
  }

  /** The page has let through http, https and mailto only. */
  async openLink({ href }: protocol.HostLink): Promise<void> {
    if (confirm(this.t("browser.openLink", { href }))) {
      window.open(href, "_blank", "noopener,noreferrer");
    }
  }

  async setPhrases({ phrases }: protocol.HostSetPhrasesParams): Promise<void> {
    localStorage.setItem(phrasesKey, JSON.stringify(phrases));
  }

  override async run(params: protocol.HostRunParams): Promise<void> {
    await (params.command === "restart" ? this.restart() : super.run(params));
  }

  private async restart(): Promise<void> {
    if (isApp()) {
      const pasted = prompt(this.t(this.isHub ? "admission.hub.prompt" : "admission.prompt"));
      this.socket.enter(pasted?.split("#").pop()?.trim() ?? "");
    } else {
      this.socket.retry();
    }
  }
}

/** Whether the page is an installed app: it has no bar for an address and, on an iPhone, shares nothing with the browser. */
const isApp = (): boolean => matchMedia("(display-mode: standalone)").matches;
