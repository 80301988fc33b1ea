// The types of calls.mjs.

export function absoluteCalls(program: Uint8Array): Uint8Array<ArrayBuffer>;
export function relativeCalls(program: Uint8Array): Uint8Array<ArrayBuffer>;
