// The types of chromium.mjs.

export const briefPageFlags: string[];
export const browserFlags: string[];
export function findBrowser(): string | undefined;
export function findShell(): string | undefined;
