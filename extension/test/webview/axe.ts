// axe's findings in a page.

import axe, { type AxeResults, type RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { wearTheme } from "./stage";
import { checkedThemes } from "./themes";

declare global {
  interface Window {
    axe: { run(options: RunOptions): Promise<AxeResults> };
  }
}

/** The rules about colours. The other rules' results do not depend on the theme. */
const ofColours = ["color-contrast", "link-in-text-block"];

/** Fails if axe finds violations in any look of the page, and lists the elements and problems. */
export async function expectAccessible(
  page: Page,
  looks: [name: string, wear: () => Promise<void>][] = checkedThemes.map((name) => [
    name,
    () => wearTheme(page, name),
  ]),
): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) {
    await page.evaluate(axe.source);
  }
  const found: unknown[] = [];
  for (const [index, [look, wear]] of looks.entries()) {
    await wear();
    // Preloading would load the stylesheets again, for a rule that is not enabled.
    const options: RunOptions = { resultTypes: ["violations"], preload: false };
    if (index > 0) {
      options.runOnly = { type: "rule", values: ofColours };
    }
    const { violations } = await page.evaluate((options) => window.axe.run(options), options);
    for (const { id, nodes } of violations) {
      found.push([look, id, nodes.map(({ html, failureSummary }) => [html, failureSummary])]);
    }
  }
  expect(found).toEqual([]);
}
