// Writes a picture of every state in every theme at two widths, and in every language that has a bundle, to
// extension/test/out/webview; it checks nothing. SHOTS=TEXT takes only the states whose name holds TEXT.
//
//   npx vitest run --config extension/test/webview/vitest.config.mts --mode screenshots

import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import { openView, useBrowser } from "./harness";
import { languages } from "./languages";
import { states } from "./states";
import { type ThemeName, themes } from "./themes";

const folder = fileURLToPath(new URL("../out/webview", import.meta.url));
const names = Object.keys(states).filter((name) => name.includes(process.env.SHOTS ?? ""));

useBrowser();

/** The themes in English, and the other languages in one of them. */
const looks = [
  ...(Object.keys(themes) as ThemeName[]).map((theme) => ({ theme, locale: "en" })),
  ...Object.keys(languages).map((locale) => ({ theme: "dark" as const, locale })),
];

describe.each(looks)("$theme, $locale", ({ theme, locale }) => {
  it.each(names.flatMap((name) => [320, 900].map((width) => [name, width] as const)))(
    "%s at %i px",
    async (name, width) => {
      await mkdir(folder, { recursive: true });
      const strings = languages[locale];
      const view = await openView({ theme, width, locale, strings, reducedMotion: "reduce" });
      await states[name]?.(view);
      const file = [name, theme, width, ...(locale === "en" ? [] : [locale])].join("-");
      await view.page.screenshot({ path: `${folder}/${file}.png`, fullPage: true });
    },
  );
});
