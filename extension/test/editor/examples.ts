// The calls of the tests: the tag texts in testdata, with their content.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** One call in the tag form. */
export interface Example {
  /** The file's name without its extension: the language and a number. */
  name: string;
  /** The complete text with its tags. */
  tags: string;
  question: string;
  suggestions: string[];
}

const folder = path.join(import.meta.dirname, "testdata");

/** All examples. They have neither entities nor nested elements, so that patterns can parse them. */
export const examples: Example[] = readdirSync(folder)
  .sort()
  .map((file) => read(file));

/** The example with a name. */
export function example(name: string): Example {
  const found = examples.find((one) => one.name === name);
  if (!found) throw new Error(`no example ${name}`);
  return found;
}

/** The native form of an example: a tool call's input. */
export function nativeInput(one: Example): object {
  return { question: one.question, follow_up: one.suggestions.map((text) => ({ text, mode: null })) };
}

function read(file: string): Example {
  const tags = readFileSync(path.join(folder, file), "utf8").trimEnd();
  const question = /<question>(.*)<\/question>/.exec(tags)?.[1];
  if (!question) throw new Error(`no question in ${file}`);
  const suggestions = [...tags.matchAll(/<suggest>(.*)<\/suggest>/g)].map((match) => match[1] ?? "");
  return { name: path.parse(file).name, tags, question, suggestions };
}
