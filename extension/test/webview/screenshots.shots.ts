// Writes a picture of every state in every theme at two widths to extension/test/out/webview; it checks
// nothing.
//
//   npx vitest run --config extension/test/webview/vitest.config.mts --mode screenshots

import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import { openView, useBrowser } from "./harness";
import { states } from "./states";
import { type ThemeName, themes } from "./themes";

const folder = fileURLToPath(new URL("../out/webview", import.meta.url));

useBrowser();

describe.each(Object.keys(themes) as ThemeName[])("%s", (theme) => {
  it.each(Object.keys(states).flatMap((name) => [320, 900].map((width) => [name, width] as const)))(
    "%s at %i px",
    async (name, width) => {
      await mkdir(folder, { recursive: true });
      const view = await openView({ theme, width, reducedMotion: "reduce" });
      await states[name]?.(view);
      await view.page.screenshot({ path: `${folder}/${name}-${theme}-${width}.png`, fullPage: true });
    },
  );
});
