// The page's entry inside a conversation.

import { startView } from "../views";
import { ChatHost } from "./host";

/** Starts the page; `key` is the one that the server has put into it. */
export function startChat(key: string): void {
  document.documentElement.classList.add("chat");
  startView(new ChatHost(key).link);
}
