// Handles paste, and drag and drop, for the whole page.

import { mayHoldFiles, urisIn } from "../files";
import { isTextBox } from "../keys";
import type { ImageIntake } from "./intake";

/** An element that accepts files. */
type Taker = Element & { readonly intake: ImageIntake };

/**
 * Passes pasted and dropped files to the element that accepts them, before the editor's frame gets the event.
 * `data-dragging` on the root element makes cards mention Shift: without it, the editor keeps a drag from a
 * webview.
 */
export function takeFiles(takerAt: (target: Element) => Taker | null | undefined): void {
  const takerOf = ({ target }: Event) => (target instanceof Element && takerAt(target)) || undefined;
  let over: Element | null | undefined;
  const show = (dragging: boolean, taker?: Taker) => {
    document.documentElement.toggleAttribute("data-dragging", dragging);
    over?.removeAttribute("data-drop");
    over = taker?.closest("followup-card");
    over?.setAttribute("data-drop", "");
  };
  const take = (taker: Taker | undefined, event: Event, data: DataTransfer | null) => {
    const files = [...(data?.files ?? [])];
    // A local file in the editor arrives both as a file and as a URI.
    const uris = files.length > 0 ? [] : urisIn(data);
    if (taker !== undefined && files.length + uris.length > 0) {
      event.preventDefault();
      void taker.intake.add(files, uris);
    }
  };
  const drag = (event: DragEvent) => {
    const { type, target, dataTransfer } = event;
    const files = mayHoldFiles(dataTransfer);
    const taker = files ? takerOf(event) : undefined;
    const inBox = target instanceof Element && isTextBox(target);
    if (files || inBox) {
      event.stopPropagation();
    }
    if (files || !inBox) {
      event.preventDefault(); // otherwise the browser inserts text; it would replace the page by a file that is dropped beside a card
    }
    show(files && type !== "drop", type === "dragover" ? taker : undefined);
    if (type === "drop") {
      take(taker, event, dataTransfer);
    } else if (taker !== undefined && dataTransfer !== null) {
      dataTransfer.dropEffect = "copy";
    }
  };
  for (const type of ["dragenter", "dragover", "drop"] as const) {
    document.addEventListener(type, drag);
  }
  document.addEventListener("dragleave", ({ relatedTarget, clientX, clientY }) => {
    const inside = clientX > 0 && clientY > 0 && clientX < innerWidth - 1 && clientY < innerHeight - 1;
    show((relatedTarget !== null || inside) && document.documentElement.hasAttribute("data-dragging"));
  });
  // No such event occurs during a drag.
  document.addEventListener("pointermove", () => show(false));
  document.addEventListener("paste", (event) => {
    const { target, clipboardData } = event;
    // A copy from a spreadsheet or a document contains a picture of the text, besides the text.
    if (!(isTextBox(target as Element) && clipboardData?.types.includes("text/plain"))) {
      take(takerOf(event), event, clipboardData);
    }
  });
}
