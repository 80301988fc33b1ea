// The readers from the npm registry, driven over standard input to do one turn, or to keep a text; package bench says how.

import { createInterface } from "node:readline";
import { contenders } from "./contenders.mjs";

const chunk = 16;

/** Texts by their names, whole and in chunks that are strings of their own, as a stream gives them. */
const texts = new Map();

function keep(name, whole) {
  const bytes = Buffer.from(whole);
  const chunks = [];
  for (let i = 0; i < bytes.length; i += chunk) {
    chunks.push(bytes.toString("latin1", i, Math.min(i + chunk, bytes.length)));
  }
  texts.set(name, { whole, chunks });
}

/** Nanoseconds: of processor time, garbage collector and compiler included, or those that pass. */
function now() {
  if (process.argv[2] === "cpu") {
    const { user, system } = process.cpuUsage();
    return (user + system) * 1000;
  }
  return Math.round(performance.now() * 1e6);
}

function turn({ run, name, times }) {
  const { whole, chunks } = texts.get(name);
  const read = contenders[run];
  const begin = now();
  let result;
  for (let i = 0; i < times; i++) {
    result = read(chunks, whole);
  }
  const ns = now() - begin;
  if (result.suggestions !== 2 || result.question < whole.length / 2) {
    throw new Error(`read ${JSON.stringify(result)}`);
  }
  return { ns };
}

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  if (order.text !== undefined) {
    keep(order.name, order.text);
    continue;
  }
  let answer;
  try {
    answer = turn(order);
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
