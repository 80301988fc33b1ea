// Adding quotes and files from the editor to an answer, and searching files.

import { matchesGlob } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import * as vscode from "vscode";
import { addToAnswer } from "../../src/commands/addToAnswer";
import { bestFiles, globFor } from "../../src/page/files";
import type { Quote } from "../../src/protocol.gen";
import { mentionAt } from "../../webview/files";
import { user, window } from "./fake/vscode";

test.each([
  ["pan", ["src/Panel.ts", "panel.md", "a/b/pan"], ["src/pa.ts", "pan/a.ts"]],
  ["", ["a.ts", "src/b.ts"], []],
  ["src/p", ["src/p.ts", "lib/SRC/up.ts"], ["p.ts", "src/a/p.ts"]],
  ["[id]", ["app/[id].tsx"], ["app/id.tsx"]],
  ["a*", ["a*b.ts"], ["a.ts".slice(0, 1)]],
])("%s matches the files that it names", (text, fits, others) => {
  for (const path of fits) {
    expect(matchesGlob(path, globFor(text)), path).toBe(true);
  }
  for (const path of others) {
    expect(matchesGlob(path, globFor(text)), path).toBe(false);
  }
});

test("ranks names that start with the text before names that contain it, and shorter paths first", () => {
  const paths = ["src/long/apan.ts", "src/panel.ts", "pan", "docs/panel.ts", "a/pan"];
  expect(bestFiles(paths, "Pan")).toEqual([
    "pan",
    "a/pan",
    "src/panel.ts",
    "docs/panel.ts",
    "src/long/apan.ts",
  ]);
});

test.each([
  ["@", 1, { start: 0, text: "" }],
  ["see @src/a", 10, { start: 4, text: "src/a" }],
  ["see @src/a and", 10, { start: 4, text: "src/a" }],
  ["（@面板", 4, { start: 1, text: "面板" }],
  ["me@host", 7, undefined],
  ["@a b", 4, undefined],
  ["@@", 2, undefined],
  [`@${"a".repeat(101)}`, 102, undefined],
])("finds the mention in %s at %i", (text, cursor, mention) => {
  expect(mentionAt(text, cursor)).toEqual(mention);
});

/** The command with one open question, and the quotes that it added. */
function adding() {
  const added: Quote[] = [];
  const answers = {
    answerable: async () => [{ questionId: "q", agent: "Roo", title: "Which?", answerable: true }],
    canAnswer: () => true,
    add: async (_id: string, quotes: Quote[]) => void added.push(...quotes),
  };
  const add = (target?: vscode.Uri, files?: unknown) => addToAnswer(answers, target, files);
  user.prompts.length = 0;
  return { add, added };
}

test("names the files left out when too many are added at once", async () => {
  const { add, added } = adding();
  const files = Array.from({ length: 22 }, (_, index) => vscode.Uri.file(`/workspace/${index}.ts`));
  await add(files[0], files);
  expect(added).toHaveLength(20);
  expect(user.prompts.map(([, message]) => message)).toEqual([
    "At most 20 files are added at once; 2 were not added.",
  ]);
});

test("adds only the location of a selection that is too long to quote, and says so", async () => {
  const { add, added } = adding();
  const position = (line: number) => ({ line, character: 0 });
  const selection = { start: position(0), end: position(9), active: position(9), isEmpty: false };
  let text = "x".repeat(64 * 1024 + 1);
  const document = { uri: vscode.Uri.file("/workspace/a.ts"), getText: () => text };
  Object.assign(window, { activeTextEditor: { document, selections: [selection] } });
  onTestFinished(() => void Object.assign(window, { activeTextEditor: undefined }));
  await add();
  expect(added.map(({ label, text: quoted }) => [label, quoted])).toEqual([["a.ts:1-9", undefined]]);
  expect(user.prompts.map(([, message]) => message)).toEqual([
    "a.ts:1-9 is too long to be quoted: only the place was added.",
  ]);
  text = text.slice(1);
  await add();
  expect(added[1]?.text).toBe(text);
  expect(user.prompts).toHaveLength(1);
});
