// Questions and images that the tests use.

import type { Suggestion } from "../../src/protocol.gen";
import type { AnswerImage, CardMeta, CardState, HostMessage } from "../../webview/boundary";

/** What the first example of the specification asks, with a mode at its last suggestion. */
export const styling: { question: string; suggest: Suggestion[] } = {
  question: "Which styling approach would you prefer for this web application?",
  suggest: [
    { answer: "Use Bootstrap for rapid development with consistent components" },
    { answer: "Use Tailwind CSS for utility-first styling with maximum flexibility" },
    {
      answer: "Use vanilla CSS with custom styling for complete control and minimal dependencies",
      mode: "architect",
    },
  ],
};

/** A message that shows a question. */
export function ask(
  id: string,
  state: CardState = "pending",
  more: Partial<CardMeta> & { payload?: typeof styling } = {},
): HostMessage {
  const { payload = styling, ...meta } = more;
  return {
    type: "ask",
    ask: "followup",
    payload,
    meta: { id, agent: "Roo Code", state, askedAt: Date.UTC(2026, 2, 14, 15, 9), order: 1, ...meta },
  };
}

/** A request for guidance, as ask's third argument. */
export const guidance = {
  payload: {
    question:
      "Roo Code tried to ask you something, but its last 3 calls could not be read. What should it do?",
    suggest: [],
  },
  guidance: {
    consecutiveMistakes: 3,
    error: { code: "missing_parameter", message: "Missing required parameter 'question'" },
  },
};

/** A PNG of one pixel. */
export const onePixel: AnswerImage = {
  mimeType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  name: "pixel.png",
};

/** An image file as a file button gives it. */
export interface ImageFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** The PNG of one pixel as a file. */
export function pixelFile(name = "pixel.png"): ImageFile {
  return { name, mimeType: "image/png", buffer: Buffer.from(onePixel.data, "base64") };
}
