// The path of the built extension package for this platform.

import { existsSync } from "node:fs";
import path from "node:path";
import { root } from "./paths.mjs";
import { StepError } from "./step.mjs";

/**
 * Returns the VSIX that `make package` built, or the one in FOLLOWUP_VSIX. Throws a StepError if it is missing.
 * @param {string} [given] a path to use instead
 * @returns {string} its absolute path
 */
export function vsixFile(given) {
  const named = given ?? process.env.FOLLOWUP_VSIX;
  const file = path.resolve(root, named || `followup-${process.platform}-${process.arch}.vsix`);
  if (!existsSync(file)) throw new StepError(`${file} is missing: run "make package" first.`);
  return file;
}
