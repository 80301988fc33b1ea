// The keys that work everywhere in the view, and the card that digits answer. Components handle their own
// keys.

import type { Card } from "./cards";

/**
 * Handles keys before the editor's frame, which passes every key to the editor. Keys that the page uses are
 * stopped here. Text editing is also done here: the editor does not know that the page has the focus, and
 * would undo or select in its open file.
 */
export function onKeys(handle: (event: KeyboardEvent) => void): void {
  document.addEventListener("keydown", (event) => {
    handle(event);
    const edit = event.defaultPrevented ? undefined : editOf(event, isMac);
    if (edit !== undefined) {
      event.preventDefault();
      document.execCommand(edit);
    }
    if (event.defaultPrevented) {
      event.stopPropagation();
    }
  });
}

/**
 * The editing command of a key, by the code of its Latin letter, which the editor uses too; undefined for
 * other keys.
 */
function editOf(event: KeyboardEvent, mac: boolean): string | undefined {
  const [command, other] = mac ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  const key = `${event.shiftKey ? "Shift+" : ""}${String.fromCharCode(event.keyCode)}`;
  const edits: Record<string, string> = {
    A: "selectAll",
    Z: "undo",
    "Shift+Z": "redo",
    ...(!mac && { Y: "redo" }),
  };
  return command && !other && !event.altKey ? edits[key] : undefined;
}

/**
 * The action of a key outside a component; a digit's value is its position from 0. `inText` says that the key
 * goes into a text box. Without a text box, a letter belongs to a word that the user is typing into a box
 * that has disappeared.
 */
export function keyAct(
  event: KeyboardEvent,
  inText: boolean,
): "escape" | "enter" | "letter" | number | undefined {
  const { defaultPrevented, isComposing, ctrlKey, metaKey, altKey, repeat, key } = event;
  const held = ctrlKey || metaKey || altKey;
  const digit = digitOf(event);
  if (!inText && !held && digit === undefined && /^\p{L}$/u.test(key)) {
    return "letter";
  }
  if (defaultPrevented || isComposing || held || repeat) {
    return undefined;
  }
  if (key === "Escape") {
    return "escape";
  }
  return inText ? undefined : (digit ?? (key === "ArrowDown" ? "enter" : undefined));
}

/**
 * Whether the editor's keys for folding, by their positions, fold (true) or unfold (false); undefined for
 * other keys.
 */
export function foldOf(
  { metaKey, altKey, ctrlKey, shiftKey, code }: KeyboardEvent,
  mac: boolean,
): boolean | undefined {
  const [held, others] = mac
    ? [metaKey && altKey, ctrlKey || shiftKey]
    : [ctrlKey && shiftKey, metaKey || altKey];
  return held && !others && /^Bracket(Left|Right)$/.test(code) ? code === "BracketLeft" : undefined;
}

/** Whether this is a Mac. */
export const isMac = /^Mac/.test(globalThis.navigator?.platform ?? "");

/** The position, from 0, of the digit on a key, also on keyboards with digits on the Shift level; 0 is the tenth. */
function digitOf(event: KeyboardEvent): number | undefined {
  const typed = /^[0-9]$/.exec(event.key)?.[0];
  const printed = event.shiftKey ? undefined : /^Digit([0-9])$/.exec(event.code)?.[1];
  const digit = typed ?? printed;
  return digit === undefined ? undefined : (Number(digit) || 10) - 1;
}

/** The digit for a position from 0; empty after the tenth. */
export function digitAt(index: number): string {
  return index < 10 ? String((index + 1) % 10) : "";
}

/**
 * The index to which an arrow key, Home or End leads in a row or column, from `index`; undefined for any
 * other key.
 */
export function moved(
  key: string,
  index: number,
  last: number,
  [back, forth]: readonly [string, string] = ["ArrowUp", "ArrowDown"],
): number | undefined {
  const goals: Record<string, number> = {
    [forth]: index === last ? 0 : index + 1,
    [back]: index === 0 ? last : index - 1,
    Home: 0,
    End: last,
  };
  return goals[key];
}

/** Finds items by the beginnings of their labels. */
export class Typeahead {
  /** The beginning typed so far, and the time of its last letter. */
  private typed = "";
  private typedAt = Number.NEGATIVE_INFINITY;

  /**
   * The index to which a key leads from `index`. Repeating a letter leads to the next item that begins with
   * it.
   */
  find(
    { key, timeStamp }: KeyboardEvent,
    named: readonly { label: string }[],
    index: number,
  ): number | undefined {
    if (!/^[^\s\d]$/u.test(key)) {
      return undefined;
    }
    const letter = key.toLocaleLowerCase();
    const labels = named.map(({ label }) => label.toLocaleLowerCase());
    const find = (beginning: string, from: number) =>
      labels.map((_, step) => (from + step) % labels.length).find((at) => labels[at]?.startsWith(beginning));
    const goesOn = timeStamp - this.typedAt < 1000 && this.typed !== letter;
    this.typedAt = timeStamp;
    const longer = goesOn ? find(this.typed + letter, index) : undefined;
    this.typed = longer === undefined ? letter : this.typed + letter;
    return longer ?? find(letter, index + 1);
  }
}

/** Whether keys type into this element. */
export function isTextBox(element: Element | null): boolean {
  return (
    element instanceof HTMLTextAreaElement ||
    (element instanceof HTMLInputElement && !["radio", "checkbox"].includes(element.type))
  );
}

/** Whether the key is Enter outside an input method's composition, which older engines mark by the code 229. */
export function isEnter(event: KeyboardEvent): boolean {
  return event.key === "Enter" && !event.isComposing && event.keyCode !== 229;
}

/** The id of the card that contains an element; undefined if no card does. */
export function cardIdOf(element: Element | null): string | undefined {
  return element?.closest<HTMLElement>("followup-card")?.dataset.id;
}

/**
 * The card that digits answer: the focused one or, without focus or after its answer, the only one that is
 * pending and not folded. `focused` is the focused card's id: null if nothing has the focus, undefined if an
 * element outside the cards has it.
 */
export function digitTarget(
  cards: readonly Card[],
  focused: string | null | undefined,
  folded: ReadonlySet<string> = new Set(),
): string | undefined {
  const pending = cards.filter(({ id, phase }) => phase === "pending" && !folded.has(id));
  const asksOnly = focused === null || cards.some(({ id, answeredHere }) => id === focused && answeredHere);
  const [target, ...others] = asksOnly ? pending : pending.filter(({ id }) => id === focused);
  return others.length === 0 ? target?.id : undefined;
}

/** The next card that can be answered after the one with that id, otherwise the first one. */
export function nextPending(cards: readonly Card[], id?: string): Card | undefined {
  const at = cards.findIndex((card) => card.id === id);
  return [...cards.slice(at + 1), ...cards.slice(0, at + 1)].find(({ phase }) => phase === "pending");
}
