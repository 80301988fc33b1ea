// Every state of a questionnaire's card, by name; see states.ts.

import type { Question, Rendered } from "../../src/protocol.gen";
import type { View } from "./harness";
import { code, link, node } from "./nodes";
import { askAll, checks, database, four, layout, naming, pixelFile, regions, twelve } from "./questions";
import type { Posted } from "./script";

const shown =
  (...messages: Posted[]) =>
  (view: View) =>
    view.post(...messages);

/** The sidecar's parsed Markdown of a question and a preview. */
const markdown: { questions: Question[]; rendered: Rendered } = {
  questions: [
    {
      question:
        "The **retry loop** in `fetch.go` never ends, see [the report](https://example.com/report).\n\n- keep it\n- bound it\n\nWhat should it do?",
      header: "Retries",
      multiSelect: false,
      options: [
        {
          label: "Bound it (Recommended)",
          description: "At most *three* times, then `ErrGaveUp`",
          preview:
            'Three tries:\n\n```go\nfor try := range 3 {\n\tif err := fetch(ctx); err == nil {\n\t\treturn nil\n\t}\n}\nreturn fmt.Errorf("fetching %q: %w", url, ErrGaveUp)\n```',
        },
        { label: "Leave it", description: "" },
      ],
    },
  ],
  rendered: {
    questions: [
      {
        question: [
          node(
            "paragraph",
            "The ",
            node("strong", "retry loop"),
            " in ",
            node("code", "fetch.go"),
            " never ends, see ",
            link("https://example.com/report", "the report"),
            ".",
          ),
          node("list", node("item", "keep it"), node("item", "bound it")),
          node("paragraph", "What should it do?"),
        ],
        options: [
          {
            description: [
              node(
                "paragraph",
                "At most ",
                node("emphasis", "three"),
                " times, then ",
                node("code", "ErrGaveUp"),
              ),
            ],
            preview: [
              node("paragraph", "Three tries:"),
              code(
                'for try := range 3 {\n\tif err := fetch(ctx); err == nil {\n\t\treturn nil\n\t}\n}\nreturn fmt.Errorf("fetching %q: %w", url, ErrGaveUp)',
                "go",
              ),
            ],
          },
          {},
        ],
      },
    ],
  },
};

const arabic: Question[] = [
  {
    question: "أي قاعدة بيانات يجب أن يستخدمها هذا التطبيق؟",
    header: "قاعدة البيانات",
    multiSelect: false,
    options: [
      { label: "قاعدة PostgreSQL (Recommended)", description: "للبيانات العلائقية مع ضمانات اتساق قوية" },
      { label: "قاعدة SQLite", description: "للتخزين المحلي الخفيف" },
    ],
  },
  checks,
];

const word = "Donaudampfschifffahrtsgesellschaftskapitän";
const long: Question[] = [
  {
    question: `The migration touches several tables.\n\n${"Each of them holds rows that an older release wrote without a time zone. ".repeat(12)}`,
    header: "A header that is far too long for a chip",
    multiSelect: true,
    options: [
      { label: `${word} ${word} ${word}`, description: "It takes a while. ".repeat(20) },
      { label: "W".repeat(200), description: "x".repeat(200) },
    ],
  },
  ...four.slice(1),
];

const at = Date.UTC(2026, 2, 14, 15, 12);

/** Answers the first two questions and shows the third. */
async function halfway(view: View): Promise<void> {
  await view.post(askAll("a", four));
  await view.option("a", 0).click();
  await view.control("a", "add-note").click();
  await view.page.keyboard.type("Version 16 or later");
  await view.control("a", "next").click();
  await view.option("a", 0).click();
  await view.option("a", 2).click();
  await view.own("a").fill("A look at the bundle's size");
  await view.control("a", "next").click();
}

/** Continues to the review, and skips the fourth question. */
async function review(view: View): Promise<void> {
  await halfway(view);
  await view.option("a", 1).click();
  await view.control("a", "next").click();
  await view.control("a", "leave-out").click();
}

/** How to reach each state from an empty view. */
export const questionnaireStates: Record<string, (view: View) => Promise<void>> = {
  "questions-twelve-options": shown(askAll("a", [regions])),
  "questions-twelve": shown(askAll("a", twelve)),
  "questions-twelve-previews": async (view) => {
    await view.post(askAll("a", twelve));
    await view.tab("a", 1).click();
  },
  "questions-streaming": async (view) => {
    await view.post(askAll("a", [], "streaming"));
    await view.post({
      type: "append",
      id: "a",
      parts: [
        { index: 0, text: "Which database should", header: "Database" },
        { index: 0, text: " the service use?", options: database.options.slice(0, 2) },
        { index: 1, text: "Which che" },
      ],
    });
  },
  questions: shown(askAll("a", four)),
  "questions-chosen": async (view) => {
    await view.post(askAll("a", four));
    await view.option("a", 0).click();
  },
  "questions-several": async (view) => {
    await view.post(askAll("a", four));
    await view.tab("a", 1).click();
    await view.option("a", 0).click();
    await view.own("a").fill("A look at the bundle's size");
    await view.option("a", 2).focus();
  },
  "questions-preview": halfway,
  "questions-review": review,
  "questions-review-empty": async (view) => {
    await view.post(askAll("a", four));
    await view.tab("a", 4).click();
  },
  "questions-sending": async (view) => {
    await review(view);
    await view.gestureOver();
    await view.control("a", "submit").click();
  },
  "questions-refused": async (view) => {
    await review(view);
    await view.gestureOver();
    await view.control("a", "submit").click();
    await view.post({ type: "refused", id: "a", message: "The answer could not be saved. Try again." });
  },
  "questions-reply": async (view) => {
    await halfway(view);
    await view.control("a", "reply").click();
    await view.page.keyboard.type("Show me the page on a phone first.");
  },
  "questions-queued": shown(askAll("a", four, "queued")),
  "questions-answered": shown(
    askAll("a", four, "closed", {
      outcome: {
        outcome: "answered",
        provenance: "clicked",
        at,
        picks: [
          { options: [0], notes: "Version 16 or later" },
          { options: [0, 2], other: "A look at the bundle's size" },
          { options: [1] },
          {},
        ],
        images: 1,
      },
    }),
  ),
  "questions-replied": shown(
    askAll("a", four, "closed", {
      outcome: {
        outcome: "replied",
        at,
        text: "Show me the page on a phone first.",
        picks: [{ options: [1] }, {}, {}, {}],
      },
    }),
  ),
  "questions-dismissed": shown(
    askAll("a", [database, layout], "closed", { outcome: { outcome: "dismissed", at } }),
  ),
  "questions-unsent": async (view) => {
    await halfway(view);
    await view.post({ type: "remove", id: "a" });
  },
  "questions-long": async (view) => {
    await view.post(askAll("a", long));
    await view.option("a", 0).click();
  },
  "questions-right-to-left": async (view) => {
    await view.post(askAll("a", arabic));
    await view.own("a").fill("لا هذا ولا ذاك");
  },
  "single-instant": shown(askAll("a", [database])),
  "single-focused": async (view) => {
    await view.post(askAll("a", [database]), { type: "focus" });
    await view.page.keyboard.press("ArrowDown");
  },
  "single-own-words": async (view) => {
    await view.post(askAll("a", [database]));
    await view.own("a").fill("MariaDB, since the team knows it");
  },
  "single-note": async (view) => {
    await view.post(askAll("a", [database]));
    await view.control("a", "add-note").click();
  },
  "single-images": async (view) => {
    await view.post(askAll("a", [database]));
    await view.card("a").locator("input[type=file]").setInputFiles([pixelFile()]);
    await view.card("a").locator(".thumbnail").waitFor();
  },
  "single-sending": async (view) => {
    await view.post(askAll("a", [database]));
    await view.option("a", 1).click();
  },
  "single-several": shown(askAll("a", [checks])),
  "single-preview": shown(askAll("a", [layout])),
  "single-markdown": shown(askAll("a", markdown.questions, "pending", { rendered: markdown.rendered })),
  "single-no-header": shown(askAll("a", [naming])),
};
