// From what the user has begun to the answer that is sent.

import type { Suggestion } from "../src/protocol.gen";
import type { CardAnswer, Draft } from "./boundary";

export const emptyDraft: Draft = { text: "", images: [] };

/** Whether there is nothing in the draft that the user could miss. */
export function isEmpty(draft: Draft): boolean {
  return draft.text === "" && draft.images.length === 0;
}

/** Whether the draft can be sent: blank text without an image is no answer. */
export function isSendable(draft: Draft): boolean {
  return draft.text.trim() !== "" || draft.images.length > 0;
}

/** The answer that a click on a suggestion gives; images that the user had added go along. */
export function clicked(suggestion: number, draft: Draft = emptyDraft): CardAnswer {
  return { provenance: "clicked", suggestion, ...images(draft) };
}

/** The answer that the draft gives, with its text exactly as it is; null when it cannot be sent. */
export function composed(draft: Draft, suggest: readonly Suggestion[]): CardAnswer | null {
  if (!isSendable(draft)) {
    return null;
  }
  const origin = draft.suggestion === undefined ? undefined : suggest[draft.suggestion];
  if (draft.suggestion === undefined || origin === undefined) {
    return { provenance: "typed", text: draft.text, ...images(draft) };
  }
  if (draft.text === origin.answer && (draft.mode ?? "") === (origin.mode ?? "")) {
    return clicked(draft.suggestion, draft);
  }
  const mode = draft.mode ? { mode: draft.mode } : {};
  return { provenance: "edited", suggestion: draft.suggestion, text: draft.text, ...mode, ...images(draft) };
}

/** The draft after the user's text changed. An empty text box has forgotten the suggestion that was in it. */
export function retyped(draft: Draft, text: string): Draft {
  return text === "" ? { text, images: draft.images } : { ...draft, text };
}

function images(draft: Draft): Pick<CardAnswer, "images"> {
  return draft.images.length > 0 ? { images: draft.images } : {};
}
