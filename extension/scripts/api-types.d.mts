// The types of api-types.mjs.

export const apiTypesFile: string;
export function apiTypes(): string;
