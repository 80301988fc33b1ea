// Writes a picture of every state of the history in every theme at two widths, and in every language, to
// extension/test/out/webview; it checks nothing. SHOTS=history takes only these pictures.

import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import { useBrowser } from "./harness";
import { historyStates, openState } from "./history-states";
import { languages } from "./languages";
import { bodyClasses, type ThemeName } from "./themes";

const folder = fileURLToPath(new URL("../out/webview", import.meta.url));
const names = Object.keys(historyStates).filter((name) =>
  `history-${name}`.includes(process.env.SHOTS ?? ""),
);

useBrowser();

describe.each(Object.keys(bodyClasses) as ThemeName[])("%s", (theme) => {
  it.each(names.flatMap((name) => [300, 900].map((width) => [name, width] as const)))(
    "history %s at %i px",
    async (name, width) => {
      await mkdir(folder, { recursive: true });
      const { page } = await openState(name, { theme, width });
      await page.screenshot({ path: `${folder}/history-${name}-${theme}-${width}.png` });
    },
  );
});

// Buttons are found by their English text, so other languages show only states without buttons.
describe.each(Object.keys(languages))("in %s", (locale) => {
  it.each(
    ["list", "empty", "off", "search", "open-clicked", "open-survey", "deleted"].filter((name) =>
      names.includes(name),
    ),
  )("history %s", async (name) => {
    await mkdir(folder, { recursive: true });
    const { page } = await openState(name, { theme: "dark", width: 300, locale, strings: languages[locale] });
    await page.screenshot({ path: `${folder}/history-${name}-dark-300-${locale}.png` });
  });
});
