// The types of chromium.mjs.

export const browserFlags: string[];
export function findBrowser(): string | undefined;
export function findShell(): string | undefined;
