// Types of report.mjs, for the tests.

export interface Case {
  suite: string;
  name: string;
  file: string;
  state: "passed" | "failed" | "skipped";
  seconds: number;
  alone: string;
  why?: string;
  parent?: boolean;
}
export class Report {
  readonly unstable: readonly Case[];
  readonly passed: boolean;
  add(one: Case): void;
  repeat(suite: string, files: string[]): void;
  count(state: Case["state"], suite?: string): number;
}
