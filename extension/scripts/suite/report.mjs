// What the suites tell: a line as each package and file ends, what failed and how to run it alone, the slowest cases and
// the counts at the end.

import path from "node:path";

/**
 * A case that has ended.
 * @typedef {object} Case
 * @property {string} suite
 * @property {string} name
 * @property {string} file
 * @property {"passed" | "failed" | "skipped"} state
 * @property {number} seconds
 * @property {string} alone the command that runs it alone
 * @property {string} [why] what was wrong, where the suite tells it
 * @property {boolean} [parent] it is made of other cases, which are listed themselves
 */

const slowest = 10;

export class Report {
  /** @type {Case[]} */
  cases = [];
  /** Cases that failed before their file was repeated. @type {Case[]} */
  unstable = [];
  /** What failed besides cases, by suite. @type {{suite: string, what: string}[]} */
  troubles = [];
  /** @type {Map<string, number>} */
  seconds = new Map();

  /** @param {Case} one */
  add(one) {
    this.cases.push(one);
    if (one.state !== "passed") {
      console.log(
        `${one.state.toUpperCase()} ${one.suite}: ${one.name}\n  in ${one.file}; alone: ${one.alone}`,
      );
      if (one.why) console.log(indented(one.why, 4000));
    }
  }

  /**
   * A package or a file has ended.
   * @param {string} suite
   * @param {string} name
   * @param {boolean} passed
   * @param {number} seconds
   * @param {number} count of its cases
   */
  ended(suite, name, passed, seconds, count) {
    const time = `${seconds.toFixed(1)} s`.padStart(8);
    console.log(`${passed ? "ok  " : "FAIL"} ${suite.padEnd(8)}${time}  ${name}, ${count} cases`);
  }

  /**
   * Files, or packages, are repeated: their cases count as they end then.
   * @param {string} suite
   * @param {string[]} names of files or folders, relative to the root
   */
  repeat(suite, names) {
    const named = (/** @type {Case} */ { file }) =>
      [file, path.posix.dirname(file)].some((each) => names.includes(each));
    const repeated = this.cases.filter((one) => one.suite === suite && named(one));
    this.unstable.push(...repeated.filter(({ state }) => state === "failed"));
    this.cases = this.cases.filter((one) => !repeated.includes(one));
  }

  /**
   * Something failed that is no case.
   * @param {string} suite
   * @param {string} what
   */
  trouble(suite, what) {
    this.troubles.push({ suite, what });
    console.error(`FAIL ${suite}: ${what}`);
  }

  /**
   * How many cases of a suite, or of all, ended so.
   * @param {Case["state"]} state
   * @param {string} [suite]
   */
  count(state, suite) {
    const troubles = this.troubles.filter((one) => state === "failed" && (suite ?? one.suite) === one.suite);
    const cases = this.cases.filter((one) => one.state === state && (suite ?? one.suite) === one.suite);
    return cases.length + troubles.length;
  }

  /** Anything but all passed is a failure, a skipped case too. */
  get passed() {
    return this.count("failed") + this.count("skipped") === 0 && this.count("passed") > 0;
  }

  /** Prints the files that needed a second try, the slowest cases, what failed, and the counts. */
  print() {
    if (this.unstable.length > 0) {
      const files = [...new Set(this.unstable.map(({ file }) => file))];
      const still = files.filter((file) =>
        this.cases.some((one) => one.file === file && one.state !== "passed"),
      );
      console.log("\n── failed at first and were repeated");
      for (const file of files)
        console.log(`${file}: ${still.includes(file) ? "failed again" : "passed then"}`);
      console.log("");
      for (const one of this.unstable) this.printFailure(one);
    }
    const leaves = this.cases.filter((one) => !one.parent);
    console.log(`\n── the ${slowest} slowest cases`);
    for (const one of leaves.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowest)) {
      console.log(`${one.seconds.toFixed(1).padStart(7)} s  ${one.suite.padEnd(8)} ${one.file}: ${one.name}`);
    }
    if (!this.passed) {
      console.log("\n── what did not pass");
      for (const one of this.cases.filter(({ state }) => state !== "passed")) this.printFailure(one);
      for (const { suite, what } of this.troubles) {
        console.log(`${suite}: ${what}`);
      }
    }
    console.log("\n── suites");
    for (const [suite, seconds] of this.seconds) {
      const counts = /** @type {const} */ (["passed", "failed", "skipped"]).map(
        (state) => `${this.count(state, suite)} ${state}`,
      );
      console.log(`${suite.padEnd(8)} ${counts.join(", ")} in ${Math.round(seconds)} s`);
    }
    console.log(
      `\n${this.count("passed")} passed, ${this.count("failed")} failed, ${this.count("skipped")} skipped`,
    );
  }

  /** @param {Case} one */
  printFailure(one) {
    console.log(`${one.suite}: ${one.name} (${one.state})\n  in ${one.file}; alone: ${one.alone}`);
    // The whole stands where it ended; here every case is to be seen at once.
    if (one.why) console.log(indented(one.why, 300));
  }
}

/**
 * @param {string} text
 * @param {number} limit in characters
 */
function indented(text, limit) {
  return text.slice(0, limit).trimEnd().replaceAll(/^/gm, "    ");
}
