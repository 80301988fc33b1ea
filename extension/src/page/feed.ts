// Subscribes to the inbox in every new process and tells everyone concerned what changes.

import { Emitter } from "vscode-jsonrpc";
import { type Inbox, type InboxChange, inboxDidChange, inboxSubscribe } from "../protocol.gen";
import type { Sidecar } from "../sidecar/sidecar";

/** The stream of changes of the inbox. */
export class Feed {
  private readonly changes = new Emitter<InboxChange>();
  private readonly subscriptions = new Emitter<{ inbox: Inbox; by?: unknown }>();

  readonly onDidChange = this.changes.event;

  /** Tells that the changes began anew, with what is open; `by` is who asked for it and has it already. */
  readonly onDidSubscribe = this.subscriptions.event;

  constructor(private readonly sidecar: Pick<Sidecar, "addParticipant" | "request">) {
    sidecar.addParticipant(async (connection) => {
      connection.on(inboxDidChange, (change) => {
        this.changes.fire(change);
      });
      this.subscribed(await connection.request(inboxSubscribe, {}));
    });
  }

  /** Begins anew for all who listen: gives what is open. */
  async subscribe(by?: unknown): Promise<Inbox> {
    return this.subscribed(await this.sidecar.request(inboxSubscribe, {}), by);
  }

  private subscribed(inbox: Inbox, by?: unknown): Inbox {
    this.subscriptions.fire({ inbox, by });
    return inbox;
  }
}
