// Steps that need one another, side by side.

import { run } from "./process.mjs";

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} [needs] the steps that must have succeeded before it begins
 * @property {() => Promise<boolean>} run gives whether it succeeded
 */

/**
 * Runs all steps, each as soon as what it needs is there, but no more than so many at once, in their order. Where a step
 * fails, those that need it are not run.
 * @param {Step[]} steps
 * @param {number} atOnce
 * @param {(step: Step, failed: string) => void} omitted is told of a step that is not run, and of what it needed
 */
export async function runSteps(steps, atOnce, omitted) {
  const waiting = [...steps];
  /** @type {Map<string, boolean>} */
  const ended = new Map();
  /** @type {Set<Promise<void>>} */
  const running = new Set();
  while (waiting.length > 0 || running.size > 0) {
    const left = waiting.length;
    for (const step of [...waiting]) {
      const needs = step.needs ?? [];
      const failed = needs.find((name) => ended.get(name) === false);
      if (failed !== undefined) {
        waiting.splice(waiting.indexOf(step), 1);
        ended.set(step.name, false);
        omitted(step, failed);
      } else if (running.size < atOnce && needs.every((name) => ended.get(name))) {
        waiting.splice(waiting.indexOf(step), 1);
        const end = step.run().then((succeeded) => {
          ended.set(step.name, succeeded);
          running.delete(end);
        });
        running.add(end);
      }
    }
    if (running.size > 0) await Promise.race(running);
    else if (waiting.length === left) throw new Error(`nobody brings what ${waiting[0]?.name} needs`);
  }
}

/**
 * A step that is a command. What it writes is shown when it fails; it counts only then.
 * @param {import("./report.mjs").Report} report
 * @param {string} name
 * @param {string[]} command
 * @param {{needs?: string[], shown?: boolean, env?: NodeJS.ProcessEnv}} [options] shown: what it writes is shown as it comes
 * @returns {Step}
 */
export function commandStep(report, name, command, { needs, shown = false, env } = {}) {
  return {
    name,
    needs,
    run: async () => {
      /** @type {string[]} */
      const lines = [];
      const status = await run(command, { env, onLine: shown ? undefined : (line) => lines.push(line) });
      if (status !== 0) {
        console.log(lines.join("\n"));
        report.trouble(name, `${command.join(" ")} ended with status ${status}`);
      }
      return status === 0;
    },
  };
}

/**
 * A step that is a suite, whose time is reported.
 * @param {import("./report.mjs").Report} report
 * @param {string} name
 * @param {() => Promise<unknown>} tests
 * @param {string[]} [needs]
 * @returns {Step}
 */
export function suiteStep(report, name, tests, needs) {
  return {
    name,
    needs,
    run: async () => {
      const start = Date.now();
      await tests();
      report.seconds.set(name, (Date.now() - start) / 1000);
      return true;
    },
  };
}
