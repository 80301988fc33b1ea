// A vitest reporter for the suites' runner. It adds its own lines to vitest's: the files to run, each file as
// it ends, and errors outside files.

import { basename } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** The prefix of each line; JSON follows. */
export const mark = "vitest-event ";

const tell = (/** @type {unknown} */ event) => console.log(mark + JSON.stringify(event));

export default class Events {
  /** @param {readonly import("vitest/node").TestSpecification[]} files */
  onTestRunStart(files) {
    tell({ begun: files.map(({ moduleId }) => moduleId) });
  }

  /** @param {import("vitest/node").TestModule} module */
  onTestModuleEnd(module) {
    const cases = [...module.children.allTests()].map((test) => {
      const { state, errors } = test.result();
      const seconds = (test.diagnostic()?.duration ?? 0) / 1000;
      return { name: test.fullName, state, seconds, why: whyOf(errors?.[0]) };
    });
    if (module.state() === "failed" && !cases.some(({ state }) => state === "failed")) {
      // The file failed while loading, or in a hook.
      const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((one) => one.errors())];
      cases.push({ name: "", state: "failed", seconds: 0, why: whyOf(errors[0]) });
    }
    // Without the time until it had a slot.
    const { duration, collectDuration } = module.diagnostic();
    tell({ file: module.moduleId, seconds: (duration + collectDuration) / 1000, cases });
  }

  /**
   * @param {readonly import("vitest/node").TestModule[]} _modules
   * @param {readonly import("vitest").SerializedError[]} errors
   */
  onTestRunEnd(_modules, errors) {
    tell({ errors: errors.map(({ message, stack }) => stack ?? message) });
  }
}

/**
 * The error's place and message, and what differs from the expected value.
 * @param {import("vitest").TestError | undefined} error
 */
function whyOf(error) {
  const at = error?.stacks?.map(({ file, line }) => `${basename(file)}:${line}`) ?? [];
  const message = error && [at.join(" < "), error.message].filter(Boolean).join(": ");
  return error?.diff ? `${message}\n${stripVTControlCharacters(error.diff)}` : message;
}
