// The order in which vitest runs a suite's files: the longest first, the others by name. When the cases are
// shuffled, the seed determines the order.

import { createHash } from "node:crypto";
import { basename } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files. If one of them began last, it would run alone at the end. */
const longest = [
  ...["copilot.test.ts", "webview.test.ts", "chat.test.ts", "accessibility.test.ts", "safety.test.ts"],
  ...["web.test.ts", "history-safety.test.ts", "history.test.ts", "questionnaire.test.ts", "windows.test.ts"],
];

/** The `sequence.sequencer` of the suites. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence;
    const key = ({ moduleId }: TestSpecification) =>
      shuffle ? createHash("sha256").update(`${seed} ${moduleId}`).digest("hex") : place(moduleId) + moduleId;
    return [...files].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  }
}

/** A letter for each of the slowest files in order, and a later one for all others. */
function place(moduleId: string): string {
  const index = longest.indexOf(basename(moduleId));
  return String.fromCharCode(97 + (index < 0 ? longest.length : index));
}
