// Every state of the interface, by name, for the accessibility tests and the pictures.

import type { Locator } from "playwright-core";
import { approvalStates } from "./approval-states";
import type { View } from "./harness";
import { code, highlighted, link, node } from "./nodes";
import { questionnaireStates } from "./questionnaire-states";
import { ask, askAll, four, guidance } from "./questions";
import { type Posted, placed } from "./script";

/** A picture of a given size, drawn in the page. */
export function picture(view: View, width: number, height: number, type = "image/png"): Promise<string> {
  return view.page.evaluate(
    async ({ width, height, type }) => {
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D;
      const sky = context.createLinearGradient(0, 0, width, height);
      sky.addColorStop(0, "#3a7bd5");
      sky.addColorStop(1, "#f9d423");
      context.fillStyle = sky;
      context.fillRect(0, 0, width, height);
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type })).arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    },
    { width, height, type },
  );
}

/** Chooses image files at a card's file button. */
export async function chooseFiles(
  card: Locator,
  files: { name: string; mimeType: string; buffer: Buffer }[],
): Promise<void> {
  await card.locator("input[type=file]").setInputFiles(files);
}

/** Unfolds all closed cards. */
export async function unfoldAll(view: View): Promise<void> {
  await view.page.locator(".closed-line .folded-title").evaluateAll((lines: HTMLElement[]) => {
    for (const line of lines) {
      line.click();
    }
  });
}

const arabic = {
  question: "أي قاعدة بيانات يجب أن يستخدمها هذا التطبيق لتخزين بيانات المستخدم؟",
  suggest: [
    { answer: "قاعدة PostgreSQL للبيانات العلائقية مع ضمانات اتساق قوية" },
    { answer: "قاعدة SQLite للتخزين المحلي الخفيف", mode: "code" },
  ],
};

const long = {
  question: `The migration touches several tables.\n\n${"Each of them holds rows that an older release wrote without a time zone. ".repeat(40)}`,
  suggest: [
    { answer: "W".repeat(400) },
    {
      answer: `Convert them all to UTC, then:\n\t1. add a check\n\t2. drop the old column\n${"and log it ".repeat(200)}`,
    },
  ],
};

const looked =
  "I looked at the form first. It is drawn in two places, and both of them take their sizes from the same table.\n\nOne of them can go.";

const lookedNodes = [
  node(
    "paragraph",
    "I looked at the ",
    node("strong", "form"),
    " first. It is drawn in two places, and both of them take their sizes from the same table.",
  ),
  node("paragraph", "One of them can go."),
];

const named = [
  node("paragraph", "Should ", node("code", "src/form/draw.ts:128"), " go, or src/panel.ts:12-40?"),
];

const place = { start: { line: 127, character: 0 }, end: { line: 130, character: 1 } };
const loop = {
  label: "src/form/draw.ts:128-131",
  location: { uri: "file:///w/src/form/draw.ts", range: place },
  text: "for (const field of fields) {\n  draw(field);\n}",
};
const shell = { label: "zsh", text: "make: *** [test] Error 1" };

const answered = { outcome: "answered", at: Date.UTC(2026, 2, 14, 15, 10) } as const;

async function showEditing(view: View): Promise<void> {
  await view.post(ask("a"));
  await view.suggestion("a", 2).click({ modifiers: ["Shift"] });
  await view.box("a").press("End");
  await view.box("a").pressSequentially(", and a reset stylesheet");
}

async function showImages(view: View): Promise<void> {
  await view.post(ask("a"));
  const files = await Promise.all(
    [
      [300, 200],
      [200, 300],
    ].map(async ([width = 0, height = 0], index) => ({
      name: `shot ${index + 1}.png`,
      mimeType: "image/png",
      buffer: Buffer.from(await picture(view, width, height), "base64"),
    })),
  );
  await chooseFiles(view.card("a"), [
    ...files,
    { name: "notes.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7") },
  ]);
  await view.card("a").locator(".refusals").waitFor();
}

/** A file of the editor is dragged over the card. */
async function showDragging(view: View): Promise<void> {
  await view.post(ask("a"));
  await view.card("a").evaluate((card) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData("resourceurls", '["file:///a.png"]');
    card.dispatchEvent(new DragEvent("dragover", { dataTransfer, bubbles: true, cancelable: true }));
  });
}

const shown =
  (...messages: Posted[]) =>
  (view: View) =>
    view.post(...messages);

/** How to reach each state from an empty view. */
export const states: Record<string, (view: View) => Promise<void>> = {
  empty: async () => {},
  streaming: shown(
    ask("a", "streaming", { payload: { question: "Which styling approach would you pre", suggest: [] } }),
  ),
  "streaming-suggestions": async (view) => {
    const { post } = { post: view.post.bind(view) };
    await post(
      ask("a", "streaming", {
        payload: { question: "Which styling approach would you prefer?", suggest: [] },
      }),
    );
    await post({
      type: "append",
      id: "a",
      suggest: [
        { answer: "Use Bootstrap for rapid development with consistent components" },
        { answer: "Use Tailwind CSS for utility-first styling", mode: "code" },
      ],
    });
  },
  pending: shown(ask("a")),
  dragging: showDragging,
  focused: async (view) => {
    await view.post(ask("a"), { type: "focus" });
    await view.page.keyboard.press("ArrowDown");
  },
  hover: async (view) => {
    await view.post(ask("a"));
    await view.suggestion("a", 1).hover();
  },
  editing: showEditing,
  images: showImages,
  /** The question closed while the user was typing. */
  "closed-while-typing": async (view) => {
    await view.post(ask("a"), ask("b", "pending", { order: 2, agent: "Kilo Code" }));
    await view.box("a").pressSequentially("Use what the design system uses, on port 8");
    await view.post(ask("a", "closed", { outcome: { ...answered, provenance: "clicked", suggestion: 1 } }));
  },
  "questions-closed-while-typing": async (view) => {
    await view.post(askAll("a", four));
    await view.own("a").pressSequentially("DuckDB, since");
    await view.post({ type: "remove", id: "a" });
  },
  /** The user is asked whether to discard unsent text. */
  discard: async (view) => {
    await view.post(ask("a"), ask("b", "closed", { order: 2, outcome: { outcome: "dismissed", at: 2 } }));
    await view.box("a").fill("Use what the design system uses");
    await view.suggestion("a", 1).click();
    await view.post(ask("a", "closed", { outcome: { ...answered, provenance: "clicked", suggestion: 1 } }));
    await view.card("a").locator(".clear").click();
    await view.card("a").locator(".discard").waitFor();
  },
  sending: async (view) => {
    await view.post(ask("a"));
    await view.suggestion("a", 1).click();
  },
  refused: async (view) => {
    await showEditing(view);
    await view.box("a").press("Enter");
    await view.post({ type: "refused", id: "a", message: "The answer could not be saved. Try again." });
  },
  queue: shown(
    ask("a", "pending", { order: 1 }),
    ask("b", "pending", {
      order: 2,
      agent: "Kilo Code",
      payload: {
        question: "Should the tests run against a real database?",
        suggest: [{ answer: "Yes, start one for the run" }, { answer: "No, keep the fake", mode: "debug" }],
      },
    }),
    ask("c", "queued", {
      order: 3,
      payload: { question: "What should the new package be called?", suggest: [] },
    }),
  ),
  outcomes: shown(
    ask("a", "closed", { order: 1, outcome: { ...answered, provenance: "clicked", suggestion: 1, at: 9 } }),
    ask("b", "closed", {
      order: 2,
      outcome: {
        ...answered,
        provenance: "edited",
        suggestion: 2,
        text: "Use vanilla CSS, and a reset stylesheet",
        mode: "architect",
        images: 2,
        at: 8,
      },
    }),
    ask("c", "closed", {
      order: 3,
      outcome: { ...answered, provenance: "typed", text: "Neither:\nkeep what we have", images: 1, at: 7 },
    }),
    ask("d", "closed", { order: 4, outcome: { ...answered, provenance: "timer", suggestion: 0, at: 6 } }),
    ask("e", "closed", { order: 5, outcome: { outcome: "dismissed", at: 5 } }),
    ask("f", "closed", { order: 6, outcome: { outcome: "withdrawn", at: 4 } }),
    ask("g", "closed", { order: 7, outcome: { outcome: "notShown", at: 3 } }),
    ask("h", "closed", {
      order: 8,
      outcome: { outcome: "replied", text: "Tell me more about Tailwind first.", at: 2 },
    }),
    ask("i", "closed", { order: 9, outcome: { outcome: "invalid", at: 1 } }),
  ),
  "outcomes-unfolded": async (view) => {
    await states.outcomes?.(view);
    await unfoldAll(view);
  },
  unsent: async (view) => {
    await view.post(ask("a"));
    await view.box("a").fill("I would rather keep the stylesheet we have,\nbut with variables");
    await view.suggestion("a", 0).click();
    await view.post(ask("a", "closed", { outcome: { ...answered, provenance: "clicked", suggestion: 0 } }));
  },
  trouble: shown(ask("a"), {
    type: "trouble",
    message: "The Followup process ended unexpectedly (exit code 2).",
    restarting: false,
  }),
  restarting: shown({
    type: "trouble",
    message: "The Followup process ended unexpectedly (exit code 2).",
    restarting: true,
  }),
  "not-saved": shown(ask("a"), {
    type: "storage",
    problem: "The disk is full. Questions still work; nothing is saved.",
  }),
  "other-windows": shown(
    ask("a", "pending", { order: 1, elsewhere: "harbour-ferries", orphaned: true }),
    ask("b", "pending", { order: 2, orphaned: true }),
  ),
  timed: async (view) => {
    await view.page.evaluate(() => window.clock.stop());
    await view.postNow(ask("a", "pending", { timer: { left: 42_000 } }));
  },
  "timed-stopped": async (view) => {
    await view.post(ask("a", "pending", { timer: { left: 42_000 } }));
    await view.post(ask("a"));
  },
  hub: shown(
    {
      type: "hub",
      hub: { state: "connected", url: "https://hub.example", name: "Harbour team", account: "Ann" },
    },
    ask("a", "pending", { order: 1, agent: "deploy · ci", hub: "Harbour team" }),
    ask("b", "pending", { order: 2 }),
  ),
  "hub-away": shown(
    {
      type: "hub",
      hub: {
        state: "connecting",
        url: "https://hub.example",
        name: "Harbour team",
        problem: "There is no connection to the hub Harbour team (connection refused). Trying again.",
      },
    },
    ask("a", "pending", { order: 1, agent: "deploy · ci", hub: "Harbour team" }),
    ask("b", "pending", { order: 2 }),
  ),
  guidance: shown(ask("a", "pending", guidance)),
  long: shown(ask("a", "pending", { payload: long })),
  "right-to-left": shown(ask("a", "pending", { payload: arabic })),
  "no-suggestions": shown(
    ask("a", "pending", { payload: { question: "What should the new package be called?", suggest: [] } }),
  ),
  markdown: shown(
    ask("a", "pending", {
      rendered: {
        question: [
          node(
            "paragraph",
            "The build fails with ",
            node("code", "ENOENT: package-lock.json"),
            ", see ",
            link("https://example.com/log", "its log"),
            ":",
          ),
          code("npm ci --ignore-scripts --no-audit --no-fund --prefix extension/test/editor", "sh"),
          node("paragraph", "Should I ", node("emphasis", "generate"), " the lock file?"),
        ],
      },
    }),
  ),
  code: shown(
    ask("a", "pending", {
      rendered: {
        question: [
          node("paragraph", "Which of the two should I keep?"),
          highlighted(
            "go",
            node("keyword", "if"),
            " len(name) > ",
            node("number", "40"),
            " { ",
            node("comment", "// longer ones are cut"),
            "\n\t",
            node("keyword", "return"),
            " shorten(name, ",
            node("string", '"…"'),
            ")\n}",
          ),
          highlighted(
            "diff",
            node("hunk", "@@ -12,3 +12,3 @@ func title(name string) string {"),
            "\n \tname = strings.TrimSpace(name)\n",
            node("removed", "-\treturn name"),
            "\n",
            node("inserted", "+\treturn shorten(name, maxTitle)"),
            "\n }",
          ),
        ],
      },
    }),
  ),
  context: async (view) => {
    await view.post(
      ask("a", "pending", { context: looked, rendered: { question: named, context: lookedNodes } }),
    );
    const { request, texts } = await view.waitFor("findPlaces");
    await view.post({
      type: "places",
      request,
      places: placed(texts, "src/form/draw.ts:128", "src/panel.ts:12-40"),
    });
    await view.card("a").locator(".context > summary").click();
  },
  quotes: async (view) => {
    await view.post(ask("a"), { type: "quotes", id: "a", quotes: [loop, shell] });
    await view.box("a").pressSequentially("Not in this one, see @pan");
    const { request } = await view.waitFor("findFiles", ({ text }) => text === "pan");
    const files = ["src/panel.ts", "src/panel.test.ts", "docs/pictures/control-panel-in-a-narrow-window.png"];
    await view.post({ type: "foundFiles", request, files });
  },
  phrases: shown(
    {
      type: "phrases",
      phrases: [
        "Go on as you proposed.",
        "Keep it simple: no new dependency.",
        "Explain first, then wait. ".repeat(8),
      ],
    },
    ask("a"),
    ask("b", "closed", {
      order: 2,
      outcome: { ...answered, provenance: "typed", text: "Ask me again tomorrow." },
    }),
  ),
  folded: async (view) => {
    await view.post(ask("a", "pending", { order: 1 }), askAll("b", four, "pending", { order: 2 }));
    await view.box("a").fill("Tailwind, but");
    await view.card("a").locator(".fold").click();
    await view.card("b").locator(".fold").click();
  },
  ...approvalStates,
  ...questionnaireStates,
};
