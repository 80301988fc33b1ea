// Files of the editor's that the user drops on a card: the page has their addresses, the host reads them.

import type { EditorFile, HostMessage, ViewMessage } from "./boundary";
import { limits } from "./images/plan";

/** Asks the host for files. */
export class EditorFiles {
  private readonly waiting = new Map<number, (files: EditorFile[]) => void>();
  private count = 0;

  constructor(private readonly post: (message: ViewMessage) => void) {}

  /** What the files are; of the images among them at most `room` are read. */
  read(uris: readonly string[], room: number): Promise<EditorFile[]> {
    const request = ++this.count;
    return new Promise((resolve) => {
      this.waiting.set(request, resolve);
      this.post({ type: "readFiles", request, uris: [...uris], room, bytes: limits.fileBytes });
    });
  }

  /** Takes what the host has read. */
  receive({ request, files }: Extract<HostMessage, { type: "files" }>): void {
    this.waiting.get(request)?.(files);
    this.waiting.delete(request);
  }
}
