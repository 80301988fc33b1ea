// One gesture decides one question: an impatient second click or key press does not answer another card.
// Times are in milliseconds.

import { isEnter, isTextBox } from "./keys";

/**
 * A gesture ends when this time passes between two presses, or the pointer moves this far from its first
 * position.
 */
export const gestureTime = 1000;
const gestureDistance = 16;

/** How long a card ignores input after it becomes answerable by itself. */
const freshTime = 400;

/** How long after letters typed outside a text box digits count as part of the same words. */
const typingTime = 1000;

export class Gesture {
  private count = 0;
  /** The last press came from a pointer that is on its target. */
  byPointer = false;
  private latest = new Event("none");
  private pressedAt = Number.NEGATIVE_INFINITY;
  private start = { x: 0, y: 0 };
  private pointer = { x: 0, y: 0 };
  private last: { gesture: number; id: string; act: string; time: number } | undefined;
  private typedAt = Number.NEGATIVE_INFINITY;
  private readonly answerableAt = new WeakMap<Element, number>();

  /** Listens to all input; `root` contains the cards. The window gets an event before the components. */
  listen(root: HTMLElement): void {
    const hear = (type: string, handle: (event: Event) => void) =>
      window.addEventListener(type, handle, { capture: true });
    hear("pointermove", (event) => this.move(event as PointerEvent));
    for (const type of ["pointerdown", "click", "keydown", "drop"]) {
      hear(type, (event) => {
        this.press(event);
        const on = event.target instanceof Element ? event.target : null;
        const card = on?.closest("followup-card");
        const takes = [card, on?.closest(".approval-option")].every(
          (each) => !each || this.takes(each, event),
        );
        if (card && root.contains(card) && isAct(event) && !takes) {
          event.preventDefault();
          event.stopImmediatePropagation();
        }
      });
    }
  }

  /** Records a press of a key or the pointer, which begins a gesture or continues the last one. */
  press(event: Event): void {
    this.latest = event;
    if ("key" in event && !isAct(event)) {
      if (isTextBox(event.target as Element | null)) {
        this.pressedAt = Number.NEGATIVE_INFINITY; // fast typing is not an impatient repetition
      }
      return;
    }
    this.byPointer = isPointer(event);
    if (this.byPointer) {
      this.move(event as MouseEvent);
    }
    const moved = Math.hypot(this.pointer.x - this.start.x, this.pointer.y - this.start.y);
    if (event.timeStamp - this.pressedAt >= gestureTime || moved >= gestureDistance) {
      this.count++;
      this.start = this.pointer;
    }
    this.pressedAt = event.timeStamp;
  }

  /**
   * Reports whether the last press may act: its gesture has had no other effect, or it is a later key press
   * on the same card.
   */
  allows(id: string, act: string): boolean {
    const { last, latest, count: gesture } = this;
    const same = last?.gesture === gesture && !(last.id === id && last.act === act) ? last : undefined;
    const goesOn = same?.id === id && !isPointer(latest) && latest.timeStamp - same.time >= freshTime;
    const may = same === undefined || goesOn;
    if (may) {
      this.last = { gesture, id, act, time: latest.timeStamp };
    }
    return may;
  }

  /**
   * Records that the card, or an option of it, became answerable, and not by the user's doing. The delay
   * begins when the screen shows it, which may take long.
   */
  answerable(card: Element): void {
    this.answerableAt.set(card, Number.POSITIVE_INFINITY);
    card.setAttribute("data-fresh", ""); // for programs that act in place of a user
    const painted = () => {
      this.answerableAt.set(card, performance.now());
      setTimeout(() => card.removeAttribute("data-fresh"), freshTime);
    };
    requestAnimationFrame(() => requestAnimationFrame(painted)); // the second frame begins when the first one is painted
  }

  /** Reports whether the card accepts input: not just after it became answerable. */
  takes(card: Element, { timeStamp }: Event): boolean {
    return timeStamp - (this.answerableAt.get(card) ?? Number.NEGATIVE_INFINITY) >= freshTime;
  }

  typed(time: number): void {
    this.typedAt = time;
  }

  /** Reports whether a key at that time belongs to words being typed. */
  isTyping(time: number): boolean {
    return time - this.typedAt < typingTime;
  }

  private move({ clientX: x, clientY: y }: MouseEvent): void {
    this.pointer = { x, y };
  }
}

/** Whether the event comes from a pointer rather than from a key or a program that clicks for the user. */
function isPointer({ type, detail = 0 }: Event & { detail?: number }): boolean {
  return type === "pointerdown" || type === "drop" || (type === "click" && detail > 0);
}

/** Whether the event can do something other than put a letter into a text box or move the focus. */
function isAct(event: Event): boolean {
  if (!("key" in event)) {
    return event.type !== "pointerdown";
  }
  const key = event as KeyboardEvent;
  const inBox = isTextBox(key.target as Element | null);
  return isEnter(key) ? !(inBox && key.shiftKey) : !inBox && /^[ 0-9]$/.test(key.key);
}
