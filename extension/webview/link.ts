// The page's end of a connection that carries JSON-RPC 2.0, one message at a time, in order.

import { CodeNotAsked, type Host, type Notification, type Request } from "../src/protocol.gen";

/** The error of a request. */
export class RequestError extends Error {
  constructor(
    message: string,
    /** Undefined if the request was not sent, or the connection was lost before the response. */
    readonly code?: number,
  ) {
    super(message);
  }
}

/** A message of JSON-RPC. */
export interface Message {
  jsonrpc?: "2.0";
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

/** The pauses before attempts to reconnect, in milliseconds: each is twice the previous one, up to a limit. */
export class Backoff {
  private readonly first = 500;
  private readonly most = 10_000;
  private wait = this.first;

  next(): number {
    const { wait } = this;
    this.wait = Math.min(wait * 2, this.most);
    return wait;
  }

  reset(): void {
    this.wait = this.first;
  }
}

/** A connection to the sidecar and to the page's host. */
export class Link {
  /** Calls the host's methods. Callers may ignore the result. */
  readonly host = new Proxy({} as Host, {
    get: (_, name) => (params: never) => {
      const method = String(name);
      const { own } = this;
      const answer = own
        ? (async () => (await own[method as keyof Host]?.(params)) ?? {})()
        : this.request({ method: `host/${method}` }, params);
      answer.catch(() => {});
      return answer;
    },
  });
  private readonly waiting = new Map<number, Omit<PromiseWithResolvers<unknown>, "promise">>();
  private readonly listeners = new Map<string, ((params: never) => void)[]>();
  /** The last request id. It starts at the time, because answers to an earlier page may still arrive. */
  private count = Date.now();

  /**
   * `post` sends a message. It returns false if there is no connection at the moment, and throws a
   * RequestError for a message that it rejects. `own` is the host if it is in this process; otherwise the
   * connection also leads to the host.
   */
  constructor(
    private readonly post: (message: Message) => boolean,
    private readonly own?: Partial<Host>,
  ) {}

  /**
   * Sends a request.
   *
   * @throws RequestError
   */
  async request<P, R>({ method }: Request<P, R>, params: P): Promise<R> {
    const id = ++this.count;
    if (!this.post({ jsonrpc: "2.0", id, method, params })) {
      throw new RequestError("");
    }
    return await new Promise<R>((resolve, reject) => {
      this.waiting.set(id, { resolve: (result) => resolve(result as R), reject });
    });
  }

  notify<P>({ method }: Notification<P>, params: P): void {
    this.post({ jsonrpc: "2.0", method, params });
  }

  /** Listens to a notification or a request. A request gets an empty response. */
  on<P>({ method }: Notification<P>, listener: (params: P) => void): void {
    this.listeners.set(method, [...(this.listeners.get(method) ?? []), listener]);
  }

  receive(message: unknown): void {
    const { id, method, params, result, error } = (message ?? {}) as Message;
    if (method !== undefined) {
      const listeners = this.listeners.get(method);
      for (const listener of listeners ?? []) {
        listener((params ?? {}) as never);
      }
      if (id !== undefined) {
        const unknown = { error: { code: -32601, message: "the page has no such method" } };
        this.post({ jsonrpc: "2.0", id, ...(listeners ? { result: {} } : unknown) });
      }
      return;
    }
    const waiting = this.waiting.get(Number(id));
    this.waiting.delete(Number(id));
    if (error) {
      waiting?.reject(new RequestError(error.message, error.code === CodeNotAsked ? undefined : error.code));
    } else {
      waiting?.resolve(result);
    }
  }

  /** The connection was lost, so open requests will not be answered. */
  lost(): void {
    for (const { reject } of this.waiting.values()) {
      reject(new RequestError(""));
    }
    this.waiting.clear();
  }
}
