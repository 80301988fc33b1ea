// The types of build.mjs, for the tests that build the interface's bundle.

import type { BuildOptions } from "esbuild";

export function extensionOptions(outputFolder: string, dev: boolean): BuildOptions;
export function webviewOptions(outputFolder: string, dev: boolean): BuildOptions;
export function browserOptions(outputFolder: string, dev: boolean): BuildOptions;
export function copyBrowserFiles(outputFolder: string): Promise<void>;
