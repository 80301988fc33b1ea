// Builds the interface for the tests as it is packaged, but that it can begin again, into a folder of their own. Vitest runs it
// once before the test files.

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
