// Watches the page for the guard: where everything stands that takes acts, before and after the host changes it, and
// which act lands on what has just changed. All acts pass here before any component hears of them.

import { type ActGuard, type Layout, type Means, type Place, placeOf, restTime } from "./guard";
import { isEnter } from "./keys";

/** What takes acts: it answers, goes on, opens, or is typed into. */
const controls = "button, vscode-button, a[href], input, textarea, label, .option.other";

/**
 * What takes no act as it stands: a card takes digits and files, while it can be answered. Nor does what is far from the view,
 * where measuring it would have the browser lay it out.
 */
const inert =
  ':disabled, [disabled], [aria-disabled="true"], [readonly], [hidden] *, followup-card:not([data-state="pending"]), [data-far] *';

export class Ground {
  private before: Layout<Element> | undefined;
  /** Until when something on the page takes no act. */
  private restsAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The press that a click belongs to did not count. */
  private pressRefused = false;

  /** `refused` is called for an act that came too soon. */
  constructor(
    private readonly root: HTMLElement,
    private readonly guard: ActGuard<Element>,
    private readonly refused: () => void,
  ) {
    // The window hears an event before all that stands in it.
    for (const type of ["pointerdown", "mousedown", "click", "drop", "keydown"]) {
      window.addEventListener(type, (event) => this.pass(event), { capture: true });
    }
  }

  /**
   * The page is about to be changed by the host. At the beginning of a frame its layout is known; at any other time it
   * might have to be made for the measuring alone, which for an endless line takes the browser long.
   */
  changes(inFrame: boolean): void {
    if (this.before !== undefined && !inFrame) {
      return;
    }
    this.settle();
    this.before = this.layout();
    clearTimeout(this.timer);
    this.root.toggleAttribute("data-settling", true);
    // By the next frame all is drawn. Where no frames are, what has changed is new when it is seen.
    requestAnimationFrame(() => this.settle());
  }

  /** Whether the card may take a digit from that event. */
  rests(card: Element, from: Event): boolean {
    this.settle();
    if (this.guard.rests(card, "key", from.timeStamp)) {
      return true;
    }
    this.refused();
    return false;
  }

  /** What the digits choose from became another card by the host's doing. */
  retargeted(card: Element): void {
    this.guard.compare(new Map(), new Map([[card, placeIn(card)]]), performance.now());
  }

  /** Finds out what the host's last change has done. */
  private settle(): void {
    const { before } = this;
    if (before === undefined) {
      return;
    }
    this.before = undefined;
    const now = performance.now();
    if (this.guard.compare(before, this.layout(), now)) {
      this.restsAt = now + restTime;
    }
    this.timer = setTimeout(() => this.root.removeAttribute("data-settling"), this.restsAt - now);
  }

  private layout(): Layout<Element> {
    const layout = new Map<Element, Place>();
    for (const element of this.root.querySelectorAll(`${controls}, followup-card`)) {
      if (!element.matches(inert)) {
        layout.set(element, placeIn(element));
      }
    }
    return layout;
  }

  private pass(event: Event): void {
    const wanted = event.type === "drop" ? "followup-card" : controls;
    const target = event.target instanceof Element ? event.target.closest(wanted) : null;
    if (event.type === "pointerdown") {
      this.pressRefused = !this.isDue(target, "pointer", event);
    } else if (!this.counts(target, event)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      this.refused();
    }
  }

  private counts(target: Element | null, event: Event): boolean {
    switch (event.type) {
      case "mousedown":
        return !this.pressRefused;
      case "click":
        return placeOf(event) === null
          ? this.isDue(target, "key", event)
          : !this.pressRefused && this.isDue(target, "pointer", event);
      case "keydown":
        return !isActing(event as KeyboardEvent) || this.isDue(target, "key", event);
      default:
        return this.isDue(target, "pointer", event);
    }
  }

  private isDue(target: Element | null, means: Means, event: Event): boolean {
    this.settle();
    return target === null || !this.root.contains(target) || this.guard.rests(target, means, event.timeStamp);
  }
}

function placeIn(element: Element): Place {
  const { left, top } = element.getBoundingClientRect();
  return { x: left, y: top };
}

/** Whether the key does something with what has the focus. */
function isActing(event: KeyboardEvent): boolean {
  const inBox = event.target instanceof HTMLTextAreaElement;
  return isEnter(event) ? !(inBox && event.shiftKey) : event.key === " " && !inBox;
}
