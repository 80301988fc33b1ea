// Types of go.mjs, for the tests.

import type { Report } from "./report.mjs";

export const raceFlags: string[];
export function go(
  report: Report,
  options?: { packages?: string[]; flags?: string[]; env?: NodeJS.ProcessEnv },
): Promise<string[]>;
