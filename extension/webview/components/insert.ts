// Puts text into text boxes, as if the user had typed it.

/**
 * The longest text that is inserted as if typed, so that the user can undo it. For 50,000 characters the
 * browser takes a second.
 */
const undoableLength = 5_000;

/** Inserts text at the cursor of the focused box; the box reports it like typing. */
export function insertText(box: HTMLTextAreaElement, text: string): void {
  // This is the only way to insert text into a box with undo; it is deprecated without a replacement.
  if (text.length > undoableLength || !document.execCommand("insertText", false, text)) {
    box.setRangeText(text, box.selectionStart, box.selectionEnd, "end");
    box.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
}

/** Inserts words at the text box's cursor, separated from the words around them, and focuses the box. */
export function insertWords(box: HTMLTextAreaElement | null, words: string): void {
  if (box !== null) {
    const { value, selectionStart, selectionEnd } = box;
    const before = selectionStart > 0 && !/\s$/.test(value.slice(0, selectionStart)) ? " " : "";
    const behind = selectionEnd < value.length && !/^\s/.test(value.slice(selectionEnd)) ? " " : "";
    box.focus();
    insertText(box, before + words + behind);
  }
}
