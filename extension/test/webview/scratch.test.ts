import { writeFileSync } from "node:fs";
import { it } from "vitest";
import { openView, useBrowser } from "./harness";
import { historyStates, openState } from "./history-states";
import { states } from "./states";

useBrowser();
const wide = () => {
  const root = document.documentElement;
  const out: string[] = [];
  if (root.scrollWidth > root.clientWidth) out.push(`page ${root.scrollWidth}>${root.clientWidth}`);
  for (const el of document.querySelectorAll<HTMLElement>("body *")) {
    if (el.closest(".visually-hidden, svg, pre, .toast")) continue;
    const box = el.getBoundingClientRect();
    if (box.width > 0 && box.right > root.clientWidth + 1 && getComputedStyle(el).visibility !== "hidden") {
      // clipped inside a scroller is fine
      let clipped = false;
      for (let p = el.parentElement; p && p !== document.body; p = p.parentElement) {
        if (getComputedStyle(p).overflowX !== "visible") {
          clipped = true;
          break;
        }
      }
      if (!clipped) out.push(`${el.localName}.${el.className} ${Math.round(box.right)}`);
    }
  }
  return out.slice(0, 4);
};
const found: string[] = [];
it.each(Object.keys(states).flatMap((name) => [150, 200].map((w) => [name, w] as const)))(
  "%s %i",
  async (name, width) => {
    const view = await openView({ width, reducedMotion: "reduce", diffs: true });
    await states[name]?.(view);
    const bad = await view.page.evaluate(wide);
    if (bad.length) {
      found.push(`${name} ${width}: ${bad.join(" | ")}`);
      writeFileSync("/tmp/cards-tmp/wide.txt", found.join("\n"));
    }
    if (process.env.PICS)
      await view.page.screenshot({ path: `/tmp/cards-tmp/narrow/${name}-${width}.png`, fullPage: true });
  },
);
it.each(Object.keys(historyStates).flatMap((name) => [150, 200].map((w) => [name, w] as const)))(
  "history %s %i",
  async (name, width) => {
    const { page } = await openState(name, { theme: "dark", width });
    const bad = await page.evaluate(wide);
    if (bad.length) {
      found.push(`history ${name} ${width}: ${bad.join(" | ")}`);
      writeFileSync("/tmp/cards-tmp/wide.txt", found.join("\n"));
    }
    if (process.env.PICS)
      await page.screenshot({ path: `/tmp/cards-tmp/narrow/history-${name}-${width}.png` });
  },
);
