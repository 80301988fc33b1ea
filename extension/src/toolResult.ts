// What an agent's model is given of an answer: text and images, since models see nothing else of a tool's result.

import type { Answer } from "./protocol.gen";

/** One part of a tool's result. */
export type ResultPart =
  | { kind: "text"; text: string }
  | { kind: "image"; data: Uint8Array; mimeType: string };

/**
 * The parts in their order: the text, the images, and, where there is more to say, one JSON object as text. It begins on a
 * line of its own, since an agent may join neighbouring texts.
 */
export function resultParts({ text, images, structured }: Answer): ResultPart[] {
  const parts: ResultPart[] = [{ kind: "text", text }];
  for (const { data, mimeType } of images) {
    parts.push({ kind: "image", data: Buffer.from(data, "base64"), mimeType });
  }
  if (structured) {
    parts.push({ kind: "text", text: `\n${JSON.stringify(structured)}` });
  }
  return parts;
}
