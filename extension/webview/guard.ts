// An act belongs to what the user saw. What the page moves or enables by itself takes no act for a moment, so that a
// click or a key that was meant for what stood there before does nothing. And one gesture does one thing: the second
// click of a double click, or a key pressed twice, answers no other question.
//
// Times are those of events and of performance.now(), in milliseconds; places are in pixels of the view.

/** How long what has changed takes no act. A hand that is on its way does not stop sooner. */
export const restTime = 400;

/** How far something may be off before it has moved under the pointer: less is rounding. */
const pointerSlack = 2;

/**
 * The same for the keyboard, which stays with what it is on: what slides by a line is still where the eyes are, and
 * text that streams in above must not lock the keys for as long as it does.
 */
const focusSlack = 40;

/** How far apart two clicks of one gesture can be. */
const gestureDistance = 16;

/** How long letters on nothing are followed by digits that belong to the same words. */
const typingTime = 1000;

export interface Place {
  x: number;
  y: number;
}

/** Where everything stands that takes acts at the moment. */
export type Layout<Key> = ReadonlyMap<Key, Place>;

/** What an act comes by: a pointer at a place, or a key. */
export type Means = "pointer" | "key";

/** A user's act on a question. */
interface Act {
  id: string;
  time: number;
  /** Where the pointer was; null for a key. */
  place: Place | null;
}

/** Knows when the page last changed what acts land on, and what the user did last. */
export class ActGuard<Key extends object = object> {
  private readonly changed: Record<Means, WeakMap<Key, number>> = {
    pointer: new WeakMap(),
    key: new WeakMap(),
  };
  private last: Act | null = null;
  private lastTyped = Number.NEGATIVE_INFINITY;

  /** Takes note of what takes acts only now, or stands elsewhere than before. Whether there was anything. */
  compare(before: Layout<Key>, after: Layout<Key>, time: number): boolean {
    let found = false;
    for (const [key, place] of after) {
      const earlier = before.get(key);
      const distance = earlier === undefined ? Number.POSITIVE_INFINITY : apart(earlier, place);
      if (distance > pointerSlack) {
        this.changed.pointer.set(key, time);
        found = true;
      }
      if (distance > focusSlack) {
        this.changed.key.set(key, time);
      }
    }
    return found;
  }

  /** Whether what is acted on has been as it is for long enough. */
  rests(key: Key, means: Means, time: number): boolean {
    return time - (this.changed[means].get(key) ?? Number.NEGATIVE_INFINITY) >= restTime;
  }

  /** Whether the event may act on the question, for all that the user did before; if so, it is the last one that did. */
  allows(id: string, from: Event): boolean {
    const act: Act = { id, time: from.timeStamp, place: placeOf(from) };
    if (this.last !== null && this.last.id !== id && sameGesture(this.last, act)) {
      return false;
    }
    this.last = act;
    return true;
  }

  /** Takes note of an act that needs no leave, so that the same gesture does no other. */
  remember(id: string, from: Event): void {
    this.last = { id, time: from.timeStamp, place: placeOf(from) };
  }

  /** A letter was typed where there is no text box. */
  typed(time: number): void {
    this.lastTyped = time;
  }

  /** Whether a key at that time belongs to words that are being typed. */
  isTyping(time: number): boolean {
    return time - this.lastTyped < typingTime;
  }
}

function sameGesture(first: Act, second: Act): boolean {
  if (second.time - first.time >= restTime || (first.place === null) !== (second.place === null)) {
    return false;
  }
  return first.place === null || second.place === null || apart(first.place, second.place) <= gestureDistance;
}

function apart(first: Place, second: Place): number {
  return Math.hypot(first.x - second.x, first.y - second.y);
}

/** Where the pointer was; null where a key, or a program for the user, made the click. */
export function placeOf(event: Event): Place | null {
  const { type, detail, clientX, clientY } = event as Partial<MouseEvent>;
  const byKey = clientX === undefined || clientY === undefined || (type === "click" && detail === 0);
  return byKey ? null : { x: clientX, y: clientY };
}
