// Followup's view in the workbench, reached through the nested frames of its webview.

import type { Frame, Locator, Page } from "playwright-core";
import { expect, vi } from "vitest";

/** A view that was never shown is resolved some time after it opens. */
const viewTimeout = 90_000;

/** Each check asks all frames of a window. More frequent checks would use much of the processor. */
const viewInterval = 200;

/** The interface: cards with suggestion buttons and a composer. */
export class FollowupView {
  constructor(private readonly page: Page) {}

  /** Waits for the frame with the interface. Other webviews are ignored, and so is the page inside the chat. */
  async frame(app = "html:not(.chat) followup-app"): Promise<Frame> {
    return await vi.waitFor(
      async () => {
        for (const frame of this.page.frames()) {
          if (
            await frame
              .locator(app)
              .count()
              .catch(() => 0)
          )
            return frame;
        }
        throw new Error("no webview with the Followup interface is open");
      },
      { timeout: viewTimeout, interval: viewInterval },
    );
  }

  /**
   * Waits for the card of a question, found by a part of its text. It stays that card when the text changes.
   * A page that is settling ignores acts, so it does not count as showing the card yet.
   */
  async card(text: string): Promise<Locator> {
    const frame = await this.frame();
    const card = frame.locator("followup-card", { hasText: text });
    await card.waitFor({ timeout: viewTimeout });
    return await this.same(card);
  }

  /** The card of a question inside the chat. */
  async inChat(text: string): Promise<Locator> {
    return await vi.waitFor(
      async () => {
        for (const frame of this.page.frames()) {
          const card = frame.locator("html.chat followup-app:not(:has([data-fresh])) followup-card", {
            hasText: text,
          });
          if ((await card.count().catch(() => 0)) > 0) return card.first();
        }
        throw new Error(`the chat shows no card with ${text}`);
      },
      { timeout: viewTimeout, interval: viewInterval },
    );
  }

  /** Whether the side bar shows the interface. */
  async isOpen(): Promise<boolean> {
    for (const frame of this.page.frames()) {
      const app = frame.locator("html:not(.chat) followup-app");
      if (await app.isVisible().catch(() => false)) return true;
    }
    return false;
  }

  /** The card of the same question, which another window shows. */
  async same(card: Locator): Promise<Locator> {
    const id = await card.getAttribute("data-id");
    return (await this.frame()).locator(
      `followup-app:not(:has([data-fresh])) followup-card[data-id="${id}"]`,
    );
  }
}

/**
 * Acts on the button that answers or dismisses the question, like a user: it acts again if the card changed under the first
 * click and ignored it. Waits until the question is closed.
 */
export async function answerBy(
  card: Locator,
  button: Locator,
  act: "click" | "Enter" = "click",
): Promise<void> {
  const options = { timeout: 5000 };
  const stillOpen = async () => {
    if ((await stateOf(card)) === "pending") {
      const acted = act === "click" ? button.click(options) : button.press(act, options);
      await acted.catch(() => {}); // the button is still moving, or the question has closed
    }
    // The question may still be streaming or queued, and a sent answer may be rejected.
    return (await stateOf(card)) !== "closed";
  };
  await expect.poll(stillOpen, { interval: 100 }).toBe(false);
}

/** The question's state, if the page knows it. */
async function stateOf(card: Locator): Promise<string> {
  return (await card.getAttribute("data-state")) ?? "";
}

/** The button of a suggestion. */
export function suggestion(card: Locator, text: string): Locator {
  return card.getByRole("button", { name: text, exact: true });
}

/** The buttons of all suggestions on the card. */
export function suggestions(card: Locator): Locator {
  return card.locator(".suggestion button.choose");
}

/** The box for the user's own answer. */
export function composer(card: Locator): Locator {
  return card.getByRole("textbox", { name: "Your answer" });
}

/** The button that sends the composer's text. */
export function sendButton(card: Locator): Locator {
  return card.getByRole("button", { name: "Send" });
}
