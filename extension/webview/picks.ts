// The user's picks for each question of a card: in the draft, and as they are sent.

import type * as protocol from "../src/protocol.gen";
import { type Draft, isAttached, isBegun } from "./answer";
import { hasPreviews, type Part } from "./parts";

/** The draft for the question at `index`. */
export function pickAt(draft: Draft | undefined, index: number): protocol.PickDraft {
  return draft?.picks?.[index] ?? {};
}

/** The draft with another pick for the question at `index`, of `count`. */
export function repicked(
  draft: Draft,
  count: number,
  index: number,
  next: (pick: protocol.PickDraft) => protocol.PickDraft,
): Draft {
  const pick = (at: number) => (at === index ? next(pickAt(draft, at)) : pickAt(draft, at));
  return { ...draft, picks: Array.from({ length: count }, (_, at) => pick(at)) };
}

/**
 * The pick that a form's fields contain. `typed` means that the own words have just changed, which chooses
 * them. Typed words are kept when the user makes another choice.
 */
export function filledIn(
  pick: protocol.PickDraft,
  form: FormData,
  typed: boolean,
  multiSelect: boolean,
): protocol.PickDraft {
  const chosen = form.getAll("option");
  const [other = "", notes] = ["other", "notes"].map((name) => form.get(name)?.toString());
  const otherChosen = typed ? other !== "" : chosen.includes("other");
  const options = chosen.flatMap((value) => (value === "other" ? [] : [Number(value)]));
  return {
    ...pick,
    options: otherChosen && !multiSelect ? [] : options,
    otherChosen,
    ...(other !== "" || pick.other !== undefined ? { other } : {}),
    ...(notes === undefined ? {} : { notes }),
  };
}

/** The pick without its choice; typed words are kept. */
export function leftOut(pick: protocol.PickDraft): protocol.PickDraft {
  return { ...pick, options: [], otherChosen: false };
}

/** The pick to send for a question. */
export function toPick(pick: protocol.PickDraft, part: Part): protocol.Pick {
  const other = pick.otherChosen && pick.other?.trim() ? { other: pick.other } : {};
  const inRange = part.options.flatMap((_, option) => (pick.options?.includes(option) ? [option] : []));
  const options = part.multiSelect ? inRange : "other" in other ? [] : inRange.slice(0, 1);
  return {
    ...(options.length > 0 ? { options } : {}),
    ...other,
    ...(pick.notes?.trim() ? { notes: pick.notes } : {}),
  };
}

/** The picks to send, one per question. */
export function picksOf(draft: Draft | undefined, parts: readonly Part[]): protocol.Pick[] {
  return parts.map((part, index) => toPick(pickAt(draft, index), part));
}

/** Whether the question is answered: by an option or by own words. */
export function isAnswered({ options = [], other = "" }: protocol.Pick): boolean {
  return options.length > 0 || other !== "";
}

/** Whether the picks can be sent as an answer: at least one is not empty, or something is attached. */
export function isSubmittable(draft: Draft, parts: readonly Part[]): boolean {
  const isGiven = (pick: protocol.Pick) => isAnswered(pick) || pick.notes !== undefined;
  return isAttached(draft) || picksOf(draft, parts).some(isGiven);
}

/**
 * Whether a click on an option sends the answer: there is one single choice without previews, and no note or
 * text was begun.
 */
export function isInstant(draft: Draft | undefined, parts: readonly Part[]): boolean {
  const [part, ...others] = parts;
  const isSimple = part && others.length === 0 && !part.multiSelect && !hasPreviews(part);
  const pick = pickAt(draft, 0);
  return isSimple === true && pick.notes === undefined && !isBegun(pick) && !draft?.replying;
}

/** The step of the questionnaire that is shown: a question, or one past the last for the review. */
export function stepOf(draft: Draft | undefined, parts: readonly Part[]): number {
  return Math.max(0, Math.min(draft?.step ?? 0, lastStep(parts)));
}

/** The last step: the review, or the question if there is only one. */
export function lastStep(parts: readonly Part[]): number {
  return parts.length > 1 ? parts.length : 0;
}
