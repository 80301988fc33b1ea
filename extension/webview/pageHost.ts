// A host in the page's own process, outside the editor.

import * as protocol from "../src/protocol.gen";
import { Link, type Message, RequestError } from "./link";
import { type StringKey, translator } from "./strings";

/** An error of the sidecar's. */
export class SidecarError extends RequestError {}

export abstract class PageHost {
  readonly link = new Link((message) => this.post(message));
  /** It is known how things stand. */
  protected readonly known = Promise.withResolvers<void>();
  /** The page has asked how things stand, and is told of changes since. */
  protected opened = false;
  /** What else it can do. */
  protected abstract readonly more: Partial<protocol.Host>;

  private readonly methods: Partial<protocol.Host> = {
    open: async () => {
      await this.known.promise;
      this.opened = true;
      return this.state;
    },
    readFiles: async ({ uris }) => ({ files: uris.map((name) => ({ name, refused: "notRead" })) }),
    copy: ({ text }) => this.copy(text),
    run: async ({ command }) => this.run(command),
  };

  constructor(protected state: protocol.HostState) {}

  /** Passes a message to the sidecar; false where there is no connection. */
  protected abstract pass(message: Message): boolean;

  t(key: StringKey, values?: Record<string, string | number>): string {
    return translator(this.state.strings, this.state.locale)(key, values);
  }

  protected change(changed: protocol.HostChange): void {
    this.state = { ...this.state, ...changed };
    if (this.opened) {
      this.tell(protocol.hostDidChange, changed);
    }
  }

  protected subscribed(inbox: protocol.Inbox): void {
    this.tell(protocol.hostDidSubscribe, inbox);
  }

  protected run(command: protocol.HostCommand): void {
    if (command === "escape" && document.activeElement instanceof HTMLElement) {
      document.activeElement.blur();
    }
  }

  private tell<P>({ method }: protocol.Notification<P>, params: P): void {
    this.link.receive({ jsonrpc: "2.0", method, params });
  }

  private post(message: Message): boolean {
    const [, name] = /^host\/(.*)$/.exec(message.method ?? "") ?? [];
    if (name === undefined) {
      return this.pass(message);
    }
    const run = { ...this.methods, ...this.more }[name as keyof protocol.Host];
    void this.answer(message, () => run?.(message.params as never));
    return true;
  }

  /** Answers a request of the page's. */
  protected async answer({ id }: Message, run: () => unknown): Promise<void> {
    try {
      const result = (await run()) ?? {};
      this.link.receive({ jsonrpc: "2.0", id, result });
    } catch (error) {
      const { code = protocol.CodeNotAsked } = error instanceof SidecarError ? error : {};
      const message = error instanceof Error ? error.message : "";
      this.link.receive({ jsonrpc: "2.0", id, error: { code, message } });
    }
  }

  /** Refuses a message that is longer than the server reads: it would end the connection, and the page would send it again. */
  protected tooLong(message: Message): true {
    void this.answer(message, () => {
      throw new SidecarError(this.t("problem.tooLong"), -32_600);
    });
    return true;
  }

  /** Without a certificate a page of another machine has no clipboard, but it may copy what is selected. */
  private async copy(text: string): Promise<void> {
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
}
