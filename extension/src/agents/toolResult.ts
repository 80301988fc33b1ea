// What an agent's model is given of an answer: text and images, since models see nothing else of a tool's result.

import type { Answer } from "../protocol.gen";

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
    // Viewers of logs look for "question"="answer" in a result: a text that is an equals sign must not look like one.
    const json = JSON.stringify(structured).replaceAll('"="', '"\\u003d"');
    parts.push({ kind: "text", text: `\n${json}` });
  }
  return parts;
}
