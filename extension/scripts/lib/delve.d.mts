// The types of delve.mjs.

export const delveBinary: string;
export function installDelve(): Promise<void>;
