// Entries of a history for the tests.

import type { HistoryEntry, ItemOutcome, Questionnaire } from "../../src/protocol.gen";
import { guidance, onePixel, styling } from "./questions";

/** When the newest entry was closed; each older one a minute earlier. */
export const newestAt = Date.UTC(2026, 2, 14, 15, 10);

/** An entry answered with its second suggestion. */
export function entry(
  id: string,
  more: Partial<HistoryEntry> & { outcome?: ItemOutcome } = {},
): HistoryEntry {
  const outcome: ItemOutcome = { outcome: "answered", provenance: "clicked", suggestion: 1, at: newestAt };
  return {
    questionId: id,
    kind: "question",
    agent: "Roo Code",
    workspace: "file:///home/me/shop",
    tool: "ask_followup_question",
    payload: styling,
    askedAt: ((more.outcome ?? outcome).at ?? 0) - 45_000,
    outcome,
    collected: true,
    ...more,
  };
}

/** A history of numbered entries, the newest with the number 1. */
export function numbered(count: number, of = "Entry"): HistoryEntry[] {
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    return entry(`e${number}`, {
      payload: { question: `${of} ${number}: which way?`, suggest: [{ answer: `Answer ${number}` }] },
      outcome: {
        outcome: "answered",
        provenance: "clicked",
        suggestion: 0,
        at: newestAt - index * 60_000,
      },
    });
  });
}

/** A questionnaire with everything that it can have. */
export const survey: Questionnaire = {
  questions: [
    {
      question: "Which database should the service use?",
      header: "Database",
      multiSelect: false,
      options: [
        { label: "PostgreSQL (Recommended)", description: "Relational, with strong guarantees." },
        { label: "SQLite", description: "One file.", preview: "┌──────┐\n│ file │\n└──────┘" },
      ],
    },
    {
      question: "Which checks should run before each commit?",
      header: "",
      multiSelect: true,
      options: [
        { label: "Types", description: "" },
        { label: "Lint", description: "Biome" },
        { label: "Unit tests", description: "" },
      ],
    },
    {
      question: "Where should it be deployed?",
      header: "Target",
      multiSelect: false,
      options: [
        { label: "A container", description: "" },
        { label: "A function", description: "" },
      ],
    },
  ],
};

const at = (minutes: number) => newestAt - minutes * 60_000;

/** One entry of every kind. */
export const kinds: HistoryEntry[] = [
  entry("clicked", { collected: false }),
  entry("survey", {
    agent: "Claude Code",
    tool: "AskUserQuestion",
    payload: survey,
    outcome: {
      outcome: "answered",
      picks: [
        { options: [1], notes: "Move to PostgreSQL once there are two writers." },
        { options: [0, 2], other: "A spell check" },
        {},
      ],
      at: at(1),
    },
  }),
  entry("edited", {
    outcome: {
      outcome: "answered",
      provenance: "edited",
      suggestion: 2,
      text: "Use vanilla CSS, and a reset stylesheet",
      mode: "architect",
      images: 2,
      at: at(2),
    },
  }),
  entry("typed", {
    agent: "Kilo Code",
    workspace: "file:///home/me/a%20second%20folder",
    outcome: { outcome: "answered", provenance: "typed", text: "Neither:\nkeep what we have", at: at(3) },
  }),
  entry("replied", {
    agent: "Claude Code",
    source: "Claude Code",
    tool: "AskUserQuestion",
    workspace: undefined,
    payload: survey,
    outcome: {
      outcome: "replied",
      text: "Tell me more about the costs first.",
      picks: [{ options: [0] }],
      at: at(4),
    },
  }),
  entry("dismissed", { outcome: { outcome: "dismissed", at: at(5) } }),
  entry("withdrawn", { outcome: { outcome: "withdrawn", at: at(6) } }),
  entry("notShown", { outcome: { outcome: "notShown", at: at(7) } }),
  entry("invalid", {
    payload: undefined,
    error: { code: "missing_parameter", message: "Missing required parameter 'question'" },
    outcome: { outcome: "invalid", at: at(8) },
  }),
  entry("guidance", {
    ...guidance,
    outcome: { outcome: "answered", provenance: "typed", text: "Ask me in plain text.", at: at(9) },
  }),
];

/** The two images of the edited answer. */
export const editedImages = [onePixel, onePixel].map(({ mimeType, data }) => ({ mimeType, data }));
