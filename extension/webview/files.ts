// Files that are dragged, dropped or named behind an @. Of those in the editor's explorer and tabs the page gets only the addresses.

import { isTextBox } from "./keys";

/** The formats in which the editor names what is dragged in it, the best first; text/uri-list is what other programs use, too. */
const lists = ["application/vnd.code.uri-list", "resourceurls", "text/uri-list"] as const;

/** Whether files may be in what is dragged; what it holds is not told before it is dropped. */
export function mayHoldFiles(data: DataTransfer | null): boolean {
  const types = data?.types ?? [];
  return types.includes("Files") || lists.some((type) => types.includes(type));
}

/** The addresses of the editor's files, each once; web pages are none. */
export function urisIn(data: DataTransfer | null): string[] {
  for (const type of lists) {
    const uris = listed(type, data?.getData(type) ?? "").filter((uri) => /^[a-z][a-z\d+.-]*:/i.test(uri));
    const files = uris.filter((uri) => !/^(https?|data|blob|javascript|mailto|command):/i.test(uri));
    if (files.length > 0) {
      return [...new Set(files)];
    }
  }
  return [];
}

function listed(type: (typeof lists)[number], written: string): string[] {
  if (type !== "resourceurls") {
    // https://www.rfc-editor.org/rfc/rfc2483#section-5: a line that begins with # is a comment.
    return written.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  }
  try {
    const uris: unknown = JSON.parse(written);
    return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
  } catch {
    return [];
  }
}

/** Paths of files as they are written into a text, with the space that the text before them needs. */
export function pathsText(paths: readonly string[], before: string): string {
  const words = paths.map((path) => (/\s/.test(path) ? `\`${path}\`` : path)).join(" ");
  return `${before === "" || /\s$/.test(before) ? "" : " "}${words}`;
}

const longestName = 100;

/** A name that the user types behind an @. */
export interface Mention {
  start: number;
  /** What stands behind it, up to the cursor. */
  text: string;
}

/** The mention that ends at the cursor; undefined where there is none. An @ in a word, as in an address, begins none. */
export function mentionAt(text: string, cursor: number): Mention | undefined {
  const before = text.slice(Math.max(0, cursor - longestName - 2), cursor);
  const found = /(?:^|[\s([{"'“‘«（【《，、。：；])@([^\s@]*)$/u.exec(before)?.[1];
  return found === undefined || found.length > longestName
    ? undefined
    : { start: cursor - found.length - 1, text: found };
}

/**
 * Follows drags before the editor's frame takes them. `data-dragging` at the root lets cards mention Shift, without which the editor keeps
 * a drag from a webview.
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
