// The pipe between a page and the sidecar. It passes the interface's methods and notifications and no others, and adds the host's
// own, which only an editor can do. What a page sends is never trusted.

import { type Disposable, ErrorCodes, ResponseError } from "vscode-jsonrpc";
import {
  CodeNotAsked,
  cancelRequest,
  type Host,
  type HostState,
  interfaceMethods,
  interfaceNotifications,
  type Notification,
  type Request,
} from "../protocol.gen";
import { messageOf } from "../sidecar/errors";
import type { Log } from "../sidecar/log";

/** The most that one message of a page may hold, in characters: an answer with all the images that it can have. */
export const messageLimit = 32 * 1024 * 1024;

/** The other end: a webview. */
export interface Port {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): Disposable;
}

export interface PipeOptions {
  port: Port;
  /** How things stand, which a page asks for first. */
  state(): HostState;
  request(type: Request<unknown, unknown>, params: unknown): Promise<unknown>;
  host: Omit<Host, "open">;
  log: Log;
}

/** One page's end of the pipe. It is told nothing before it has opened. */
export class Pipe {
  private readonly listening: Disposable;
  private isOpen = false;
  private readonly later: unknown[] = [];

  constructor(private readonly options: PipeOptions) {
    this.listening = options.port.onMessage((message) => void this.receive(message));
  }

  /** Tells the page something of the host's, unless it has not asked yet how things stand. */
  tell<P>(type: Notification<P>, params: P): void {
    if (this.isOpen) {
      this.tellLater(type, params);
    }
  }

  /** Tells it now or as soon as it is open. */
  tellLater<P>({ method }: Notification<P>, params: P): void {
    const message = { jsonrpc: "2.0", method, params };
    this.isOpen ? this.options.port.post(message) : this.later.push(message);
  }

  /** Passes a notification of the sidecar's, if it is the interface's. */
  pass<P>(type: Notification<P>, params: P): void {
    if (interfaceNotifications.has(type.method)) {
      this.tell(type, params);
    }
  }

  dispose(): void {
    this.isOpen = false;
    this.listening.dispose();
  }

  private async receive(message: unknown): Promise<void> {
    const {
      id,
      method,
      params = {},
    } = (message ?? {}) as { id?: unknown; method?: unknown; params?: unknown };
    const { port, state, log } = this.options;
    if (typeof id !== "number" || typeof method !== "string") {
      log.warn("A page sent what is no request.");
      return;
    }
    const answer = (said: object) => port.post({ jsonrpc: "2.0", id, ...said });
    if (method === "host/open" && !isTooLong(message)) {
      this.isOpen = true;
      answer({ result: state() });
      this.later.splice(0).forEach(port.post);
      return;
    }
    try {
      answer({ result: (await this.run(method, params, message)) ?? {} });
    } catch (error) {
      const code = error instanceof ResponseError ? error.code : CodeNotAsked;
      log.warn(`A page's ${method.slice(0, 100)} failed: ${messageOf(error)}`);
      answer({ error: { code, message: messageOf(error) } });
    }
  }

  private async run(method: string, params: unknown, message: unknown): Promise<unknown> {
    const { host, state, request } = this.options;
    if (isTooLong(message)) {
      throw new ResponseError(ErrorCodes.InvalidRequest, state().strings["problem.tooLong"] ?? "");
    }
    const own = method.replace(/^host\//, "");
    if (own !== method && Object.hasOwn(host, own)) {
      return host[own as keyof typeof host](params as never);
    }
    if (interfaceMethods.has(method) && method !== cancelRequest.method) {
      return request({ method }, params);
    }
    throw new ResponseError(ErrorCodes.MethodNotFound, "a page may not ask for it");
  }
}

/** Whether a value is longer as JSON than a message may be, by about how many characters that are; counting ends beyond the limit. */
function isTooLong(value: unknown): boolean {
  let length = 0;
  const left = [value];
  while (left.length > 0 && length <= messageLimit) {
    const next = left.pop();
    length += typeof next === "string" ? next.length : 8;
    if (typeof next === "object" && next !== null) {
      for (const [name, part] of Object.entries(next)) {
        length += name.length;
        left.push(part);
      }
    }
  }
  return length > messageLimit;
}
