// Names in the documents exist.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/lib/paths.mjs";

const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = ""]) => found);

const documents = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...["docs", "extension/walkthrough"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => path.join(folder, name)),
  ),
];

test("documents name existing tests", () => {
  const document = documents.map(read).join("\n");
  const sources = ["internal", "cmd"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith("_test.go"))
      .map((name) => path.join(folder, name)),
  );
  const cases = new Set(sources.flatMap((file) => all(read(file), /^func ((?:Test|Fuzz)\w+)\(/gm)));
  const named = all(document, /`((?:Test|Fuzz)\w+)`/g);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !cases.has(name))).toEqual([]);

  // A file, followed by the beginnings of its cases in italics; … marks an omission.
  const missing = all(document, /(`\w+\/[\w-]+\.test\.ts`(?:,?\s\*[^*]+\*)*)/g).flatMap((mention) => {
    const text = read(path.join("extension/test", all(mention, /`(.+)`/g)[0] ?? ""));
    return all(mention, /\*([^*]+)\*/g).filter(
      (name) => !name.split("…").every((part) => text.includes(part.trim())),
    );
  });
  expect(missing).toEqual([]);
});

test("the pages for users name no tests", () => {
  const forUsers = documents.filter((name) =>
    /^docs\/(using|asking|installing)\.md$|^docs\/agents\/|walkthrough/.test(name),
  );
  expect(forUsers.length).toBeGreaterThan(15);
  expect(forUsers.filter((name) => /`(Test|Fuzz)[A-Z]\w*`|\.test\.ts|_test\.go/.test(read(name)))).toEqual(
    [],
  );
});

test("docs/using.md names every setting and command", () => {
  const guide = read("docs/using.md");
  const texts = JSON.parse(read("package.nls.json"));
  const { configuration, commands } = JSON.parse(read("package.json")).contributes;
  const settings = configuration.flatMap(({ properties }: { properties: object }) => Object.keys(properties));
  expect(settings.length).toBeGreaterThan(15);
  expect(settings.filter((name: string) => !guide.includes(`| \`${name}\` |`))).toEqual([]);
  const titles: string[] = commands.map(({ title }: { title: string }) => texts[title.slice(1, -1)]);
  expect(titles.length).toBeGreaterThan(15);
  const section = guide.slice(guide.indexOf("## Commands"), guide.indexOf("## Settings"));
  expect(titles.filter((title) => !section.includes(`*${title}*`))).toEqual([]);
  // The documents name no others.
  expect(
    all(section, /^\| (.+?) \|/gm)
      .flatMap((cell) => all(cell, /\*([^*]+)\*/g))
      .filter((title) => !titles.includes(title)),
  ).toEqual([]);
  expect(all(guide, /^\| `(followup\.[^`]+)`/gm).filter((name) => !settings.includes(name))).toEqual([]);
});

test("the settings, commands and keys that documents name exist", () => {
  const texts = JSON.parse(read("package.nls.json"));
  const { configuration, commands, keybindings } = JSON.parse(read("package.json")).contributes;
  const ids = [
    ...configuration.flatMap(({ properties }: { properties: object }) => Object.keys(properties)),
    ...commands.map(({ command }: { command: string }) => command),
  ];
  const titles: string[] = commands.map(({ title }: { title: string }) => texts[title.slice(1, -1)]);
  const named = documents
    .filter((name) => !name.includes(".nls."))
    .map((name) => ({ name, text: read(name) }));
  const wrong = named.flatMap(({ name, text }) => [
    ...all(text, /`#?(followup\.[a-zA-Z.]+)`/g)
      .filter((id) => !ids.some((known: string) => `${known}.`.startsWith(`${id}.`)))
      .map((id) => ({ name, id })),
    ...all(text.replaceAll(/\s+/g, " "), /\*Followup: ([^*]+)\*/g)
      .filter((title) => !titles.includes(title))
      .map((title) => ({ name, title })),
  ]);
  expect(wrong).toEqual([]);
  const guide = read("docs/using.md").toLowerCase();
  for (const { key, mac } of keybindings) {
    expect(guide).toContain(`\`${key}\` (\`${mac.replace("cmd+", "⌘")}\` on a mac)`);
  }
});

test("every link in the documents to a file or heading resolves", () => {
  const anchors = (file: string) =>
    all(read(file), /^#+ (.+)$/gm).map((title) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    );
  const links = documents.flatMap((document) =>
    all(read(document), /(?:\]\(|srcset="|src=")([^)"\s]+)/g)
      .filter((target) => !/^\w+:/.test(target))
      .map((target) => ({ document, target })),
  );
  expect(links.length).toBeGreaterThan(30);
  const dead = links.filter(({ document, target }) => {
    const [file = "", anchor] = target.split("#");
    const named = file === "" ? document : path.join(path.dirname(document), file);
    return !existsSync(path.join(root, named)) || (anchor !== undefined && !anchors(named).includes(anchor));
  });
  expect(dead).toEqual([]);
});
