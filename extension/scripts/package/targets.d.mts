// The types of targets.mjs.

export interface Target {
  name: string;
  goos: string;
  goarch: string;
  goarm?: string;
}
export const targets: Target[];
export function binaryName(target: Target): string;
export function binaryKey(target: Target): string;
export function isX86(target: Target): boolean;
export function isFor(target: Target, file: Buffer): boolean;
