// What the keys do in the history.

/** What a key stands for. */
export type RowAct =
  | { do: "escape" | "search" | "enterList" | "undo" | "selectAll" | "select" | "delete" | "copy" }
  | { do: "move"; to: "next" | "previous" | "first" | "last" }
  /** Shows details or hides them; without `open`, the other way than now. */
  | { do: "open"; open?: boolean };

/** Where the keyboard focus is. */
export interface Place {
  /** On a row itself. */
  row: boolean;
  /** In any text box. */
  text: boolean;
  /** In the search box. */
  search: boolean;
  /** In a text box that holds nothing, and so nothing of its own to undo. */
  empty: boolean;
}

type Keys = Readonly<Record<string, RowAct>>;

/** On a row. */
const rowKeys: Keys = {
  ArrowDown: { do: "move", to: "next" },
  ArrowUp: { do: "move", to: "previous" },
  Home: { do: "move", to: "first" },
  End: { do: "move", to: "last" },
  Enter: { do: "open" },
  ArrowRight: { do: "open", open: true },
  ArrowLeft: { do: "open", open: false },
  " ": { do: "select" },
  Delete: { do: "delete" },
  Backspace: { do: "delete" },
};

/** With Ctrl or Command. */
const commands: Keys = { z: { do: "undo" } };
const rowCommands: Keys = { ...commands, a: { do: "selectAll" }, c: { do: "copy" } };

const searchKeys: Keys = { ArrowDown: { do: "enterList" }, Enter: { do: "enterList" } };

/** What a key stands for at a place; undefined where it is not the history's. */
export function rowAct(event: KeyboardEvent, place: Place): RowAct | undefined {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  const command = ctrlKey || metaKey;
  const find = (keys: Keys, name = key) => (Object.hasOwn(keys, name) ? keys[name] : undefined);
  if (altKey || (command && (shiftKey || (place.text && !place.empty)))) {
    return undefined;
  }
  if (command) {
    return find(place.row ? rowCommands : commands, key.toLowerCase());
  }
  if (key === "Escape") {
    return { do: "escape" };
  }
  if (place.text) {
    return place.search ? find(searchKeys) : undefined;
  }
  return key === "/" ? { do: "search" } : place.row ? find(rowKeys) : undefined;
}
