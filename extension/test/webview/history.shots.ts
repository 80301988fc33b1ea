// Writes a picture of every state of the history in every theme at two widths to extension/test/out/webview; it checks
// nothing. It runs with the other pictures.

import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import { useBrowser } from "./harness";
import { historyStates, openState } from "./history-states";
import { type ThemeName, themes } from "./themes";

const folder = fileURLToPath(new URL("../out/webview", import.meta.url));

useBrowser();

describe.each(Object.keys(themes) as ThemeName[])("%s", (theme) => {
  it.each(Object.keys(historyStates).flatMap((name) => [300, 900].map((width) => [name, width] as const)))(
    "history %s at %i px",
    async (name, width) => {
      await mkdir(folder, { recursive: true });
      const { page } = await openState(name, { theme, width });
      await page.screenshot({ path: `${folder}/history-${name}-${theme}-${width}.png` });
    },
  );
});
