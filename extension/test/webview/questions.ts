// Questions and images for the tests.

import { createHash } from "node:crypto";
import type { Choice, Question, Rendered, Subject, Suggestion } from "../../src/protocol.gen";
import type { AnswerImage } from "../../webview/answer";
import type { CardMeta, CardState, Posted } from "./script";

/** The first example of the specification, with a mode for its last suggestion. */
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
  more: Partial<CardMeta> & { payload?: typeof styling; rendered?: Rendered } = {},
): Posted {
  const { payload = styling, rendered, ...meta } = more;
  return {
    type: "ask",
    payload,
    rendered,
    meta: { id, agent: "Roo Code", state, askedAt: Date.UTC(2026, 2, 14, 15, 9), order: 1, ...meta },
  };
}

/** A message that shows a questionnaire. */
export function askAll(
  id: string,
  questions: Question[],
  state: CardState = "pending",
  more: Partial<CardMeta> & { rendered?: Rendered } = {},
): Posted {
  const { rendered, ...meta } = more;
  return {
    type: "ask",
    payload: { questions },
    rendered,
    meta: { id, agent: "Claude", state, askedAt: Date.UTC(2026, 2, 14, 15, 9), order: 1, ...meta },
  };
}

/** A message that shows a request to run a command, or one about something else. */
export function askFor(
  id: string,
  subject: Partial<Subject> = {},
  more: Partial<CardMeta> & {
    changeable?: boolean;
    rendered?: Rendered;
    reason?: string;
    title?: string;
  } = {},
): Posted {
  const { title = "Bash", changeable, reason, rendered, state = "pending", ...meta } = more;
  const whole: Subject = { kind: "command", text: "npm test", cwd: "/work", ...subject };
  const allowing: Choice[] = [
    { id: "once", kind: "once" },
    { id: "always", kind: "always", label: "Runs Bash(npm test:*) without asking" },
  ];
  const deny: Choice = { id: "deny", kind: "deny" };
  const options = whole.kind === "unshown" ? [deny] : [...allowing, deny];
  return {
    type: "ask",
    payload: { title, subject: whole, options, changeable, reason },
    rendered: rendered ?? {
      subject: [{ kind: "codeBlock", nodes: [{ kind: "code", text: whole.text }] }],
    },
    meta: { id, agent: "Claude", state, askedAt: Date.UTC(2026, 2, 14, 15, 9), order: 1, ...meta },
  };
}

/** A single choice with a recommendation. */
export const database: Question = {
  question: "Which database should the service use?",
  header: "Database",
  multiSelect: false,
  options: [
    {
      label: "PostgreSQL (Recommended)",
      description: "Relations and strong consistency; one more process to run",
    },
    { label: "SQLite", description: "A single file, nothing to install" },
    { label: "Keep the JSON files", description: "" },
  ],
};

/** A multiple choice. */
export const checks: Question = {
  question: "Which checks should run before a merge?",
  header: "Merge checks in CI",
  multiSelect: true,
  options: [
    { label: "Unit tests", description: "About two minutes" },
    { label: "Browser tests", description: "About ten minutes, on one machine" },
    { label: "Lint", description: "Seconds" },
    { label: "Benchmarks", description: "An hour; only worth it before a release" },
  ],
};

/** A single choice with previews. */
export const layout: Question = {
  question: "Which layout should the settings page have?",
  header: "Layout",
  multiSelect: false,
  options: [
    {
      label: "Side by side",
      description: "The list stays in sight",
      preview:
        "┌────────────┬─────────────────────────┐\n│ General    │  Name  [______________] │\n│ Accounts   │  Mail  [______________] │\n│ Privacy    │                         │\n│            │           [ Save ]      │\n└────────────┴─────────────────────────┘",
    },
    {
      label: "One column",
      description: "Works on a phone",
      preview:
        "+----------------------+\n|  General           v |\n+----------------------+\n|  Name [____________] |\n|  Mail [____________] |\n|        [ Save ]      |\n+----------------------+\n|  Accounts          > |\n+----------------------+",
    },
    { label: "Leave it as it is", description: "Nothing changes for now" },
  ],
};

/** A question without a header. */
export const naming: Question = {
  question: "What should the package be called?",
  header: "",
  multiSelect: false,
  options: [
    { label: "inbox", description: "" },
    { label: "mailroom", description: "" },
  ],
};

/** One of each kind. */
export const four: Question[] = [database, checks, layout, naming];

const regionNames = [
  ["Frankfurt (Recommended)", "Where most users are"],
  ["Dublin", "Cheapest in Europe"],
  ["Paris", ""],
  ["Stockholm", "Runs on water and wind alone"],
  ["Milan", ""],
  ["Montréal", "For customers in Canada, whose data must not leave the country"],
  ["São Paulo", ""],
  ["Mumbai", ""],
  ["Singapore", "The largest in Asia"],
  ["Sydney", ""],
  ["Seoul", ""],
  ["Tokyo", "Twice the price of Singapore, half the way"],
] as const;

/** The maximum number of options that a user can allow. */
export const regions: Question = {
  question: "In which region should the service run?",
  header: "Region",
  multiSelect: false,
  options: regionNames.map(([label, description]) => ({ label, description })),
};

/** The maximum number of questions and options that a user can allow, some with previews. */
export const twelve: Question[] = Array.from({ length: 12 }, (_, index) => ({
  ...regions,
  question: `In which regions should part ${index + 1} of the service run?`,
  header: `Part ${index + 1}`,
  multiSelect: index % 2 === 0,
  options: regions.options.map((option, at) =>
    at < 2 && index % 2 === 1
      ? { ...option, preview: `latency ${at + 1}:\n  Berlin   9 ms\n  Lagos   94 ms` }
      : option,
  ),
}));

/** A request for guidance, as the third argument of ask. */
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

/** The same image as part of an answer. */
export const sentPixel = { mimeType: onePixel.mimeType, data: onePixel.data };

/** Its hash, as in the protocol. */
export const onePixelHash = createHash("sha256")
  .update(`${onePixel.mimeType}\n`)
  .update(Buffer.from(onePixel.data, "base64"))
  .digest("hex");

/** An image file from a file button. */
export interface ImageFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** The PNG of one pixel as a file. */
export function pixelFile(name = "pixel.png"): ImageFile {
  return { name, mimeType: "image/png", buffer: Buffer.from(onePixel.data, "base64") };
}
