// Builds the interface for the tests as it is packaged, into a folder of their own. Vitest runs it once
// before the test files.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { copyIcons, webviewOptions } from "../../build.mjs";

/** Where the tests' bundle stands. */
export const bundleFolder = fileURLToPath(new URL("../out/webview-bundle", import.meta.url));

export default async function setup(): Promise<void> {
  await copyIcons(bundleFolder);
  await build({ ...webviewOptions(bundleFolder, false), logLevel: "warning" });
}
