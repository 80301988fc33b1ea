// The keys that work everywhere in the view, and which card the digits answer. What belongs to one component is handled there.

import type { Card } from "./cards";

/**
 * Handles keys before the editor's frame, which passes every key to the editor. Keys that the page uses stop here, and text editing is done
 * here: an editor that does not know of the page's focus would undo or select in its open file.
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

/** The editing command of a key, by the code of its Latin letter, which the editor goes by too; undefined for other keys. */
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
 * What a key means outside a component, a digit by its place from 0; `inText` says that it goes into a text box. With nothing to type
 * into, a letter is part of a word that lost its box.
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

/** Whether the editor's own keys for folding, by their places, fold (true) or unfold (false); undefined for other keys. */
export function foldOf(
  { metaKey, altKey, ctrlKey, shiftKey, code }: KeyboardEvent,
  mac: boolean,
): boolean | undefined {
  const [held, others] = mac
    ? [metaKey && altKey, ctrlKey || shiftKey]
    : [ctrlKey && shiftKey, metaKey || altKey];
  return held && !others && /^Bracket(Left|Right)$/.test(code) ? code === "BracketLeft" : undefined;
}

/** Whether the keyboard is a Mac's. */
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

/** Where an arrow key, Home or End leads among things in a row or column, from the one at `index`; undefined for any other key. */
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

/** Finds things by the beginnings of their labels. */
export class Typeahead {
  /** The beginning that the user types, and when they typed its last letter. */
  private typed = "";
  private typedAt = Number.NEGATIVE_INFINITY;

  /** The one that a key leads to from the one at `index`. The same letter again leads to the next one that begins with it. */
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

/** Whether keys go into a text box. */
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

/** The id of the card that holds an element; undefined where no card does. */
export function cardIdOf(element: Element | null): string | undefined {
  return element?.closest<HTMLElement>("followup-card")?.dataset.id;
}

/**
 * The card that digits choose from: the focused one or, without focus or after its answer, the only one that is pending and not folded.
 * `focused` is the focused card's id: null where nothing has the focus, undefined where something beside the cards has it.
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

/** The card that can be answered after the one with that id: the next on the page, else the first. */
export function nextPending(cards: readonly Card[], id?: string): Card | undefined {
  const at = cards.findIndex((card) => card.id === id);
  return [...cards.slice(at + 1), ...cards.slice(0, at + 1)].find(({ phase }) => phase === "pending");
}
