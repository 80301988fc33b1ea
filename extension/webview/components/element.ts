// Components render into the page itself, for one stylesheet, labels across them and selections across them.

import { LitElement } from "lit";
import type { Host } from "../../src/protocol.gen";

/** Has the page's host do something, once the element stands on the page: the view hears of it. */
export function askHost(element: HTMLElement, ask: (host: Host) => unknown): void {
  queueMicrotask(() => element.dispatchEvent(new CustomEvent(hostEvent, { detail: ask, bubbles: true })));
}

/** The event that asks for the host, which a view answers. */
export const hostEvent = "followup-host";

/** The base of every component. */
export abstract class FollowupElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
