// `followup serve` is only a relay: killing it at any moment of a send loses nothing, and no card reopens.

import { expect, test } from "vitest";
import { questionAnswer } from "../../src/protocol.gen";
import { suggestion } from "../editor/harness/followup";
import { useWindows } from "./window";

const windows = useWindows(1);
const tool = "ask_followup_question";

/** Lets a number of turns of the event loop pass. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The turns between the send and the kill; undefined kills first. */
const moments = [undefined, 0, 1, 2, 4, 8, 16, 32];

test.each<number | undefined>(moments)(
  "killed %s turns after a send, the answer arrives",
  { timeout: 60_000 },
  async (after) => {
    const [here] = windows();
    if (!here) throw new Error("no window is open");
    const session = await here.openSession();
    const question = `Which port, at ${after}?`;
    const answer = session.ask(tool, { question, follow_up: ["8080", "3000"] });
    const card = await here.card(question);
    await expect.poll(() => card.getAttribute("data-state")).toBe("pending");
    await here.rest();
    await card.evaluate((element) => {
      const states: (string | null)[] = [];
      Object.assign(window, { states });
      new MutationObserver(() => states.push(element.getAttribute("data-state"))).observe(element, {
        attributeFilter: ["data-state"],
      });
    });
    const { state } = here.sidecar;
    if (state.kind !== "running") throw new Error(`the sidecar is ${state.kind}`);
    const kill = () => process.kill(state.server.pid, "SIGKILL");
    let kills = 0;
    here.between = (message, handOn) => {
      const sends = (message as { method?: string }).method === questionAnswer.method && kills++ === 0;
      if (sends && after === undefined) {
        kill();
      }
      handOn();
      if (sends && after !== undefined) {
        void turns(after).then(kill);
      }
    };
    await suggestion(card, "3000").click();
    expect(await answer).toMatchObject({ outcome: "answered", text: "<answer>\n3000\n</answer>" });
    await expect.poll(() => card.getAttribute("data-state")).toBe("closed");
    expect(kills).toBeGreaterThan(0);
    const states = await here.page.evaluate(() => (window as unknown as { states: string[] }).states);
    expect(states.filter((each) => each !== "sending" && each !== "closed")).toEqual([]);
    // Each case's kill counts separately.
    await here.sidecar.restart();
  },
);
