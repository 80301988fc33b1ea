// The pipe between a page and the sidecar. It passes the interface's methods and notifications and no others, and adds the host's
// own, which only an editor can do. What a page sends is never trusted.

import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type CancellationToken,
  createMessageConnection,
  type DataCallback,
  type Disposable,
  ErrorCodes,
  type Message,
  type MessageReader,
  type MessageWriter,
  ResponseError,
} from "vscode-jsonrpc/node";
import { codeNotAsked, hostOpen } from "../../webview/boundary";
import {
  cancelRequest,
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

/** The host's own methods, by their names. */
export type HostMethods = Readonly<Record<string, (params: never) => unknown>>;

export interface PipeOptions {
  port: Port;
  /** Asks the sidecar. */
  request(type: Request<unknown, unknown>, params: unknown, token: CancellationToken): Promise<unknown>;
  host: HostMethods;
  /** What the user is told of a message that is longer than messageLimit. */
  tooLong: string;
  log: Log;
}

/** One page's end of the pipe. It is told nothing before it has opened. */
export class Pipe {
  private readonly rpc;
  /** While it opens, the answer that says how things stand is on its way, and what changes meanwhile is told behind it. */
  private phase: "closed" | "opening" | "open" = "closed";
  /** What it is told when it has opened. */
  private readonly later: (() => void)[] = [];

  constructor({ port, request, host, tooLong, log }: PipeOptions) {
    this.rpc = createMessageConnection(new PageReader(port, tooLong, log), new PageWriter(port), {
      error: (message) => log.error(message),
      warn: (message) => log.warn(message),
      info: (message) => log.info(message),
      log: (message) => log.debug(message),
    });
    for (const method of interfaceMethods) {
      if (method === cancelRequest.method) {
        continue; // the connection itself takes it, and cancels the sidecar's request by the token
      }
      this.rpc.onRequest(method, (params: unknown, token: CancellationToken) =>
        answered(() => request({ method }, params, token)),
      );
    }
    for (const [method, run] of Object.entries(host)) {
      this.rpc.onRequest(method, (params: unknown) => {
        if (method === hostOpen.method) {
          this.phase = "opening";
          setImmediate(() => this.opened());
        }
        return answered(async () => run((params ?? {}) as never));
      });
      this.rpc.onNotification(method, async (params: unknown) => {
        try {
          await run((params ?? {}) as never);
        } catch (error) {
          log.warn(`The page's ${method} failed: ${messageOf(error)}`);
        }
      });
    }
    this.rpc.onRequest((method) => {
      const name = method.slice(0, 100);
      log.warn(`A page asked for ${name}, which it may not.`);
      return new ResponseError(ErrorCodes.MethodNotFound, `a page may not ask for ${name}`);
    });
    this.rpc.onUnhandledNotification(({ method }) =>
      log.warn(`A page sent ${method.slice(0, 100)}, which it may not.`),
    );
    this.rpc.listen();
  }

  /** Tells the page something of the host's, unless it has not asked yet how things stand. */
  tell<P>(type: Notification<P>, params: P): void {
    if (this.phase !== "closed") {
      this.tellLater(type, params);
    }
  }

  /** Tells it now or as soon as it is open. */
  tellLater<P>({ method }: Notification<P>, params: P): void {
    const send = () => void this.rpc.sendNotification(method, params);
    this.phase === "open" ? send() : this.later.push(send);
  }

  /** Passes a notification of the sidecar's, if it is the interface's. */
  pass<P>(type: Notification<P>, params: P): void {
    if (interfaceNotifications.has(type.method)) {
      this.tell(type, params);
    }
  }

  dispose(): void {
    this.phase = "closed";
    this.rpc.dispose();
  }

  private opened(): void {
    if (this.phase !== "opening") {
      return; // it is gone meanwhile
    }
    this.phase = "open";
    for (const tell of this.later.splice(0)) {
      tell();
    }
  }
}

/** What went wrong is told by its message, with the sidecar's code where it has one. */
async function answered(ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return (await ask()) ?? {};
  } catch (error) {
    return error instanceof ResponseError ? error : new ResponseError(codeNotAsked, messageOf(error));
  }
}

class PageReader extends AbstractMessageReader implements MessageReader {
  constructor(
    private readonly port: Port,
    private readonly tooLong: string,
    private readonly log: Log,
  ) {
    super();
  }

  listen(callback: DataCallback): Disposable {
    return this.port.onMessage((message) => {
      if (typeof message !== "object" || message === null) {
        this.log.warn("A page sent what is no message.");
        return;
      }
      if (lengthOf(message) > messageLimit) {
        this.log.warn("A page sent a message that is too long.");
        this.refuse(message);
        return;
      }
      try {
        callback(message as Message);
      } catch (error) {
        this.log.warn(`A page sent what is no JSON-RPC: ${messageOf(error)}`);
      }
    });
  }

  /** Answers a request that is too long to be looked at. */
  private refuse(message: object): void {
    const { id, method } = message as { id?: unknown; method?: unknown };
    if (typeof id === "number" && typeof method === "string") {
      const error = { code: ErrorCodes.InvalidRequest, message: this.tooLong };
      this.port.post({ jsonrpc: "2.0", id, error });
    }
  }
}

class PageWriter extends AbstractMessageWriter implements MessageWriter {
  constructor(private readonly port: Port) {
    super();
  }

  async write(message: Message): Promise<void> {
    this.port.post(message);
  }

  end(): void {}
}

/** About how many characters a value is as JSON; counting ends beyond the limit. */
function lengthOf(value: unknown): number {
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
  return length;
}
