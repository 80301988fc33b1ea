// Writes a picture of every state in every theme and in forced colours at four widths, and in every language at two
// widths, to extension/test/out/webview; it checks nothing. SHOTS=TEXT takes only states with TEXT in their names.
//
//   npx vitest run --config extension/test/webview/vitest.config.mts --mode screenshots

import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import { openView, useBrowser } from "./harness";
import { languages } from "./languages";
import { states } from "./states";
import type { ThemeName } from "./themes";

const folder = fileURLToPath(new URL("../out/webview", import.meta.url));
const names = Object.keys(states).filter((name) => name.includes(process.env.SHOTS ?? ""));

useBrowser();

interface Look {
  theme: ThemeName;
  widths: number[];
  locale?: keyof typeof languages;
  forcedColors?: "active" | "none";
}

const widths = [300, 420, 900, 1400];

/** The suffix of each picture's name, before its width. */
const looks: Record<string, Look> = {
  dark: { theme: "dark", widths },
  light: { theme: "light", widths },
  "high-contrast": { theme: "high-contrast", widths },
  "forced-colors": { theme: "high-contrast", widths, forcedColors: "active" },
};
for (const locale of Object.keys(languages)) {
  looks[`dark-${locale}`] = { theme: "dark", widths: [300, 900], locale };
}

describe.each(Object.entries(looks))(
  "%s",
  (look, { theme, widths, locale = "en", forcedColors = "none" }) => {
    it.each(names.flatMap((name) => widths.map((width) => [name, width] as const)))(
      "%s at %i px",
      async (name, width) => {
        await mkdir(folder, { recursive: true });
        const strings = languages[locale];
        const view = await openView({ theme, width, locale, strings, reducedMotion: "reduce", diffs: true });
        await view.page.emulateMedia({ forcedColors });
        await states[name]?.(view);
        await view.page.screenshot({ path: `${folder}/${name}-${look}-${width}.png`, fullPage: true });
      },
    );
  },
);
