// What axe finds in a page.

import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { wearTheme } from "./stage";
import { checkedThemes } from "./themes";

declare global {
  interface Window {
    axe: { run(options: object): Promise<AxeResults> };
  }
}

/** Fails where axe finds something in the page in any of the themes, with the elements and what is wrong with them. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const found: unknown[] = [];
  for (const theme of checkedThemes) {
    await wearTheme(page, theme);
    const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
    for (const { id, nodes } of violations) {
      found.push([theme, id, nodes.map(({ html, failureSummary }) => [html, failureSummary])]);
    }
  }
  expect(found).toEqual([]);
}
