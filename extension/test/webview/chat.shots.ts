// Pictures of the page inside a conversation, in the hosts' themes and widths, for visual checks: extension/test/out/chat-*.png.

import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { expect, it } from "vitest";
import { browserFlags, findBrowser } from "../../scripts/lib/chromium.mjs";
import { Chat } from "./chat";
import { Program } from "./web";

const pictures = fileURLToPath(new URL("../out", import.meta.url));

const followup = {
  question:
    "The migration takes **40 minutes** on the copy of production. When should it run?\n\n| host | rows |\n|---|---|\n| `db-1` | 4,200,000 |\n| `db-2` | 310,000 |",
  follow_up: [
    { text: "Tonight at 02:00, with the site read-only" },
    { text: "Now, in batches that take no lock", mode: "code" },
    { text: "Leave it; I'll plan it with the team" },
  ],
};

const questionnaire = {
  questions: [
    {
      question: "Which layout should the timetable have?",
      header: "Layout",
      options: [
        {
          label: "Table (Recommended)",
          description: "One row for each *departure*",
          preview: "| 08:10 | North Pier |",
        },
        {
          label: "Cards",
          description: "One card for each pier",
          preview: "+------------+\n| North Pier |\n+------------+",
        },
      ],
      multiSelect: false,
    },
    {
      question: "Which details belong to a departure?",
      header: "Details",
      options: [{ label: "Platform" }, { label: "Price" }],
      multiSelect: true,
    },
  ],
};

const themes = {
  light: { theme: "light", contrast: "no-preference", page: "#ffffff" },
  dark: { theme: "dark", contrast: "no-preference", page: "#1f1f1f" },
  "high-contrast": { theme: "dark", contrast: "more", page: "#000000" },
} as const;

it("shows the page inside a conversation", async () => {
  const program = await Program.build();
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags });
  try {
    for (const [name, { theme, contrast, page }] of Object.entries(themes)) {
      for (const width of [250, 420, 900]) {
        const viewport = { width: width + 24, height: 400 };
        const options = { viewport, contrast, reducedMotion: "reduce" };
        const chat = await Chat.open(program, browser, await program.storage(), options);
        await chat.page.addStyleTag({
          content: `html { color-scheme: ${theme}; } body { background: ${page}; }`,
        });
        const context = { theme };
        await chat.ask({ input: { question: "Ready?", follow_up: [{ text: "Yes" }] }, context });
        await chat.answerable(0);
        await chat.app(0).locator(".suggestion", { hasText: "Yes" }).click();
        await chat.app(0).locator(".closed-line").waitFor();
        await chat.ask({ input: followup, context });
        await chat.answerable(1);
        await chat.app(1).getByRole("textbox", { name: "Your answer" }).fill("Tell the pier first.");
        await chat.fits(1);
        await chat.app(1).locator(".suggestion").nth(1).click();
        await chat.ask({ input: followup, context });
        await chat.answerable(2);
        const other = await chat.ask({ tool: "AskUserQuestion", input: questionnaire, context });
        expect(other).toBe(3);
        await chat.app(3).locator("followup-card").waitFor();
        // Chromium does not lay out or paint a frame that is not visible, even for a picture of the whole page.
        await chat.page.setViewportSize({ ...viewport, height: 2000 });
        for (const at of [0, 1, 2, 3]) {
          await chat.fits(at);
        }
        const height = await chat.page.evaluate(() =>
          Math.ceil(document.body.getBoundingClientRect().bottom),
        );
        await chat.page.setViewportSize({ ...viewport, height });
        await chat.painted();
        const picture = await chat.page.screenshot({
          path: `${pictures}/chat-${name}-${width}.png`,
          fullPage: true,
        });
        expect(picture.length).toBeGreaterThan(0);
        await chat.app(2).locator(".suggestion").first().click();
        await chat.answerable(3);
        await chat.app(3).locator("followup-card").focus();
        await chat.page.keyboard.press("1");
        await chat.fits(3);
        await chat.page
          .locator("iframe")
          .nth(3)
          .screenshot({ path: `${pictures}/chat-${name}-${width}-many.png` });
        await chat.close();
      }
    }
  } finally {
    await browser.close();
    await program.remove();
  }
});
