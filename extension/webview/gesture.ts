// One gesture of the user's does one thing: when a card closes, the next one moves to its place, and where a
// questionnaire is gone through, the button that sends it comes to stand where the one before it was. The second
// click of a double click or a key pressed twice must not answer there.

/** How long after an answer the same gesture may still go on, in milliseconds. */
const gestureTime = 500;

/** How far apart two clicks of one gesture can be, in pixels. */
const gestureDistance = 16;

interface Act {
  id: string;
  time: number;
  /** Where the pointer was; null for a key. */
  place: { x: number; y: number } | null;
}

/** Remembers the user's last answer. */
export class GestureGuard {
  private last: Act | null = null;

  /** Whether the event may act on the question; if so, it is the last one that did. */
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
}

function sameGesture(first: Act, second: Act): boolean {
  if (second.time - first.time >= gestureTime || (first.place === null) !== (second.place === null)) {
    return false;
  }
  if (first.place === null || second.place === null) {
    return true;
  }
  return Math.hypot(first.place.x - second.place.x, first.place.y - second.place.y) <= gestureDistance;
}

/** A click that a key made has the detail 0. */
function placeOf(event: Event): Act["place"] {
  const pointer = event instanceof MouseEvent && event.detail > 0;
  return pointer ? { x: event.clientX, y: event.clientY } : null;
}
