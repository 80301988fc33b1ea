// Every translation says what the English says, in the typography of its language: VS Code's own translations are the model.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const read = (name: string) => readFileSync(join(root, name), "utf8");

/** Messages to models, worded like the ones of the agents whose calls Followup reads. internal/dialect has their cases. */
const prescribed = [
  "Failed to parse operations: {0}",
  "Invalid operations xml format",
  "Missing required parameter '{0}'",
];

interface Pair {
  /** The key of a bundle, or the name of a file. */
  at: string;
  english: string;
  translated: string;
}

/** Every text in a language, beside its English. A file of the walkthrough is a text. */
function pairs(language: string): Pair[] {
  const all: Pair[] = ["agent", "connect"].map((name) => ({
    at: name,
    english: read(`extension/walkthrough/${name}.md`),
    translated: read(`extension/walkthrough/${name}.nls.${language}.md`),
  }));
  const english = JSON.parse(read("package.nls.json"));
  for (const name of ["package.nls", "l10n/bundle.l10n", "internal/locale/l10n/bundle.l10n"]) {
    for (const [at, translated] of Object.entries<string>(JSON.parse(read(`${name}.${language}.json`)))) {
      all.push({ at, english: name === "package.nls" ? english[at] : at, translated });
    }
  }
  expect(all.length).toBeGreaterThan(600);
  return all.filter(({ at }) => !prescribed.includes(at));
}

/** The translations for which a check finds something, with what it finds. */
function wrong(language: string, check: (pair: Pair) => unknown): unknown[] {
  return pairs(language).flatMap((pair) => {
    const found = check(pair);
    return found ? [[pair.at, pair.translated, found]] : [];
  });
}

/** The different matches of a pattern in a text, in a fixed order. */
const parts = (text: string, pattern: RegExp) => [...new Set(text.match(pattern))].sort().join(" ");

const languages = ["fr", "pt-br", "zh-cn"];

test.each(languages)("%s has the placeholders, links, code and flags of the English", (language) => {
  for (const pattern of [/\{\w+\}/g, /\]\([^)]*\)/g, /`[^`]*`/g, /--[a-z][\w-]*/g]) {
    const differ = ({ english, translated }: Pair) => parts(translated, pattern) !== parts(english, pattern);
    expect(wrong(language, differ), String(pattern)).toEqual([]);
  }
});

test.each(languages)("%s ends as the English does, and has no stray spaces", (language) => {
  const ends = (text: string) =>
    /[.:;?!…。：；？！]?$/
      .exec(text.trimEnd())?.[0]
      .replace("。", ".")
      .replace("：", ":")
      .replace("；", ";")
      .replace("？", "?")
      .replace("！", "!");
  expect(wrong(language, ({ english, translated }) => ends(english) !== ends(translated))).toEqual([]);
  expect(wrong(language, ({ translated }) => /^\s| {2}|[ \u00a0]\n/.exec(translated))).toEqual([]);
});

test("Chinese has full-width punctuation without spaces, and addresses the user as 您", () => {
  // The editor writes a command's category before a half-width colon.
  const text = ({ translated }: Pair) => translated.replaceAll(/(Followup|开发人员): /g, "$1：");
  expect(wrong("zh-cn", (pair) => /[，。：；？！、（）“”] | [，。：；？！、（）]/.exec(text(pair)))).toEqual(
    [],
  );
  expect(
    wrong("zh-cn", (pair) =>
      /\p{Script=Han}(?:[,.:;?!)]| ?\((?!command))|[,:;?!()]\p{Script=Han}|你/u.exec(text(pair)),
    ),
  ).toEqual([]);
});

test("French has a no-break space before : ; ? ! and inside quotation marks, and straight apostrophes", () => {
  const text = ({ translated }: Pair) => translated.replaceAll(/"[^"]*":|&\w+;/g, ""); // members of JSON, entities
  const space = /[^\u00a0\s][:;?!](?=\s|$)| [:;?!»]|«[^\u00a0]|[^\u00a0]»|’/;
  expect(wrong("fr", (pair) => space.exec(text(pair)))).toEqual([]);
});

/** The words that begin no title in English, and their like in Portuguese. */
const minor = new Set(
  "a an and as at by for from in is it of on or that the this to with"
    .split(" ")
    .concat(
      "a à ao aos as às com como da das de do dos e em o ou os na nas nesta no nos para por um uma".split(
        " ",
      ),
    ),
);

/** The words of a text, without placeholders and keys. */
const words = (text: string) => text.replaceAll(/\{\w+\}|\([^)]*\)/g, "").match(/\p{L}[\p{L}'’-]*/gu) ?? [];

/** Whether every word of a text is capitalized, except the minor ones in its middle. */
function isTitle(text: string): boolean {
  const all = words(text);
  const main = all.filter((word, i) => i === 0 || i === all.length - 1 || !minor.has(word.toLowerCase()));
  return main.length > 1 && !/[.?:]$/.test(text) && main.every((word) => /^\p{Lu}/u.test(word));
}

/** The titles of a language: whole texts, and the links in them. */
function titles(language: string): Pair[] {
  const links = (text: string) => [...text.matchAll(/\[([^\]]+)\]\(/g)].map(([, link]) => link as string);
  return pairs(language)
    .flatMap(({ at, english, translated }) => [
      { at, english, translated },
      ...links(english).map((link, i) => ({ at, english: link, translated: links(translated)[i] as string })),
    ])
    .filter(({ english }) => isTitle(english));
}

test("a title is a title in Portuguese, and a sentence in French", () => {
  const portuguese = titles("pt-br").filter(
    ({ translated }) => words(translated).length > 1 && !isTitle(translated),
  );
  expect(portuguese.map(({ english, translated }) => [english, translated])).toEqual([]);
  // A name has its capital in English, too.
  const french = titles("fr").filter(({ english, translated }) =>
    words(translated)
      .slice(1)
      .some((word) => /^\p{Lu}/u.test(word) && !english.includes(word)),
  );
  expect(french.map(({ english, translated }) => [english, translated])).toEqual([]);
});

test.each(languages)("a title has one translation in %s", (language) => {
  const translations = new Map<string, Set<string>>();
  for (const { english, translated } of titles(language)) {
    const title = english.replace(/…$/, "");
    translations.set(title, (translations.get(title) ?? new Set()).add(translated.replace(/…$/, "")));
  }
  expect(translations.size).toBeGreaterThan(40);
  const several = [...translations].filter(([, found]) => found.size > 1);
  expect(several.map(([title, found]) => [title, ...found])).toEqual([]);
});
