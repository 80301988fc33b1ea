// The questions of a card. A followup is one question whose options are its suggestions.

import type * as protocol from "../src/protocol.gen";

/** An option or a suggestion. */
export interface Choice extends protocol.Option {
  /** The mode that the agent switches to with a suggestion. */
  readonly mode?: string;
  readonly rendered?: protocol.RenderedOption;
}

/** A question with its Markdown, which is absent while the question streams. */
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
      subject.kind === "plan"
        ? nodes.map((block) => exact([block])).join(" ")
        : subject.kind === "unshown"
          ? title
          : `${title}: ${exact(nodes)}`;
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

/**
 * The maximum length of a header that is shown completely, in characters, as in the tool's original
 * specification.
 */
const chipLength = 12;

/** The header as shown in a chip. */
export function shortHeader(header: string): string {
  const characters = [...header];
  return characters.length <= chipLength ? header : `${characters.slice(0, chipLength - 1).join("")}…`;
}

/** An option's label without the mark of a recommendation at its end, and whether it had the mark. */
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
