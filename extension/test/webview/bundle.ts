// Builds the interface for the tests like the package, except that the editor's can start again, and into folders of their own. Vitest
// runs this once before the test files.

import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { browserOptions, copyBrowserFiles, webviewOptions } from "../../build.mjs";

/** The folder of the page for browsers. */
export const pageFolder = fileURLToPath(new URL("../out/browser-page", import.meta.url));

/** The folder of the editor's bundle. */
export const bundleFolder = fileURLToPath(new URL("../out/webview-bundle", import.meta.url));

export default async function setup(): Promise<void> {
  const options = webviewOptions(bundleFolder, false);
  const webview = fileURLToPath(new URL("entry.ts", import.meta.url));
  await mkdir(pageFolder, { recursive: true });
  await Promise.all([
    build({ ...options, entryPoints: { ...options.entryPoints, webview }, logLevel: "warning" }),
    build({ ...browserOptions(pageFolder, false), logLevel: "warning" }),
    copyBrowserFiles(pageFolder),
  ]);
}
