// The page as a peer of the sidecar and its host, whose messages go into one store.

import * as protocol from "../src/protocol.gen";
import type { Link } from "./link";
import { Store, type ViewEvent, type ViewState } from "./state";

export class Peer {
  readonly store = new Store();

  constructor(readonly link: Link) {}

  async start(): Promise<void> {
    const { link } = this;
    link.on(protocol.inboxDidChange, (change: protocol.InboxChange) => this.told({ type: "change", change }));
    link.on(protocol.hostDidSubscribe, (inbox) => this.subscribed(inbox));
    link.on(protocol.hostDidChange, (host) => this.told({ type: "host", host }));
    this.told({ type: "host", host: await link.host.open({}) });
    try {
      this.subscribed(await link.request(protocol.inboxSubscribe, {}));
    } catch {
      // There is trouble, which the host tells of. When it is over, the host subscribes.
    }
  }

  can(command: protocol.HostCommand): boolean {
    return this.state.commands.includes(command);
  }

  run(command: protocol.HostCommand): void {
    this.link.host.run({ command });
  }

  protected get state(): ViewState {
    return this.store.state;
  }

  /** The changes of the inbox begin anew. */
  protected subscribed(inbox: protocol.Inbox): void {
    this.told({ type: "snapshot", inbox });
  }

  /** Takes in what the host or the sidecar tells. */
  protected told(event: ViewEvent): void {
    this.store.dispatch(event);
  }
}
