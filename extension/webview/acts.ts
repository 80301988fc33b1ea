// What the user can do in every view of the page.

import { type HostCommand, type HostState, hostOpenLink, hostRun } from "./boundary";
import type { Link } from "./link";

/** The base of a view's controller. */
export abstract class Acts {
  abstract readonly store: { readonly state: HostState };

  constructor(readonly link: Link) {}

  /** Asks the host to open a link. */
  openLink(href: string): void {
    this.link.notify(hostOpenLink, { href });
  }

  /** Whether the host can do something. */
  can(command: HostCommand): boolean {
    return this.store.state.commands.includes(command);
  }

  /** Has the host do something. */
  run(command: HostCommand): void {
    this.link.notify(hostRun, { command });
  }
}
