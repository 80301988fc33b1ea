// The types of npm.mjs.

export function writeNpmPackages(
  folder: string,
  programs: { goos: string; goarch: string; path: string }[],
  manifest: Record<string, unknown>,
  notices: string,
): string[];
