// Messages that the sidecar has not answered. Every new process gets them again, in order and with the same ids.

import { type CancellationToken, ResponseError } from "vscode-jsonrpc";
import { CodeCancelled, type Request } from "../protocol.gen";
import type { Connection } from "./connection";
import { ConnectionLostError } from "./errors";

/** What each process is sent until it is removed. */
export interface Unanswered {
  /** Sends it to a process. */
  send(to: Connection): void;
  /** Called when there is no process and none is coming. */
  fail(why: Error): void;
}

/** Resends what is unanswered. All requests are safe to repeat: their ids are the caller's. */
export class Resender {
  /** In the order of the first sending. */
  private readonly messages = new Set<Unanswered>();
  private process: Connection | undefined;
  private failure: Error | undefined;

  /** Sends a message to this process, or the next one, and to every later one. */
  add(message: Unanswered): void {
    this.messages.add(message);
    if (this.process) {
      message.send(this.process);
    } else if (this.failure) {
      message.fail(this.failure);
    }
  }

  /** No process is sent the message any more. */
  remove(message: Unanswered): void {
    this.messages.delete(message);
  }

  /**
   * Sends a request until a process answers it. A cancelled token cancels it.
   *
   * @param lasting keeps a request that was sent pending while no process is coming: the user may start one
   * @throws ResponseError as the sidecar answered; the error of `failed` when no process is coming
   */
  request<P, R>(
    type: Request<P, R>,
    params: P | (() => P),
    token?: CancellationToken,
    lasting = false,
  ): Promise<R> {
    return new Promise((resolve, reject) => {
      let sent = false;
      const message: Unanswered = {
        send: (to) => {
          sent = true;
          const current = typeof params === "function" ? (params as () => P)() : params;
          to.request(type, current, token).then(
            (result) => settle(() => resolve(result)),
            (error) => error instanceof ConnectionLostError || settle(() => reject(error)),
          );
        },
        fail: (why) => (lasting && sent) || settle(() => reject(why)),
      };
      const settle = (how: () => void) => {
        this.messages.delete(message);
        listener?.dispose();
        how();
      };
      // The caller does not wait for the next process. That one is asked and cancelled only if an earlier one was asked.
      const listener = token?.onCancellationRequested(() => {
        if (!this.process) {
          const cancelled = () => reject(new ResponseError(CodeCancelled, "cancelled"));
          sent ? cancelled() : settle(cancelled);
        }
      });
      this.add(message);
    });
  }

  /** A new process is ready. */
  connected(process: Connection): void {
    this.process = process;
    this.failure = undefined;
    for (const message of [...this.messages]) {
      message.send(process);
    }
  }

  /** There is no process; one is coming unless there is a failure. */
  disconnected(failure?: Error): void {
    this.process = undefined;
    this.failure = failure;
    for (const message of failure ? [...this.messages] : []) {
      message.fail(failure as Error);
    }
  }
}
