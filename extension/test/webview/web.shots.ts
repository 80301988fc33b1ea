// Pictures of the page in a browser at a phone's width, for the README.

import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { expect, it } from "vitest";
import { browserFlags, findBrowser } from "../../scripts/lib/chromium.mjs";
import { Program } from "./web";

const pictures = fileURLToPath(new URL("../../../docs/pictures", import.meta.url));

it("is what the README shows", async () => {
  const program = await Program.build();
  const storage = await program.storage();
  const [web, editor] = await Promise.all([program.serve(storage), program.editor(storage)]);
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags });
  try {
    await editor.ask(
      "The migration takes **40 minutes** on the copy of production. When should it run?",
      "Tonight at 02:00, with the site read-only",
      "Now, in batches that take no lock",
      "Leave it; I'll plan it with the team",
    );
    const context = await browser.newContext({
      viewport: { width: 360, height: 600 },
      deviceScaleFactor: 2,
      hasTouch: true,
      isMobile: true,
    });
    const page = await context.newPage();
    await page.goto(web.url);
    await page.locator("followup-card").waitFor();
    await page.locator("followup-app:not(:has([data-fresh]))").waitFor();
    for (const colorScheme of ["dark", "light"] as const) {
      // Otherwise the picture could show colours fading from the other theme.
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
      const picture = await page.screenshot({ path: `${pictures}/browser-${colorScheme}.png` });
      expect(picture.length).toBeGreaterThan(0);
    }
  } finally {
    await browser.close();
    await Promise.all([web.end(), editor.end()]);
    await program.remove();
  }
});
