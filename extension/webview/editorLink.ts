// The link of a page in the editor: messages to and from the extension host.

import { Link } from "./link";

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

/** Connects the page; called once. */
export function editorLink(): Link {
  const api = acquireVsCodeApi();
  const link = new Link((message) => {
    api.postMessage(message);
    return true;
  });
  window.addEventListener("message", ({ data }) => link.receive(data));
  return link;
}
