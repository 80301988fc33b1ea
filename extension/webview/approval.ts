// Requests for permission: what a decision sends, and which requests look alike.

import type { Approval, Choice } from "../src/protocol.gen";
import type { Card } from "./cards";

/**
 * Identifies the request that the user sees with an option, for the sidecar to check: the SHA-256 of netstrings. Undefined where the page has no
 * secure context, and nothing can be allowed.
 */
export async function digestOf({ subject }: Approval, option: Choice): Promise<string | undefined> {
  const { kind, text, cwd, path, before, after, name, otherArguments } = subject;
  const encoder = new TextEncoder();
  const parts = [
    kind,
    text,
    cwd,
    path,
    before,
    after,
    name,
    otherArguments,
    option.id,
    option.kind,
    option.label,
  ];
  const bytes = parts.flatMap((part = "") => {
    const encoded = encoder.encode(part);
    return [encoder.encode(`${encoded.length}:`), encoded, encoder.encode(",")];
  });
  const digest = await globalThis.crypto.subtle?.digest("SHA-256", await new Blob(bytes).arrayBuffer());
  return digest && Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The text sent with a decision on a plan: each comment below its passage, and the user's words. */
export function commented(words: string, comments: readonly { passage: string; text: string }[]): string {
  const quoted = comments
    .filter(({ text }) => text.trim() !== "")
    .map(({ passage, text }) => `${passage.trim().replace(/^/gm, "> ")}\n\n${text.trim()}`);
  return [...quoted, words.trim()].filter(Boolean).join("\n\n");
}

/** The open requests that a user may mistake for the card's, in order, including the card's own. */
export function alike(cards: readonly Card[], card: Card): readonly Card[] {
  if (card.approval === undefined) {
    return [];
  }
  const looks = looksOf(card.approval);
  return cards.filter(
    ({ approval, phase }) => phase !== "closed" && approval !== undefined && looksOf(approval) === looks,
  );
}

/** What a user notices of a request: its letters and digits, without spaces and other characters between them. */
function looksOf({ subject }: Approval): string {
  const { kind, text = "", path = "", before = "", after = "", name = "" } = subject;
  return [kind, text, path, before, after, name]
    .map((part) =>
      part
        .normalize("NFKC")
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]/gu, ""),
    )
    .join(" ");
}
