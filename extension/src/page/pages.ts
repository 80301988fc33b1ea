// The pages of this window, and their pipes to the sidecar, which pass only the interface's methods. Nothing that a page sends is trusted.

import { type Disposable, ErrorCodes, ResponseError } from "vscode-jsonrpc";
import * as protocol from "../protocol.gen";
import { messageOf } from "../sidecar/errors";
import type { Log } from "../sidecar/log";
import type { Sidecar } from "../sidecar/sidecar";

/** The most that one message of a page may hold, in characters: an answer with all the images that it can have. */
export const messageLimit = 32 * 1024 * 1024;

/** The other end of a pipe: a webview. */
export interface Port {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): Disposable;
}

/** What pages need of their surroundings. */
export interface PagesOptions {
  state: protocol.HostState;
  sidecar: Pick<Sidecar, "addParticipant" | "request">;
  host: Omit<protocol.Host, "open" | "didShow">;
  /** Is called with each snapshot of the inbox, and with each change after it. */
  changed?(change: protocol.InboxChange, isSnapshot?: boolean): void;
  log: Log;
}

/** A page, whether a webview shows it yet or not. */
export interface Page extends Disposable {
  /** Tells the page something, now or as soon as it is open. */
  tell<P>(type: protocol.Notification<P>, params: P): void;
  /** Connects the page to the webview that shows it. */
  connect(port: Port): void;
}

interface Pipe {
  post(message: object): void;
  readonly only: string | undefined;
  /** What it is told once it has asked how things stand; undefined since then. */
  later: object[] | undefined;
}

function notification<P>({ method }: protocol.Notification<P>, params: P): object {
  return { jsonrpc: "2.0", method, params };
}

export class Pages {
  private readonly pipes = new Set<Pipe>();
  private state: protocol.HostState;
  private narrowed: { by: Pipe; to: protocol.HistoryMatching } | undefined;

  constructor(private readonly options: PagesOptions) {
    this.state = options.state;
    options.sidecar.addParticipant(async (connection) => {
      connection.on(protocol.historyDidChange, () => this.tell(protocol.historyDidChange, {}));
      connection.on(protocol.inboxDidChange, (change) => {
        this.tell(protocol.inboxDidChange, change);
        options.changed?.(change);
      });
      this.tell(protocol.historyDidChange, {});
      this.subscribed(await connection.request(protocol.inboxSubscribe, {}));
    });
  }

  /** The changes of all pages begin anew with a snapshot; `by` is the page that has it already. */
  private subscribed(inbox: protocol.Inbox, by?: Pipe): protocol.Inbox {
    this.tell(protocol.hostDidSubscribe, inbox, by);
    this.options.changed?.(inbox, true);
    return inbox;
  }

  get shown(): protocol.HistoryMatching | undefined {
    const { text = "", filter = {} } = this.narrowed?.to ?? {};
    return text.trim() !== "" || Object.keys(filter).length > 0 ? { text, filter } : undefined;
  }

  /** Makes a page of all questions, or of one only. */
  create(only?: string): Page {
    const pipe: Pipe = { post: () => {}, only, later: [] };
    let listening: Disposable | undefined;
    return {
      tell: (type, params) => {
        const message = notification(type, params);
        pipe.later ? pipe.later.push(message) : pipe.post(message);
      },
      connect: ({ post, onMessage }) => {
        pipe.post = post;
        this.pipes.add(pipe);
        listening = onMessage((message) => void this.receive(pipe, message));
      },
      dispose: () => {
        listening?.dispose();
        this.pipes.delete(pipe);
        if (this.narrowed?.by === pipe) {
          this.narrowed = undefined;
        }
      },
    };
  }

  change(change: protocol.HostChange): void {
    this.state = { ...this.state, ...change };
    this.tell(protocol.hostDidChange, change);
  }

  /** Tells all pages that have asked how things stand, but one. */
  tell<P>(type: protocol.Notification<P>, params: P, but?: unknown): void {
    for (const pipe of this.pipes) {
      if (pipe !== but && !pipe.later) {
        pipe.post(notification(type, params));
      }
    }
  }

  private async receive(pipe: Pipe, message: unknown): Promise<void> {
    const { id, method, params = {} } = (message ?? {}) as Record<"id" | "method" | "params", unknown>;
    const { log } = this.options;
    if (typeof id !== "number" || typeof method !== "string") {
      log.warn("A page sent what is no request.");
      return;
    }
    const answer = (said: object) => this.pipes.has(pipe) && pipe.post({ jsonrpc: "2.0", id, ...said });
    try {
      if (JSON.stringify(message).length > messageLimit) {
        throw new ResponseError(ErrorCodes.InvalidRequest, this.state.strings["problem.tooLong"] ?? "");
      }
      if (method === "host/open") {
        const { only, later = [] } = pipe;
        pipe.later = undefined;
        answer({ result: only === undefined ? this.state : { ...this.state, only } });
        later.forEach(pipe.post);
        return;
      }
      answer({ result: (await this.run(pipe, method, params)) ?? {} });
    } catch (error) {
      const code = error instanceof ResponseError ? error.code : protocol.CodeNotAsked;
      log.warn(`A page's ${method.slice(0, 100)} failed: ${messageOf(error)}`);
      answer({ error: { code, message: messageOf(error) } });
    }
  }

  private async run(pipe: Pipe, method: string, params: unknown): Promise<unknown> {
    const { sidecar, host } = this.options;
    if (method === "host/didShow") {
      this.narrowed = { by: pipe, to: params as protocol.HistoryMatching };
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
      return this.subscribed(await sidecar.request(protocol.inboxSubscribe, {}), pipe);
    }
    const result: unknown = await sidecar.request({ method }, params);
    if (
      method === protocol.questionSaveDraft.method &&
      !(result as protocol.SaveDraftResult).missing?.length
    ) {
      // The other pages have it, too. An image's data comes once from whoever added it.
      this.tell(protocol.hostDidSaveDraft, params as protocol.SaveDraftParams, pipe);
    }
    return result;
  }
}
