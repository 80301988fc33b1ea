// The report of a run: a line as each package and file ends, the failures with commands to run them alone, the slowest cases, and totals.

/**
 * A case that has ended.
 * @typedef {object} Case
 * @property {string} suite
 * @property {string} name
 * @property {string} file its test file, or its package's folder
 * @property {"passed" | "failed" | "skipped"} state
 * @property {number} seconds
 * @property {string} alone the command that runs it alone
 * @property {string} [why] the failure, if the suite reports one
 */

const slowest = 10;

export class Report {
  /** @param {{strict?: boolean}} [options] strict: a skipped case is a failure, as in CI for root, who can run everything */
  constructor({ strict = Boolean(process.env.CI) && process.getuid?.() === 0 } = {}) {
    this.strict = strict;
  }

  /** @type {Case[]} */
  cases = [];
  /** Cases that failed before their file was repeated. @type {Case[]} */
  unstable = [];
  /** Failures that are not cases. @type {{suite: string, what: string}[]} */
  troubles = [];
  /** The time of each suite. @type {Map<string, number>} */
  seconds = new Map();

  /**
   * A package or a file has ended.
   * @param {string} suite
   * @param {string} file
   * @param {number} seconds
   * @param {Case[]} cases
   */
  ended(suite, file, seconds, cases) {
    const failed = cases.filter(({ state }) => state !== "passed");
    const time = `${seconds.toFixed(1)} s`.padStart(8);
    console.log(
      `${failed.every(({ state }) => state === "skipped") ? "ok  " : "FAIL"} ${suite.padEnd(8)}${time}  ${file}, ${cases.length} cases`,
    );
    for (const one of failed) printCase(one, 4000);
    this.cases.push(...cases);
  }

  /**
   * Forgets the cases of files that are about to run again.
   * @param {string} suite
   * @param {string[]} files
   */
  repeat(suite, files) {
    const repeated = this.cases.filter((one) => one.suite === suite && files.includes(one.file));
    this.unstable.push(...repeated.filter(({ state }) => state === "failed"));
    this.cases = this.cases.filter((one) => !repeated.includes(one));
  }

  /**
   * Something failed that is not a case.
   * @param {string} suite
   * @param {string} what
   */
  trouble(suite, what) {
    this.troubles.push({ suite, what });
    console.error(`FAIL ${suite}: ${what}`);
  }

  /**
   * The number of cases with a state, in a suite or in all. A trouble counts as a failed case.
   * @param {Case["state"]} state
   * @param {string} [suite]
   */
  count(state, suite) {
    const troubles = state === "failed" ? this.troubles : [];
    const cases = this.cases.filter((one) => one.state === state);
    return [...cases, ...troubles].filter((one) => (suite ?? one.suite) === one.suite).length;
  }

  get passed() {
    return this.count("failed") + (this.strict ? this.count("skipped") : 0) === 0;
  }

  /** Prints the repeated files, the slowest cases, the failures, and the totals. */
  print() {
    if (this.unstable.length > 0) {
      console.log("\n── failed at first and were repeated");
      for (const file of new Set(this.unstable.map((one) => one.file))) {
        const again = this.cases.some((one) => one.file === file && one.state !== "passed");
        console.log(`${file}: ${again ? "failed again" : "passed then"}`);
      }
      for (const one of this.unstable) printCase(one, 300);
    }
    console.log(`\n── the ${slowest} slowest cases`);
    for (const one of this.cases.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowest)) {
      console.log(`${one.seconds.toFixed(1).padStart(7)} s  ${one.suite.padEnd(8)} ${one.file}: ${one.name}`);
    }
    if (!this.passed || this.count("skipped") > 0) {
      console.log("\n── what did not pass");
      for (const one of this.cases.filter(({ state }) => state !== "passed")) printCase(one, 300);
      for (const { suite, what } of this.troubles) console.log(`${suite}: ${what}`);
    }
    console.log("\n── suites");
    const totals = (/** @type {string | undefined} */ suite = undefined) =>
      /** @type {const} */ (["passed", "failed", "skipped"])
        .map((state) => `${this.count(state, suite)} ${state}`)
        .join(", ");
    for (const [suite, seconds] of this.seconds) {
      console.log(`${suite.padEnd(8)} ${totals(suite)} in ${Math.round(seconds)} s`);
    }
    console.log(`\n${totals()}`);
  }
}

/**
 * @param {Case} one
 * @param {number} limit the longest failure text, in characters
 */
function printCase({ suite, name, state, file, alone, why = "" }, limit) {
  console.log(`${state.toUpperCase()} ${suite}: ${name}\n  in ${file}; alone: ${alone}`);
  if (why) console.log(why.slice(0, limit).trimEnd().replaceAll(/^/gm, "    "));
}
