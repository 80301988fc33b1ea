// The page as a peer of the sidecar and its host, whose messages go into one store.

import {
  type HostCommand,
  hostDidChange,
  hostDidSubscribe,
  type Inbox,
  type InboxChange,
  inboxDidChange,
  inboxSubscribe,
} from "../src/protocol.gen";
import type { Link } from "./link";
import { Store, type ViewEvent, type ViewState } from "./state";

export class Peer {
  readonly store = new Store();

  constructor(readonly link: Link) {}

  async start(): Promise<void> {
    const { link } = this;
    link.on(inboxDidChange, (change: InboxChange) => this.told({ type: "change", change }));
    link.on(hostDidSubscribe, (inbox) => this.subscribed(inbox));
    link.on(hostDidChange, (host) => this.told({ type: "host", host }));
    this.told({ type: "host", host: await link.host.open({}) });
    try {
      this.subscribed(await link.request(inboxSubscribe, {}));
    } catch {
      // There is trouble, which the host tells of. When it is over, the host subscribes.
    }
  }

  can(command: HostCommand): boolean {
    return this.state.commands.includes(command);
  }

  run(command: HostCommand): void {
    this.link.host.run({ command });
  }

  protected get state(): ViewState {
    return this.store.state;
  }

  /** The changes of the inbox begin anew. */
  protected subscribed(inbox: Inbox): void {
    this.told({ type: "snapshot", inbox });
  }

  /** Takes in what the host or the sidecar tells. */
  protected told(event: ViewEvent): void {
    this.store.dispatch(event);
  }
}
