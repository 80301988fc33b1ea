// A reporter of vitest's that tells the suite's runner which files there are, of each one as it ends, and what went wrong outside of
// them: lines of JSON on file descriptor 3.

import { writeSync } from "node:fs";
import { basename } from "node:path";

export default class Events {
  /** @param {readonly import("vitest/node").TestSpecification[]} files */
  onTestRunStart(files) {
    this.tell({ begun: files.map(({ moduleId }) => moduleId) });
  }

  /**
   * @param {readonly import("vitest/node").TestModule[]} _modules
   * @param {readonly import("vitest").SerializedError[]} errors
   */
  onTestRunEnd(_modules, errors) {
    this.tell({ errors: errors.map(({ message, stack }) => stack ?? message) });
  }

  /** @param {import("vitest/node").TestModule} module */
  onTestModuleEnd(module) {
    const cases = [...module.children.allTests()].map((test) => ({
      name: test.fullName,
      path: pathOf(test),
      state: test.result().state,
      milliseconds: test.diagnostic()?.duration ?? 0,
      why: whyOf(test.result().errors?.[0]),
    }));
    const { duration, collectDuration, setupDuration } = module.diagnostic();
    this.tell({
      file: module.moduleId,
      passed: module.state() === "passed",
      milliseconds: duration + collectDuration + setupDuration,
      cases,
      why: whyOf(errorOf(module)),
    });
  }

  /** @param {unknown} event */
  tell(event) {
    let rest = Buffer.from(`${JSON.stringify(event)}\n`);
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(3, rest));
      } catch (error) {
        // The pipe is full and the runner reads it.
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EAGAIN") throw error;
      }
    }
  }
}

/**
 * What went wrong in a file outside of its cases: while it was loaded, or in a hook.
 * @param {import("vitest/node").TestModule} module
 */
function errorOf(module) {
  const hooks = [...module.children.allSuites()].flatMap((suite) => suite.errors());
  return [...module.errors(), ...hooks][0];
}

/**
 * What was wrong, and where.
 * @param {import("vitest").TestError | undefined} error
 */
function whyOf(error) {
  const at = error?.stacks?.map(({ file, line }) => `${basename(file)}:${line}`) ?? [];
  return error && [at.join(" < "), error.message].filter(Boolean).join(": ");
}

/**
 * The names of the suites that a case is in, outermost first, and its own.
 * @param {import("vitest/node").TestCase | import("vitest/node").TestSuite} task
 * @returns {string[]}
 */
function pathOf(task) {
  return [...(task.parent.type === "module" ? [] : pathOf(task.parent)), task.name];
}
