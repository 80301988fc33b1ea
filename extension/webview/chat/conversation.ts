// Questions parsed from the conversation alone, field by field: a question that is still being written, and
// one whose call has ended. Pure.

import type * as protocol from "../../src/protocol.gen";
import { closedItem } from "../cards";
import type { ToolResult } from "./bridge";

/** The id of a question that is only known from the conversation. */
export const conversationId = "conversation";

type Fields = Record<string, unknown>;

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** A list; empty if the model has not written all of it, or wrote it as a string. */
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function suggestion(value: unknown): protocol.Suggestion {
  const { text: words, answer, mode } = fields(value);
  return { answer: text(value) || text(words) || text(answer), mode: text(mode) || undefined };
}

function option(value: unknown): protocol.Option {
  const { label, description: more, preview } = fields(value);
  return { label: text(value) || text(label), description: text(more), preview: text(preview) || undefined };
}

function question(value: unknown): protocol.Question {
  const { question, header, options, multiSelect } = fields(value);
  return {
    question: text(question),
    header: text(header),
    options: list(options).map(option),
    multiSelect: multiSelect === true,
  };
}

/** A call's question; undefined if its arguments do not contain one. */
export function payloadOf(input: unknown): protocol.Payload | undefined {
  const { question: words, questions, follow_up: followUp } = fields(input);
  if (list(questions).length > 0) {
    return { questions: list(questions).map(question) };
  }
  const suggest = list(followUp).map(suggestion);
  return text(words) === ""
    ? undefined
    : { question: text(words), suggest: suggest.filter(({ answer }) => answer !== "") };
}

/** The part of a call's question that is written so far; it cannot be answered yet. */
export function arriving(input: unknown): protocol.InboxItem | undefined {
  const payload = payloadOf(input);
  return payload && { ...closedItem({ questionId: conversationId, payload }), state: "streaming" };
}

/** The question of a call that has ended; undefined if it is unknown, or still open for the user. */
export function ended(input: unknown, result: ToolResult): protocol.InboxItem | undefined {
  const [payload, outcome] = [payloadOf(input), outcomeOf(result)];
  if (payload === undefined || outcome === undefined) {
    return undefined;
  }
  const item = closedItem({ questionId: conversationId, payload });
  const suggestion =
    "suggest" in payload ? payload.suggest.findIndex(({ answer }) => answer === outcome.text) : -1;
  const clicked: protocol.ItemOutcome = { outcome: "answered", suggestion, provenance: "clicked" };
  return { ...item, outcome: suggestion < 0 ? outcome : clicked };
}

const outcomes: readonly unknown[] = [
  "answered",
  "replied",
  "dismissed",
  "withdrawn",
  "expired",
  "disconnected",
  "notShown",
];

/** How it ended. The user's words are in tags; the host may pass the rest beside the text. */
function outcomeOf({ content = [], isError, _meta = {} }: ToolResult): protocol.ItemOutcome | undefined {
  const whole = content.find(({ type }) => type === "text")?.text ?? "";
  const words = /<(answer|user_message)>\n?([\s\S]*?)\n?<\/\1>/.exec(whole)?.[2];
  const named = _meta["followup/outcome"];
  if (isError === true || (named !== undefined && !outcomes.includes(named))) {
    return undefined; // it is open, was never a question, or the server has exited
  }
  const outcome = (named ?? (words === undefined ? "withdrawn" : "answered")) as protocol.Outcome;
  const images = content.filter(({ type }) => type === "image").length;
  return {
    outcome,
    ...(words !== undefined && { text: words, provenance: "typed" }),
    ...(images > 0 && { images }),
  };
}
