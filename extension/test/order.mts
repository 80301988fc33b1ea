// The order in which vitest runs a suite's files: by their names, the same every time; where the cases are shuffled, by a
// number made of the seed and the name.

import { createHash } from "node:crypto";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The `sequence.sequencer` of the suites. */
export class ByName extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence;
    const key = ({ moduleId }: TestSpecification) =>
      shuffle ? createHash("sha256").update(`${seed} ${moduleId}`).digest("hex") : moduleId;
    return [...files].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  }
}
