// The parts that other extensions copy: the types of the API, and the recipe in docs/asking.md with them.

import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { apiTypes, apiTypesFile } from "../../scripts/api-types.mjs";
import { root } from "../../scripts/lib/paths.mjs";

/** The compiler's output for a project set up like another extension. */
function compile(folder: string): string {
  const compilerOptions = {
    target: "ES2022",
    module: "Node16",
    lib: ["ES2023"],
    types: ["node", "vscode"],
    typeRoots: [join(root, "node_modules/@types")],
    strict: true,
    noEmit: true,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { stdout, stderr, status } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  return status === 0 ? stdout : `${stdout}${stderr} (status ${status})`;
}

/** The code blocks of a language in docs/asking.md. */
function blocks(language: string): string[] {
  const document = readFileSync(join(root, "docs/asking.md"), "utf8");
  return [...document.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, code = ""]) => code,
  );
}

test("the type file is current; make generate rewrites it", () => {
  expect(readFileSync(apiTypesFile, "utf8")).toBe(apiTypes());
});

test("the type file has every type that the API names", () => {
  for (const name of [
    "FollowupApi",
    "FollowupErrorCode",
    "Answer",
    "ConversationItem",
    "Limits",
    "Payload",
    "StreamCall",
    "Structured",
    "WorkspaceFolder",
  ]) {
    expect(apiTypes()).toMatch(new RegExp(`^export (interface|type) ${name}\\b`, "m"));
  }
});

test("the code in docs/asking.md compiles with the one file beside it", () => {
  const folder = mkdtempSync(join(tmpdir(), "followup-asking-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const code = blocks("ts");
  expect(code.length).toBeGreaterThan(0);
  copyFileSync(apiTypesFile, join(folder, "followup.d.ts"));
  for (const [index, block] of code.entries()) {
    writeFileSync(join(folder, `block${index}.ts`), block);
  }
  expect(compile(folder)).toBe("");
  // The compiler does find mistakes.
  writeFileSync(join(folder, "block0.ts"), code[0]?.replace("answer.text", "answer.texts") ?? "");
  expect(compile(folder)).toContain("texts");
});
