// Takes the documentation's pictures.

import { mkdir } from "node:fs/promises";
import path from "node:path";
import { root } from "../../../scripts/lib/paths.mjs";
import type { Editor } from "./editor";

export const folder = path.resolve(root, process.env.FOLLOWUP_PICTURES || "docs/pictures");

/** Takes a picture of the window in each theme: NAME-light.png and NAME-dark.png. The editor follows the system's theme. */
export async function pictures({ workbench: { page } }: Editor, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.locator(`.monaco-workbench.vs${colorScheme === "dark" ? "-dark" : ""}`).waitFor();
    await page.screenshot({ path: path.join(folder, `${name}-${colorScheme}.png`) });
  }
}
