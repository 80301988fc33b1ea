// <followup-timer>: the countdown of the sidecar's timed choice, and the button that stops it. After
// stopping, the line stays, so that nothing moves under a click.

import { html, nothing, type PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { ItemTimer } from "../../src/protocol.gen";
import { countdown, t } from "../strings";
import { icon, linkButton } from "./buttons";
import { FollowupElement } from "./element";

@customElement("followup-timer")
export class FollowupTimer extends FollowupElement {
  /** The timer as last received; undefined if it was stopped. */
  @property({ attribute: false }) timer: ItemTimer | undefined;
  @property({ attribute: false }) stop: () => void = () => {};

  private until = 0;
  private tick: ReturnType<typeof setTimeout> | undefined;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("timer") && this.timer !== undefined) {
      this.until = performance.now() + this.timer.left;
    }
  }

  protected override updated(): void {
    clearTimeout(this.tick);
    const left = this.left();
    if (this.timer !== undefined && left > 0) {
      this.tick = setTimeout(() => this.requestUpdate(), left % 1000 || 1000);
    }
  }

  protected override render() {
    const { timer } = this;
    const stopped = timer === undefined;
    return html`${icon("watch")}<span class="timer-text"
      ><span role="timer" aria-hidden=${stopped ? "true" : nothing}>${t("timer.running", { time: countdown(this.left()) })}</span
      ><span aria-hidden=${stopped ? nothing : "true"}>${t("timer.stopped")}</span></span
      >${linkButton({ name: "timer-stop", locked: stopped, run: this.stop }, t("timer.stop"))}`;
  }

  private left(): number {
    return Math.max(0, this.until - performance.now());
  }
}
