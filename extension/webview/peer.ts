// Makes the page a peer of the sidecar and its host: applies their messages to its state.

import * as protocol from "../src/protocol.gen";
import type { Link } from "./link";
import { initialState, reduce, type ViewEvent, type ViewState } from "./state";

export class Peer {
  state: ViewState = initialState;
  private readonly listeners: ((event: ViewEvent) => void)[] = [];

  constructor(readonly link: Link) {}

  async start(): Promise<void> {
    const { link } = this;
    link.on(protocol.inboxDidChange, (change: protocol.InboxChange) =>
      this.dispatch({ type: "change", change }),
    );
    link.on(protocol.hostDidSubscribe, (inbox) => this.subscribed(inbox));
    link.on(protocol.hostDidChange, (host) => this.dispatch({ type: "host", host }));
    this.dispatch({ type: "host", host: await link.host.open({}) });
    try {
      this.subscribed(await link.request(protocol.inboxSubscribe, {}));
    } catch {
      // The host reports the problem, and subscribes again once it is solved.
    }
  }

  /** Calls the listener after every change of the state, with the event that caused it. */
  subscribe(listener: (event: ViewEvent) => void): void {
    this.listeners.push(listener);
  }

  /** Applies an event to the state. */
  dispatch(event: ViewEvent): void {
    this.state = reduce(this.state, event);
    for (const listener of this.listeners) {
      listener(event);
    }
  }

  can(command: protocol.HostCommand): boolean {
    return this.state.commands.includes(command);
  }

  run(command: protocol.HostCommand): void {
    this.link.host.run({ command });
  }

  /** The stream of the inbox's changes restarts with this snapshot. */
  protected subscribed(inbox: protocol.Inbox): void {
    this.dispatch({ type: "snapshot", inbox });
  }
}
