// Takes files that are pasted onto an element or dropped on it.

import { mayHoldFiles, urisIn } from "../dropped";
import { filesOf } from "./intake";

/** What files go to. */
interface Taker {
  /** Adds images among the files, and the paths of others that the editor has by these URIs. */
  addFiles(files: readonly File[], uris: readonly string[]): Promise<void>;
}

/** Has what is pasted or dropped go to the taker of the moment; where there is none, it is left to others. */
export function takeDrops(element: HTMLElement, taker: () => Taker | null): void {
  const take = (event: Event, data: DataTransfer | null) => {
    element.removeAttribute("data-drop");
    const files = filesOf(data);
    // A file of the editor's on this machine comes in both ways.
    const uris = files.length > 0 ? [] : urisIn(data);
    const to = files.length + uris.length > 0 ? taker() : null;
    if (to !== null) {
      event.preventDefault();
      void to.addFiles(files, uris);
    }
  };
  element.addEventListener("paste", (event) => take(event, event.clipboardData));
  element.addEventListener("drop", (event) => take(event, event.dataTransfer));
  element.addEventListener("dragleave", () => element.removeAttribute("data-drop"));
  element.addEventListener("dragover", (event) => {
    if (event.dataTransfer && mayHoldFiles(event.dataTransfer) && taker() !== null) {
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      element.setAttribute("data-drop", "");
    }
  });
}
