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
  readonly cases: readonly Case[];
  readonly unstable: readonly Case[];
  readonly troubles: readonly { suite: string; what: string }[];
  readonly passed: boolean;
  add(one: Case): void;
  repeat(suite: string, names: string[]): void;
  count(state: Case["state"], suite?: string): number;
}
