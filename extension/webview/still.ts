// Keeps the element under the pointer or with the focus in place while cards around it change.

import { gestureTime } from "./gesture";

/** The element that must not move, and its position in the view, in pixels. */
interface Anchor {
  element: Element;
  top: number;
}

/** The smallest anchor: an option, otherwise its card. */
const rows = ".suggestion, .option";

export class Still {
  private anchor: Anchor | undefined;
  /** The focused element if the keyboard moved the focus last; null after the pointer was used. */
  private focused: Element | null = null;
  /** The position of the pointer and the element below it; undefined while it is outside the page. */
  private pointer: { y: number; on: EventTarget | null } | undefined;
  private tidying: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly root: HTMLElement) {}

  watch(): void {
    window.addEventListener("pointermove", ({ clientY, target }) => {
      this.pointer = { y: clientY, on: target };
      this.look(null);
    });
    document.documentElement.addEventListener("mouseleave", () => {
      this.pointer = undefined;
      this.release();
      document.body.style.minHeight = "";
      this.look(document.activeElement);
    });
    for (const type of ["keydown", "focusin"]) {
      window.addEventListener(type, () => this.look(document.activeElement));
    }
    window.addEventListener("scroll", () => {
      this.look();
      this.release((card) => !isInView(card));
      if (window.scrollY === 0) {
        document.body.style.minHeight = "";
      }
    });
    // This runs before the browser paints the change.
    new ResizeObserver(() => this.restore()).observe(this.root);
  }

  /** Records the user's place: in the card with the focus or, without one, at the pointer. */
  private look(focused = this.focused): void {
    this.focused = focused;
    const element = focused?.closest("followup-card") ?? this.pointed();
    this.anchor = element && { element, top: topOf(element) };
  }

  /** Releases the space of closed cards: of all, or of those that fit. */
  release(fits: (card: HTMLElement) => boolean = () => true): void {
    for (const card of this.root.querySelectorAll<HTMLElement>("followup-card[style]")) {
      if (fits(card)) {
        card.removeAttribute("style");
      }
    }
  }

  /** Releases all space after a gesture if no open card is in view, since the space would hide one below. */
  tidy(): void {
    this.tidying ??= setTimeout(() => {
      this.tidying = undefined;
      const open = this.root.querySelectorAll('followup-card:not([data-state="closed"])');
      if (![...open].some(isInView)) {
        this.release();
      }
    }, gestureTime);
  }

  /** Scrolls by the distance that the user's card has moved. */
  private restore(): void {
    const { anchor } = this;
    if (anchor === undefined || !anchor.element.isConnected) {
      this.look();
      return;
    }
    const moved = () => topOf(anchor.element) - anchor.top;
    window.scrollBy({ top: moved(), behavior: "instant" });
    const left = moved();
    if (left >= 1) {
      // The page is too short to be scrolled that far.
      document.body.style.minHeight = `${window.innerHeight + window.scrollY + left}px`;
      window.scrollBy({ top: left, behavior: "instant" });
    }
  }

  /**
   * The element at the pointer: an option, a card, or the next card below. Without a pointer, the first card
   * in view.
   */
  private pointed(): Element | undefined {
    const { y, on } = this.pointer ?? { y: 0, on: null };
    const within = on instanceof Element ? (on.closest(rows) ?? on.closest("followup-card")) : null;
    const cards = this.root.querySelectorAll("followup-card");
    return within ?? [...cards].find((card) => card.getBoundingClientRect().bottom > y);
  }
}

/** The position of an element in the view. For a closed card, it includes the space above its line. */
function topOf(element: Element): number {
  return element.getBoundingClientRect().top - Number.parseFloat(getComputedStyle(element).marginBlockStart);
}

function isInView(card: Element): boolean {
  const { top, bottom } = card.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}
