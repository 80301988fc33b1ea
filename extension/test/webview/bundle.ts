// Builds the interface for the tests like the package, except that it can start again, into its own folder.
// Vitest runs this once before the test files.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { webviewOptions } from "../../build.mjs";

/** The folder of the tests' bundle. */
export const bundleFolder = fileURLToPath(new URL("../out/webview-bundle", import.meta.url));

export default async function setup(): Promise<void> {
  const options = webviewOptions(bundleFolder, false);
  const webview = fileURLToPath(new URL("entry.ts", import.meta.url));
  await build({ ...options, entryPoints: { ...options.entryPoints, webview }, logLevel: "warning" });
}
