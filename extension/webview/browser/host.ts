// The page's host in a browser: does what the extension host does in the editor, as far as a browser can.

import * as protocol from "../../src/protocol.gen";
import { readPhrases } from "../boundary";
import { readStored } from "../kept";
import type { Message } from "../link";
import { PageHost } from "../pageHost";
import { type Connection, Socket } from "./socket";
import { applyNotices, attendance, closeNotices, drawBar, isSeen, onSeen } from "./surroundings";

/** The most that the server reads of one message, in bytes. */
const messageLimit = 32 * 1024 * 1024;

/** Under which name the browser keeps the user's ready phrases, which in the editor are a setting. */
const phrasesKey = "followup.phrases";

export class BrowserHost extends PageHost {
  private readonly socket = new Socket(
    (message) => this.link.receive(message),
    (connection) => this.changed(connection),
  );
  /** Nothing is known of the connection yet. */
  private first = true;

  constructor(locale: string, strings: Readonly<Record<string, string>>) {
    const phrases = readPhrases(readStored(() => localStorage, phrasesKey));
    super({ strings, locale, folders: [], keep: true, phrases, commands: [], trouble: null }, messageLimit);
    onSeen(() => this.showed());
    this.link.on(protocol.noticeDidChange, applyNotices);
    void this.socket.open();
  }

  protected override pass(_message: Message, text: string): boolean {
    return this.socket.send(text);
  }

  /** The first connection, or that there is none, is a part of what the page is told first; the later ones it is told of. */
  private changed(connection: Connection): void {
    const isOpen = connection === "open";
    const { first } = this;
    this.first = false;
    if (isOpen) {
      this.showed();
      drawBar((key, values) => this.t(key, values));
    } else if (!first) {
      closeNotices();
      this.link.lost(); // what the page asked first is still answered
    }
    const message = this.t(connection === "lost" ? "browser.lost" : "browser.refused");
    this.change({
      // A connection that was lost is tried again by itself.
      commands: connection === "refused" ? ["escape", "restart"] : ["escape"],
      trouble: isOpen ? null : { message, restarting: connection === "lost" },
    });
    this.known.resolve();
    if (isOpen && !first) {
      // Where it is lost again meanwhile, the next one subscribes.
      this.link.request(protocol.inboxSubscribe, {}).then(this.subscribed.bind(this), () => {});
    }
  }

  /** Agents that wait in other programs are told by the sidecar whether somebody could see their questions. */
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
    params.command === "restart" ? this.socket.retry() : await super.run(params);
  }
}
