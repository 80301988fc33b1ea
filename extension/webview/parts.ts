// The questions of a questionnaire as the interface shows them, from the first piece that arrives.

import type { PartGrowth, Question, Questionnaire, Rendered, RenderedQuestion } from "../src/protocol.gen";

/** One question of a questionnaire, with its Markdown; that is absent while it streams. */
export type Part = Readonly<Question> & { readonly rendered?: RenderedQuestion };

const emptyPart: Part = { question: "", header: "", options: [], multiSelect: false };

/** The parts of a questionnaire. */
export function partsOf({ questions }: Questionnaire, rendered: Rendered | undefined): Part[] {
  return questions.map((question, index) => ({ ...question, rendered: rendered?.questions?.[index] }));
}

/** The parts with what has newly arrived of them. */
export function growParts(parts: readonly Part[], growth: readonly PartGrowth[]): readonly Part[] {
  if (growth.length === 0) {
    return parts;
  }
  const grown = [...parts];
  for (const { index, text = "", header, options = [], multiSelect = false } of growth) {
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
