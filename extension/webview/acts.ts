// What the user can do in every view of the page.

import { type HostCommand, hostOpenLink, hostRun } from "./boundary";
import type { Link } from "./link";

/** The base of a view's controller. */
export abstract class Acts {
  constructor(readonly link: Link) {}

  /** Asks the host to open a link. */
  openLink(href: string): void {
    this.link.notify(hostOpenLink, { href });
  }

  /** Has the host do something. */
  run(command: HostCommand): void {
    this.link.notify(hostRun, { command });
  }
}
