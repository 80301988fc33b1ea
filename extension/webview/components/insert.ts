// Puts text into text boxes, as if the user had typed it.

/** The longest text that goes into a box as if typed, so that undo takes it back; the browser takes a second for 50,000 characters. */
const undoableLength = 5_000;

/** Inserts text at the cursor of the focused box; the box reports it like typing. */
export function insertText(box: HTMLTextAreaElement, text: string): void {
  // The only way to insert text into a box with undo; there is no successor to it.
  if (text.length > undoableLength || !document.execCommand("insertText", false, text)) {
    box.setRangeText(text, box.selectionStart, box.selectionEnd, "end");
    box.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
}

/** Puts words into the text box at its cursor, apart from those before and behind, and gives it the keyboard focus. */
export function insertWords(box: HTMLTextAreaElement | null, words: string): void {
  if (box !== null) {
    const { value, selectionStart, selectionEnd } = box;
    const before = selectionStart > 0 && !/\s$/.test(value.slice(0, selectionStart)) ? " " : "";
    const behind = selectionEnd < value.length && !/^\s/.test(value.slice(selectionEnd)) ? " " : "";
    box.focus();
    insertText(box, before + words + behind);
  }
}
