// A host in the page's own process, outside the editor.

import * as protocol from "../src/protocol.gen";
import { Link, type Message, RequestError } from "./link";
import { type StringKey, translator } from "./strings";

export abstract class PageHost implements Partial<protocol.Host> {
  readonly link = new Link((message) => this.post(message), this);
  /** The state is known. */
  protected readonly known = Promise.withResolvers<void>();
  /** The page has requested the state, and gets its changes. */
  protected opened = false;

  /**
   * `limit` is the maximum size of one message to the server, in bytes. A longer one would end the
   * connection, and then be sent again.
   */
  constructor(
    protected state: protocol.HostState,
    private readonly limit: number,
  ) {}

  /** Passes a message, which is also given as text, to the sidecar. Returns false without a connection. */
  protected abstract pass(message: Message, text: string): boolean;

  t(key: StringKey, values?: Record<string, string | number>): string {
    return translator(this.state.strings, this.state.locale)(key, values);
  }

  async open(): Promise<protocol.HostState> {
    await this.known.promise;
    this.opened = true;
    return this.state;
  }

  async readFiles({ uris }: protocol.HostReadFilesParams): Promise<protocol.HostReadFilesResult> {
    return { files: uris.map((name) => ({ name, refused: "notRead" })) };
  }

  async run({ command }: protocol.HostRunParams): Promise<void> {
    if (command === "escape" && document.activeElement instanceof HTMLElement) {
      document.activeElement.blur();
    }
  }

  /** Without a certificate, a page from another machine has no clipboard, but may copy a selection. */
  async copy({ text }: protocol.HostText): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      return;
    } catch {
      // it is not there, or not allowed
    }
    const focused = document.activeElement;
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    if (focused instanceof HTMLElement) {
      focused.focus();
    }
    if (!copied) {
      throw new Error(this.t("problem.notCopied"));
    }
  }

  protected change(changed: protocol.HostChange): void {
    this.state = { ...this.state, ...changed };
    if (this.opened) {
      this.sendPage(protocol.hostDidChange, changed);
    }
  }

  protected subscribed(inbox: protocol.Inbox): void {
    this.sendPage(protocol.hostDidSubscribe, inbox);
  }

  private sendPage<P>({ method }: protocol.Notification<P>, params: P): void {
    this.link.receive({ method, params });
  }

  private post(message: Message): boolean {
    const text = JSON.stringify(message);
    if (new Blob([text]).size > this.limit) {
      throw new RequestError(this.t("problem.tooLong"), -32_600);
    }
    return this.pass(message, text);
  }
}
