// Unanswered messages to the sidecar. Every new process gets them again, in order and with the same ids: all are safe to repeat.

import { type CancellationToken, ResponseError } from "vscode-jsonrpc";
import { CodeCancelled, type Request } from "../protocol.gen";
import type { Connection } from "./connection";

/** A message that each process gets until it is removed. */
export interface Unanswered {
  send(to: Connection): unknown;
  fail?(why: Error): unknown;
}

export class Resender {
  private readonly messages = new Set<Unanswered>();
  private to: Connection | Error | undefined;

  /** Sends a message to this process, or the next one, and to every later one. */
  add(message: Unanswered): void {
    this.messages.add(message);
    this.use(this.to, [message]);
  }

  remove(message: Unanswered): void {
    this.messages.delete(message);
  }

  /** Sets the new process, the reason why none is coming, or undefined while one is coming. */
  use(to: Connection | Error | undefined, messages = [...this.messages]): void {
    this.to = to;
    for (const message of messages) {
      to instanceof Error ? message.fail?.(to) : to && message.send(to);
    }
  }

  /**
   * Sends a request until a process answers it, or throws why none is coming. A cancelled token cancels it. A request for a
   * question that an agent waits for, once sent, waits until the user starts a process.
   */
  request<P, R>(type: Request<P, R>, params: P, token?: CancellationToken, questionId?: string): Promise<R> {
    return new Promise((resolve, reject) => {
      let sent = false;
      const over = () => {
        this.remove(message);
        listener?.dispose();
      };
      const send = (to: Connection) => {
        const again = sent ? { ...params, new: undefined } : params; // an earlier process may have asked it
        sent = true;
        to.request(type, again, token).finally(over).then(resolve, reject);
      };
      const fail = (why: Error) => {
        if (!(questionId && sent)) {
          over();
          reject(why);
        }
      };
      const message: Unanswered = { send, fail };
      // The caller does not wait for the next process. That one gets the request and its cancellation only if an earlier process got it.
      const listener = token?.onCancellationRequested(() => {
        if (!this.to || this.to instanceof Error) {
          reject(new ResponseError(CodeCancelled, "cancelled"));
          sent || over();
        }
      });
      this.add(message);
    });
  }
}
