// The user's draft, and the answer made from it.

import type { AnswerParams, DraftImage, PickDraft, Quote, Draft as SavedDraft } from "../src/protocol.gen";
import type { Choice } from "./parts";

/** An image from the user: base64 without a data: prefix. */
export interface AnswerImage extends DraftImage {
  mimeType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  data: string;
}

/** The user's draft for a question: the protocol's, with text and images always present. */
export interface Draft extends SavedDraft {
  text: string;
  images: AnswerImage[];
}

/** An answer to a question. */
export type Answer = Omit<AnswerParams, "questionId">;

/** What the user sends: an answer, the picks of a questionnaire, or a reply. */
export type Sent = Partial<Answer>;

export const emptyDraft: Draft = { text: "", images: [] };

/** The types of images that an answer can contain. */
export const imageTypes: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** Returns a saved draft with the data of its images, which are looked up among the known ones. */
export function restored(draft: SavedDraft, known: readonly DraftImage[] = []): Draft {
  const images = (draft.images ?? []).flatMap((image) => {
    const same = known.find(
      ({ data, hash }) => data !== undefined && hash !== undefined && hash === image.hash,
    );
    const data = image.data ?? same?.data;
    return data !== undefined && imageTypes.includes(image.mimeType)
      ? [{ ...image, data } as AnswerImage]
      : [];
  });
  return { ...draft, text: draft.text ?? "", images };
}

/** Whether the draft has nothing that the user would miss. */
export function isEmpty(draft: Draft): boolean {
  return wordsOf(draft) === "" && !isAttached(draft) && !draft.picks?.some(isBegun);
}

/** Whether the user would miss something of this question's draft. */
export function isBegun({ options = [], other, otherChosen, notes }: PickDraft): boolean {
  return Boolean(options.length > 0 || otherChosen || other || notes);
}

/** All words of a draft, as one text. */
export function wordsOf({ text = "", picks = [], comments = [] }: SavedDraft): string {
  const own = picks.flatMap(({ other = "", notes = "" }) => [other, notes]);
  return [text, ...own, ...comments.map((comment) => comment.text)]
    .filter((words) => words.trim() !== "")
    .join("\n\n");
}

/** Whether the draft has attachments. */
export function isAttached({ images, quotes = [] }: Draft): boolean {
  return images.length > 0 || quotes.length > 0;
}

/** Whether the draft can be sent: blank text without attachments is not an answer. */
export function isSendable(draft: Draft): boolean {
  return draft.text.trim() !== "" || isAttached(draft);
}

/** The maximum number of quotes in an answer. */
export const mostQuotes = 20;

/** The draft with added quotes, without duplicates, and the number of quotes beyond the limit. */
export function withQuotes(draft: Draft, added: readonly Quote[]): { draft: Draft; left: number } {
  const all = [...(draft.quotes ?? []), ...added];
  const first = ({ label, text }: Quote) =>
    all.findIndex((each) => each.label === label && each.text === text);
  const quotes = all.filter((quote, index) => first(quote) === index);
  const left = Math.max(0, quotes.length - mostQuotes);
  return { draft: { ...draft, quotes: quotes.slice(0, mostQuotes) }, left };
}

/** Whether there are words in addition to the chosen suggestion, rather than an edited one. */
export function goesAlong({ text, suggestion }: Draft): boolean {
  return suggestion === undefined && text.trim() !== "";
}

/** The answer of a click on a suggestion, with the user's text and attachments. */
export function clicked(suggestion: number, draft: Draft = emptyDraft): Answer {
  const words = goesAlong(draft) ? { text: draft.text } : {};
  return { provenance: "clicked", suggestion, ...words, ...attached(draft) };
}

/** The answer of the draft, with its text unchanged; null if it cannot be sent. */
export function composed(draft: Draft, suggestions: readonly Choice[]): Answer | null {
  if (!isSendable(draft)) {
    return null;
  }
  const { text, suggestion, mode } = draft;
  const origin = suggestions[suggestion ?? -1];
  if (suggestion === undefined || origin === undefined) {
    return { provenance: "typed", text, ...attached(draft) };
  }
  return text === origin.label && (mode ?? "") === (origin.mode ?? "")
    ? clicked(suggestion, draft)
    : { provenance: "edited", suggestion, text, ...(mode && { mode }), ...attached(draft) };
}

/** The draft after the user changed the text. An empty text box no longer belongs to a suggestion. */
export function retyped(draft: Draft, text: string): Draft {
  return text === "" ? withoutSuggestion(draft, text) : { ...draft, text };
}

/** The draft with a text that does not come from a suggestion. */
export function withoutSuggestion(draft: Draft, text: string): Draft {
  const { suggestion: _suggestion, mode: _mode, ...rest } = draft;
  return { ...rest, text };
}

/** The attachments; absent if there are none. File names are not sent. */
export function attached({ images, quotes = [] }: Draft): Pick<Answer, "images" | "quotes"> {
  const sent = images.map(({ mimeType, data }) => ({ mimeType, data }));
  return { ...(sent.length > 0 && { images: sent }), ...(quotes.length > 0 && { quotes }) };
}
