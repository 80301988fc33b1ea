// What the documents name is there.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/lib/paths.mjs";

const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = ""]) => found);

test("docs/security.md names tests that there are", () => {
  const document = read("docs/security.md");
  const sources = ["internal", "cmd"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith("_test.go"))
      .map((name) => path.join(folder, name)),
  );
  const cases = new Set(sources.flatMap((file) => all(read(file), /^func ((?:Test|Fuzz)\w+)\(/gm)));
  const named = all(document, /`((?:Test|Fuzz)\w+)`/g);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !cases.has(name))).toEqual([]);

  // A file, with the beginning of each case that stands behind it in italics; … leaves something out.
  const missing = all(document, /(`\w+\/[\w-]+\.test\.ts`(?:,? \*[^*]+\*)*)/g).flatMap((mention) => {
    const text = read(path.join("extension/test", all(mention, /`(.+)`/g)[0] ?? ""));
    return all(mention, /\*([^*]+)\*/g).filter(
      (name) => !name.split("…").every((part) => text.includes(part.trim())),
    );
  });
  expect(missing).toEqual([]);
});
