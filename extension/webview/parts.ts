// The questions of a card, and the draft of each. A followup is one question whose options are its suggestions.

import type * as protocol from "../src/protocol.gen";
import { type Draft, isAttached } from "./answer";

/** An option or a suggestion. */
export interface Choice extends protocol.Option {
  /** The mode that the agent switches to with a suggestion. */
  readonly mode?: string;
  readonly rendered?: protocol.RenderedOption;
}

/** A question, with its Markdown; that is absent while it streams. */
export interface Part extends Readonly<protocol.Question> {
  readonly options: Choice[];
  readonly rendered?: Pick<protocol.RenderedQuestion, "question" | "plainQuestion">;
}

const emptyPart: Part = { question: "", header: "", options: [], multiSelect: false };

/** The questions of a payload. */
export function partsOf(payload: protocol.Payload, rendered: protocol.Rendered | undefined): Part[] {
  if ("suggest" in payload) {
    return [
      { ...emptyPart, question: payload.question, options: payload.suggest.map(suggestionChoice), rendered },
    ];
  }
  if ("subject" in payload) {
    const { title, subject } = payload;
    const shown = subject.kind === "edit" ? rendered?.path : (rendered?.subject ?? [{ text: subject.text }]);
    const nodes = shown ?? [{ text: subject.path }];
    const question =
      subject.kind === "plan" ? nodes.map((block) => exact([block])).join(" ") : `${title}: ${exact(nodes)}`;
    return [{ ...emptyPart, question }];
  }
  return payload.questions.map((question, index) => {
    const markup = rendered?.questions?.[index];
    const options = question.options.map((option, at) => ({ ...option, rendered: markup?.options[at] }));
    return { ...question, options, rendered: markup };
  });
}

/** The nodes as text, with hidden characters made visible. */
function exact(nodes: readonly protocol.MarkdownNode[]): string {
  return nodes
    .map(({ kind, text = "", nodes: inside = [] }) =>
      kind === "control" ? `‹${text}›` : text + exact(inside),
    )
    .join("");
}

function suggestionChoice({ answer, mode }: protocol.Suggestion): Choice {
  return { label: answer, description: "", mode };
}

/** The questions with their new parts. */
export function growParts(
  parts: readonly Part[],
  { text: more, suggest, parts: growth }: protocol.InboxGrowth,
): Part[] {
  const grown = [...parts];
  const news = growth ?? [{ index: 0, text: more, options: suggest?.map(suggestionChoice) }];
  for (const { index, text = "", header, options = [], multiSelect = false } of news) {
    while (grown.length < index) {
      grown.push(emptyPart);
    }
    const part = grown[index] ?? emptyPart;
    grown[index] = {
      question: part.question + text,
      header: header ?? part.header,
      options: [...part.options, ...options],
      multiSelect: part.multiSelect || multiSelect,
    };
  }
  return grown;
}
/** How long a header is shown whole, in characters; the seed's limit for it. */
const chipLength = 12;

/** The header as a chip shows it. */
export function shortHeader(header: string): string {
  const characters = [...header];
  return characters.length <= chipLength ? header : `${characters.slice(0, chipLength - 1).join("")}…`;
}

/** An option's label without the mark of a recommendation at its end, and whether it had one. */
export function recommendation(label: string): { text: string; recommended: boolean } {
  const text = label.replace(/\s*[(（]recommended[)）]\s*$/i, "");
  return text === "" ? { text: label, recommended: false } : { text, recommended: text !== label };
}

/** Whether the part has so many options that they may not fit into the view. */
export function isMany(part: Part | undefined): boolean {
  return part !== undefined && part.options.length > 6;
}

/** Whether any option of the part has a preview. */
export function hasPreviews(part: Part): boolean {
  return part.options.some(({ preview }) => Boolean(preview));
}

/** The draft for the question at `index`. */
export function pickAt(draft: Draft | undefined, index: number): protocol.PickDraft {
  return draft?.picks?.[index] ?? {};
}

/** The draft with another beginning for the question at `index`, of `count`. */
export function repicked(
  draft: Draft,
  count: number,
  index: number,
  next: (pick: protocol.PickDraft) => protocol.PickDraft,
): Draft {
  const pick = (at: number) => (at === index ? next(pickAt(draft, at)) : pickAt(draft, at));
  return { ...draft, picks: Array.from({ length: count }, (_, at) => pick(at)) };
}

/** The pick of a form's fields; `typed`: own words were just changed, which chooses them. Typed words survive other choices. */
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

/** Removes the choice; typed words stay. */
export function leftOut(pick: protocol.PickDraft): protocol.PickDraft {
  return { ...pick, options: [], otherChosen: false };
}

/** Whether the user would miss something of it. */
export function isBegun({ options = [], other, otherChosen, notes }: protocol.PickDraft): boolean {
  return Boolean(options.length > 0 || otherChosen || other || notes);
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

/** Whether the picks can be sent as an answer: with nothing at all in them they are none. */
export function isSubmittable(draft: Draft, parts: readonly Part[]): boolean {
  const isGiven = (pick: protocol.Pick) => isAnswered(pick) || pick.notes !== undefined;
  return isAttached(draft) || picksOf(draft, parts).some(isGiven);
}

/** Whether a click on an option answers at once: one single choice without previews, and nothing begun beside it. */
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

/** The last step: the review, which a single question does without. */
export function lastStep(parts: readonly Part[]): number {
  return parts.length > 1 ? parts.length : 0;
}
