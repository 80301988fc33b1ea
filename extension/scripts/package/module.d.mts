// The types of module.mjs.

export function modulePath(): string;
export function withModulePath(name: string, text: string, to: string, from?: string): string;
