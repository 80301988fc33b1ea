// From what the user has begun to the answer that is sent.

import type { Draft as SavedDraft, Suggestion } from "../src/protocol.gen";
import type { AnswerImage, CardAnswer, Draft } from "./boundary";
import { isBegun } from "./picks";

export const emptyDraft: Draft = { text: "", images: [] };

const imageTypes: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** The draft as the interface has it, from one that was kept elsewhere. */
export function restored(draft: SavedDraft): Draft {
  const isImage = (image: { mimeType: string }): image is AnswerImage => imageTypes.includes(image.mimeType);
  return { ...draft, text: draft.text ?? "", images: (draft.images ?? []).filter(isImage) };
}

/** Whether there is nothing in the draft that the user could miss. */
export function isEmpty(draft: Draft): boolean {
  return draft.text === "" && draft.images.length === 0 && !draft.picks?.some(isBegun);
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
  return text === "" ? withoutSuggestion(draft, text) : { ...draft, text };
}

/** The draft with that text and no suggestion that it came from. */
export function withoutSuggestion(draft: Draft, text: string): Draft {
  const { suggestion: _suggestion, mode: _mode, ...rest } = draft;
  return { ...rest, text };
}

/** The images to send along; absent when there are none. */
export function images(draft: Draft): { images?: AnswerImage[] } {
  return draft.images.length > 0 ? { images: draft.images } : {};
}
