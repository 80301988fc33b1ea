// What is meant for the file or for one question never goes to another: real keys and a real mouse, in one window and in two.

import type { Locator } from "playwright-core";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { example } from "./examples";
import type { AgentSession } from "./harness/agent";
import { answerBy, composer, suggestion } from "./harness/followup";
import { useEditor } from "./harness/use-editor";
import type { Workbench } from "./harness/workbench";
import { cut } from "./pieces";

declare global {
  interface Window {
    /** When a card was last put into the page or taken out of it, and when the pointer was last pressed, in milliseconds. */
    cardsChangedAt: number;
    pressedAt: number;
  }
}

// Nothing helps along while keys are counted.
const plainTyping = {
  "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
  "editor.wordBasedSuggestions": "off",
  "editor.autoIndent": "none",
};
/**
 * The time between two keys in milliseconds, a fast typist's. The browser puts keys before everything else: at several times
 * this pace it leaves the loading of a first webview waiting for most of a minute.
 */
const keyInterval = 120;

const editor = useEditor({ files: { "notes.txt": "" }, settings: plainTyping });

// In their order: the view has never been shown when the question of the first one arrives.
describe("what the user does stays where it was meant", { shuffle: false }, () => {
  test("whoever types in an editor while a question arrives goes on typing there", async () => {
    const { workbench, agent } = editor();
    const { tags, question, suggestions } = example("en-2");
    const session = await agent.openSession();
    const stream = await session.stream();
    await workbench.openFile("notes.txt");
    let typed = "";
    const type = async (text: string) => {
      await workbench.page.keyboard.type(text, { delay: keyInterval });
      typed += text;
    };
    await type("before ");
    for (const piece of cut(new TextEncoder().encode(tags), 5)) {
      await stream.append(piece);
      await type("a ");
    }
    let waiting = true;
    const shown = workbench.followup
      .card(question)
      .then(async (card) => {
        await expect.poll(() => suggestion(card, suggestions[0] ?? "").isEnabled()).toBe(true);
        return card;
      })
      .finally(() => {
        waiting = false;
      });
    // It is awaited below; until then its failure only ends the typing.
    shown.catch(() => {});
    // The question is on screen at some moment between two of these words.
    while (waiting) await type("b ");
    await type("after.");
    const card = await shown;
    await expect.poll(() => agent.documentText("notes.txt")).toBe(typed);
    await answerBy(card, suggestion(card, suggestions[1] ?? ""));
    await stream.end();
    expect(await stream.answer()).toMatchObject({ text: `<answer>\n${suggestions[1]}\n</answer>` });
    await session.close();
  });

  describe("in two windows", () => {
    let other: Workbench;
    beforeAll(async () => {
      other = await editor().openWindow();
    });

    let asked = 0;

    /** Two agents ask at once; the first one's card stands above. No other case's questions read the same. */
    async function askBoth() {
      const { agent, workbench } = editor();
      asked++;
      const port = { question: `Which port should service ${asked} use?`, follow_up: ["8080", "3000"] };
      const database = { question: `Delete database ${asked}?`, follow_up: ["Delete it now", "Keep it"] };
      const [first, second] = [await agent.openSession("First"), await agent.openSession("Second")];
      sessions.push(first, second);
      const answered = first.ask(port).catch(() => undefined);
      const above = await workbench.followup.card(port.question);
      const deleted = second.ask(database);
      // Where nobody waits for it any more, the editor's end is no failure.
      deleted.catch(() => {});
      const below = await workbench.followup.card(database.question);
      return { first, answered, deleted, above, below, port };
    }

    const state = (card: Locator) => card.getAttribute("data-state");

    /** Chooses in the other window, as a user there does: who goes to the question again while it is not to be seen. */
    async function answerThere(id: string | null, text: string): Promise<void> {
      const answered = async () => {
        await other.page.bringToFront();
        await other.runCommand("Followup: Focus Question");
        const card = (await other.followup.frame()).locator(`followup-card[data-id="${id}"]`);
        const now = () => card.getAttribute("data-state", { timeout: 5000 }).catch(() => "not to be seen");
        if ((await now()) === "pending")
          await suggestion(card, text)
            .click({ timeout: 5000 })
            .catch(() => {});
        return await now();
      };
      await expect.poll(answered, { interval: 500 }).toBe("closed");
    }

    /** Ends what a case asked. */
    async function decline(card: Locator): Promise<void> {
      await answerBy(card, card.getByRole("button", { name: "Dismiss" }));
      await expect.poll(() => state(card)).toBe("closed");
      await editor().workbench.runCommand("Followup: Clear Closed Questions");
      await card.waitFor({ state: "detached" });
    }

    /** A case's sessions end with it, whatever became of it. */
    const sessions: AgentSession[] = [];
    afterEach(async () => {
      for (const session of sessions.splice(0)) await session.close().catch(() => {});
    });

    test.each(["another window answers", "the session ends"])(
      "while the user types, %s: no key goes to the other question",
      async (end) => {
        const { workbench } = editor();
        const { first, answered, deleted, above, below } = await askBoth();
        const box = composer(above);
        await box.click();
        await workbench.page.keyboard.type("use port ");
        if (end === "the session ends") {
          await first.close();
        } else {
          await answerThere(await above.getAttribute("data-id"), "3000");
          await workbench.page.bringToFront();
        }
        await expect.poll(() => state(above)).toBe("closed");
        await workbench.page.keyboard.type("8 1 2");
        await workbench.page.keyboard.press("Enter");
        await answered;

        expect(await box.inputValue()).toBe("use port ");
        expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);
        expect(await state(below)).toBe("pending");
        await editor().screenshot(`acts-held-${end.replaceAll(" ", "-")}`);
        await workbench.page.keyboard.press("Control+a");
        await workbench.page.keyboard.press("Control+c");
        await expect
          .poll(() => workbench.page.evaluate(() => navigator.clipboard.readText()))
          .toBe("use port ");

        await answerBy(below, suggestion(below, "Keep it"));
        expect(await deleted).toMatchObject({
          outcome: "answered",
          text: expect.stringContaining("Keep it"),
        });
        await above.getByText("What you had typed was not sent").waitFor();
        await above.getByRole("button", { name: "Clear from this view" }).click();
        await above.getByRole("button", { name: "Clear Anyway" }).click();
        await above.waitFor({ state: "detached" });
        await workbench.runCommand("Followup: Clear Closed Questions");
        await below.waitFor({ state: "detached" });
      },
    );

    test("a click that is meant for a question which goes away does not land on the next one", async () => {
      const { workbench } = editor();
      // On a machine that is busy the click may come too late to be meant for the first; then that one is tried again.
      for (let tries = 0; tries < 10; tries++) {
        const { first, answered, above, below, port } = await askBoth();
        const frame = await workbench.followup.frame();
        await frame.evaluate(() => {
          const seen = () => {
            window.cardsChangedAt = performance.now();
          };
          new MutationObserver(seen).observe(document.querySelector(".cards") as Element, {
            childList: true,
          });
          window.addEventListener(
            "pointerdown",
            (event) => {
              window.pressedAt = event.timeStamp;
            },
            { capture: true },
          );
        });
        const aim = await suggestion(above, "8080").boundingBox();
        if (aim === null) throw new Error("the suggestion is not on the screen");
        const [x, y] = [aim.x + aim.width / 2, aim.y + aim.height / 2];
        await workbench.page.mouse.move(x, y);
        await first.close();
        // While the page settles, which is when the click must come.
        await frame.locator('followup-card[data-state="closed"]', { hasText: port.question }).waitFor();
        await workbench.page.mouse.click(x, y);
        await answered;
        const late = await frame.evaluate(() => window.pressedAt - window.cardsChangedAt >= 400);
        if (late) {
          await decline(below).catch(() => {});
          continue;
        }
        await frame.getByText("nothing was done").waitFor();
        await editor().screenshot("acts-refused");
        expect(await state(below)).toBe("pending");
        await decline(below);
        return;
      }
      throw new Error("no click came in time");
    });
  });
});
