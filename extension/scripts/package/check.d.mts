// The types of check.mjs.

import type { Bundled } from "./bundled.mjs";
import type { Target } from "./targets.mjs";

export const sizeLimit: number;
export const contents: string[];
export function flawsOf(file: string, target: Target): Promise<string[]>;
export function flawsIn(
  files: Map<string, Buffer>,
  target: Target,
  madeOf: (binary: Buffer) => Bundled[],
): string[];
