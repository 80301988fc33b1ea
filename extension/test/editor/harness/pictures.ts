// Takes the documentation's pictures.

import { mkdir } from "node:fs/promises";
import path from "node:path";
import { root } from "../../../scripts/lib/paths.mjs";
import type { Editor } from "./editor";
import type { Workbench } from "./workbench";

export const folder = path.resolve(root, process.env.FOLLOWUP_PICTURES || "docs/pictures");

/**
 * Takes a picture in each theme, NAME-light.png and NAME-dark.png, of the window or of the part of it with that class. The editor follows the
 * system's theme.
 */
export async function pictures(
  { workbench: { page } }: Editor,
  name: string,
  part = ".monaco-workbench",
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.locator(`.monaco-workbench.vs${colorScheme === "dark" ? "-dark" : ""}`).waitFor();
    await page.locator(part).screenshot({ path: path.join(folder, `${name}-${colorScheme}.png`) });
  }
}

/** Drags the edge of the side bar until it is that wide, in CSS pixels. */
export async function widenSideBar({ page }: Workbench, width: number): Promise<void> {
  const edge = await page.locator(".part.sidebar").boundingBox();
  if (!edge) throw new Error("there is no side bar");
  await page.mouse.move(edge.x + edge.width, edge.y + edge.height / 2);
  await page.mouse.down();
  await page.mouse.move(edge.x + width, edge.y + edge.height / 2, { steps: 5 });
  await page.mouse.up();
}
