// What axe finds in a page.

import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Fails where axe finds something in the page, with the elements and what is wrong with them. */
export async function expectAccessible(page: Page): Promise<void> {
  // The legacy mode runs in the page alone, which has no frames; the other opens another one for what it found.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await axe.analyze();
  expect(
    violations.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])]),
  ).toEqual([]);
}
