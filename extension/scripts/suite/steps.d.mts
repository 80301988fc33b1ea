// The types of steps.mjs that tests use.

export interface Step {
  name: string;
  /** The steps that must have succeeded before it begins. */
  needs?: string[];
  /** Gives whether it succeeded. */
  run(): Promise<boolean>;
}

export function runSteps(
  steps: Step[],
  atOnce: number,
  omitted: (step: Step, failed: string) => void,
): Promise<void>;
