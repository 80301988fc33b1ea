// The types of vsix.mjs.

export function vsixFile(given?: string): string;
