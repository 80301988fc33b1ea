// The types of paths.mjs.

export const root: string;
export const cache: string;
export const editorFolder: string;
export const logFolder: string;
export const editorManifestFolder: string;
export const editorNodePackage: string;
export function nodeFolder(folder?: string): string;
export function nodeBinary(folder?: string): string;
export function codeServerEntry(folder?: string): string;
export function findCommand(...names: string[]): string | undefined;
