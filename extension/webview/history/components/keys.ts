// What the keys do in the history.

/** What a key stands for. */
export type RowAct =
  | { do: "escape" | "search" | "enterList" | "undo" | "selectAll" | "delete" | "copy" }
  | { do: "move"; to: "next" | "previous" | "first" | "last"; extend: boolean }
  /** Shows details or hides them; without `open`, the other way than now. */
  | { do: "open"; open?: boolean }
  | { do: "select"; extend: boolean };

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

const moves = { ArrowDown: "next", ArrowUp: "previous", Home: "first", End: "last" } as const;

/** What a key stands for at a place; undefined where it is not the history's. */
export function rowAct(event: KeyboardEvent, place: Place): RowAct | undefined {
  const { key, shiftKey } = event;
  if (event.altKey) {
    return undefined;
  }
  if (event.ctrlKey || event.metaKey) {
    if (shiftKey) {
      return undefined;
    }
    return place.text && !place.empty ? undefined : command(key.toLowerCase(), place.row);
  }
  if (key === "Escape") {
    return { do: "escape" };
  }
  if (place.search) {
    return key === "ArrowDown" || key === "Enter" ? { do: "enterList" } : undefined;
  }
  if (place.text) {
    return undefined;
  }
  if (key === "/") {
    return { do: "search" };
  }
  return place.row ? rowKey(key, shiftKey) : undefined;
}

function command(key: string, row: boolean): RowAct | undefined {
  switch (key) {
    case "z":
      return { do: "undo" };
    case "a":
      return row ? { do: "selectAll" } : undefined;
    case "c":
      return row ? { do: "copy" } : undefined;
    default:
      return undefined;
  }
}

function rowKey(key: string, shift: boolean): RowAct | undefined {
  if (Object.hasOwn(moves, key)) {
    return { do: "move", to: moves[key as keyof typeof moves], extend: shift };
  }
  switch (key) {
    case "Enter":
      return { do: "open" };
    case "ArrowRight":
      return { do: "open", open: true };
    case "ArrowLeft":
      return { do: "open", open: false };
    case " ":
      return { do: "select", extend: shift };
    case "Delete":
    case "Backspace":
      return { do: "delete" };
    default:
      return undefined;
  }
}
