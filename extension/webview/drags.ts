// What is dragged over the page. The editor lets a drag into a webview only while Shift is held, and the page learns of it only
// then; so the cards say it as soon as they can, and go on saying it when the key is let go.

import { mayHoldFiles } from "./dropped";
import { isTextBox } from "./keys";

/**
 * Follows drags at the document, before the editor's frame, which would tell the editor of them and have it keep them from the
 * page. `data-dragging` at the page's root tells the cards that something they may take is dragged.
 */
export function followDrags(): void {
  const root = document.documentElement;
  const show = (dragging: boolean) => root.toggleAttribute("data-dragging", dragging);
  const take = (event: DragEvent) => {
    if (mayHoldFiles(event.dataTransfer)) {
      // Also beside a card, where it would take the place of the page.
      event.preventDefault();
      event.stopPropagation();
      return true;
    }
    if (event.target instanceof Element && isTextBox(event.target)) {
      event.stopPropagation(); // text goes where the browser puts it
    } else {
      event.preventDefault();
    }
    return false;
  };
  document.addEventListener("dragenter", (event) => show(take(event)));
  document.addEventListener("dragover", (event) => show(take(event)));
  document.addEventListener("drop", (event) => {
    take(event);
    show(false);
  });
  document.addEventListener("dragleave", ({ relatedTarget, clientX, clientY }) => {
    const inside = clientX > 0 && clientY > 0 && clientX < innerWidth - 1 && clientY < innerHeight - 1;
    if (relatedTarget === null && !inside) {
      show(false);
    }
  });
  // There are none while something is dragged.
  document.addEventListener("pointermove", () => show(false));
}
