// Subscribes to the inbox in every new process and tells everyone concerned what changes.

import { Emitter } from "vscode-jsonrpc";
import type { Agents } from "../agents/agents";
import type { InboxDifference, InboxModel } from "../inbox";
import { inboxDidChange, inboxSubscribe, type Storage } from "../protocol.gen";
import type { Ledger } from "../sidecar/ledger";
import type { Sidecar } from "../sidecar/sidecar";

/** Keeps the inbox model up to date. */
export class Feed {
  private readonly changes = new Emitter<InboxDifference[]>();
  private readonly storage = new Emitter<Storage>();

  /** Tells what has changed in the model. */
  readonly onDidChange = this.changes.event;

  /** Tells whether what is asked and answered is kept on disk, whenever that changes. */
  readonly onDidChangeStorage = this.storage.event;

  constructor(sidecar: Sidecar, agents: Agents, ledger: Ledger, inbox: InboxModel) {
    // Behind the ledger's replay, so that the snapshot holds the questions that are asked again.
    sidecar.addParticipant(async (connection) => {
      connection.on(inboxDidChange, (change) => {
        for (const item of change.items ?? []) {
          agents.learn(item);
        }
        agents.forget(change.removed ?? []);
        this.changes.fire(inbox.apply(change));
        this.tellStorage(change.storage);
      });
      const snapshot = await connection.request(inboxSubscribe, {});
      for (const item of snapshot.items) {
        agents.learn(item);
      }
      this.changes.fire(inbox.reset(snapshot, (id) => ledger.has(id)));
      this.tellStorage(snapshot.storage);
    });
  }

  private tellStorage(storage: Storage | undefined): void {
    if (storage) {
      this.storage.fire(storage);
    }
  }
}
