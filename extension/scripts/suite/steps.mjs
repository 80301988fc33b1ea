// The steps of a run: each begins after its dependencies have succeeded. A command holds one of the run's slots; a suite's files and
// packages take their own.

import { run } from "./process.mjs";

/**
 * @typedef {Promise<boolean>} Step resolves to whether it succeeded
 */

export class Steps {
  /**
   * @param {import("./report.mjs").Report} report
   * @param {import("./slots.mjs").Slots} slots
   */
  constructor(report, slots) {
    this.report = report;
    this.slots = slots;
  }

  /**
   * Runs work after the steps that it needs. If one of them fails, the work is skipped and reported.
   * @param {string} name
   * @param {Step[]} needs
   * @param {() => Step} work
   * @returns {Step}
   */
  async step(name, needs, work) {
    if ((await Promise.all(needs)).includes(false)) {
      this.report.trouble(name, "not run, because a step that it needs failed");
      return false;
    }
    return await work();
  }

  /**
   * A command that counts in the report only if it fails.
   * @param {string} name
   * @param {Step[]} needs
   * @param {string[]} command
   * @param {{shown?: boolean}} [options] shown: print its output as it comes, not only after a failure
   */
  command(name, needs, command, { shown = false } = {}) {
    return this.step(name, needs, async () => {
      /** @type {string[]} */
      const lines = [];
      const release = await this.slots.take();
      const status = await run(command, { onLine: shown ? undefined : (line) => lines.push(line) });
      release();
      if (status !== 0) {
        console.log(lines.join("\n"));
        this.report.trouble(name, `${command.join(" ")} ended with status ${status}`);
      }
      return status === 0;
    });
  }

  /**
   * A suite, whose time is reported. It succeeds whatever its cases do.
   * @param {string} name
   * @param {Step[]} needs
   * @param {() => Promise<unknown>} tests
   */
  suite(name, needs, tests) {
    return this.step(name, needs, async () => {
      const start = Date.now();
      await tests();
      this.report.seconds.set(name, (Date.now() - start) / 1000);
      return true;
    });
  }
}
