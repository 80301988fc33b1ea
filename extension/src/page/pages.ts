// The pages of this window, and their pipes to the sidecar, which only pass the interface's methods. Pages are not trusted.

import { type Disposable, ErrorCodes, ResponseError } from "vscode-jsonrpc";
import * as protocol from "../protocol.gen";
import { messageOf } from "../sidecar/errors";
import type { Log } from "../sidecar/log";
import type { Sidecar } from "../sidecar/sidecar";

/** The maximum length of a page's message, in characters: an answer with the maximum number of images. */
export const messageLimit = 32 * 1024 * 1024;

/** The other end of a pipe: a webview. */
export interface Port {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): Disposable;
}

/** What pages depend on. */
export interface PagesOptions {
  state: protocol.HostState;
  sidecar: Pick<Sidecar, "addParticipant" | "request">;
  host: Omit<protocol.Host, "open" | "didShow">;
  /** Called with each snapshot of the inbox, and each later change. */
  changed?(change: protocol.InboxChange, isSnapshot?: boolean): void;
  log: Log;
}

/** A page of all questions or of one, which a webview may not show yet. */
export class Page implements Disposable {
  post: Port["post"] = () => {};
  /** Messages for the page until it requests the state; undefined afterwards. */
  later: object[] | undefined = [];
  private listening: Disposable | undefined;

  constructor(
    private readonly pages: Pages,
    readonly only?: string,
  ) {}

  /** Sends the page a message, now or once it is open. */
  send<P>({ method }: protocol.Notification<P>, params: P): void {
    const message = { jsonrpc: "2.0", method, params };
    this.later ? this.later.push(message) : this.post(message);
  }

  /** Connects the page to the webview that shows it. */
  connect({ post, onMessage }: Port): void {
    this.post = post;
    this.pages.open.add(this);
    this.listening = onMessage((message) => void this.pages.receive(this, message));
  }

  dispose(): void {
    this.listening?.dispose();
    this.pages.open.delete(this);
  }
}

export class Pages {
  /** The pages that are shown in webviews. */
  readonly open = new Set<Page>();
  private state: protocol.HostState;
  private narrowed: { by: Page; to: protocol.HistoryMatching } | undefined;

  constructor(private readonly options: PagesOptions) {
    this.state = options.state;
    options.sidecar.addParticipant(async (connection) => {
      connection.on(protocol.historyDidChange, () => this.send(protocol.historyDidChange, {}));
      connection.on(protocol.inboxDidChange, (change) => {
        this.send(protocol.inboxDidChange, change);
        options.changed?.(change);
      });
      this.send(protocol.historyDidChange, {});
      this.subscribed(await connection.request(protocol.inboxSubscribe, {}));
    });
  }

  /** Sends a new snapshot to all pages except `by`, which has it already. */
  private subscribed(inbox: protocol.Inbox, by?: Page): protocol.Inbox {
    this.send(protocol.hostDidSubscribe, inbox, by);
    this.options.changed?.(inbox, true);
    return inbox;
  }

  get shown(): protocol.HistoryMatching | undefined {
    const { by, to } = this.narrowed ?? {};
    const { text = "", filter = {} } = (by && this.open.has(by) && to) || {};
    return text.trim() !== "" || Object.keys(filter).length > 0 ? { text, filter } : undefined;
  }

  /** Creates a page of all questions, or of one. */
  create(only?: string): Page {
    return new Page(this, only);
  }

  change(change: protocol.HostChange): void {
    this.state = { ...this.state, ...change };
    this.send(protocol.hostDidChange, change);
  }

  /** Sends a message to all open pages except one. */
  send<P>(type: protocol.Notification<P>, params: P, but?: Page): void {
    for (const page of this.open) {
      if (page !== but && !page.later) {
        page.send(type, params);
      }
    }
  }

  /** Handles a page's request. */
  async receive(page: Page, message: unknown): Promise<void> {
    const { id, method, params = {} } = (message ?? {}) as Record<"id" | "method" | "params", unknown>;
    const { log } = this.options;
    if (typeof id !== "number" || typeof method !== "string") {
      log.warn("A page sent a message that is not a request.");
      return;
    }
    const answer = (said: object) => this.open.has(page) && page.post({ jsonrpc: "2.0", id, ...said });
    try {
      if (JSON.stringify(message).length > messageLimit) {
        throw new ResponseError(ErrorCodes.InvalidRequest, this.state.strings["problem.tooLong"] ?? "");
      }
      if (method === "host/open") {
        const { only, later = [] } = page;
        page.later = undefined;
        answer({ result: only === undefined ? this.state : { ...this.state, only } });
        later.forEach(page.post);
        return;
      }
      answer({ result: (await this.run(page, method, params)) ?? {} });
    } catch (error) {
      const code = error instanceof ResponseError ? error.code : protocol.CodeNotAsked;
      log.warn(`A page's ${method.slice(0, 100)} failed: ${messageOf(error)}`);
      answer({ error: { code, message: messageOf(error) } });
    }
  }

  private async run(page: Page, method: string, params: unknown): Promise<unknown> {
    const { sidecar, host } = this.options;
    if (method === "host/didShow") {
      this.narrowed = { by: page, to: params as protocol.HistoryMatching };
      return undefined;
    }
    const name = method.replace(/^host\//, "");
    if (name !== method && Object.hasOwn(host, name)) {
      return host[name as keyof typeof host](params as never);
    }
    if (!protocol.interfaceMethods.has(method) || method === protocol.cancelRequest.method) {
      throw new ResponseError(ErrorCodes.MethodNotFound, "a page may not ask for it");
    }
    if (method === protocol.inboxSubscribe.method) {
      return this.subscribed(await sidecar.request(protocol.inboxSubscribe, {}), page);
    }
    const result: unknown = await sidecar.request({ method }, params);
    if (
      method === protocol.questionSaveDraft.method &&
      !(result as protocol.SaveDraftResult).missing?.length
    ) {
      // The other pages also show it. An image's data is sent once, by the page that added it.
      this.send(protocol.hostDidSaveDraft, params as protocol.SaveDraftParams, page);
    }
    return result;
  }
}
