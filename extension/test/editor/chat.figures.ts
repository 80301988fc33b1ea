// Measures how long a question of the editor's agent takes until it can be clicked, and its answer until the next
// request: in the chat and in the side bar. The two take turns in one window, so that their ratio is meaningful.

import type { Frame } from "playwright-core";
import { expect, test } from "vitest";
import { suggestion } from "./harness/followup";
import { useEditor } from "./harness/use-editor";

const editor = useEditor({ copilot: true });

/** Where a question is shown, with the value of followup.editorAgents and the name of the tool for it. */
const places = {
  chat: { agents: "auto", tool: "mcp_followup_ask_followup_question" },
  sideBar: { agents: "tools", tool: "ask_followup_question" },
};

/** How often the two take turns, and how many questions each asks per turn; the first is for warming up. */
const rounds = 4;
const questions = 6;

declare global {
  interface Window {
    /** When each text could first be clicked, and when the last click was, in milliseconds since 1970. */
    clickable: Record<string, number>;
    clicked: number;
  }
}

/** Records in every frame when a question can be clicked, and when it is clicked. */
function watch(): void {
  window.clickable = {};
  const button =
    "followup-app:not(:has([data-fresh])) followup-card[data-state=pending] .suggestion button.choose:not(:disabled)";
  const clicked = () => {
    window.clicked = Date.now();
  };
  // The editor rewrites a webview's document in its frame, which stops frame callbacks and listeners, but not timers.
  setInterval(() => {
    document.addEventListener("click", clicked, true);
    for (const each of document.querySelectorAll(button)) {
      window.clickable[each.textContent?.trim() ?? ""] ??= Date.now();
    }
  }, 4);
}

test("compares the chat's latency with the side bar's", async () => {
  const { workbench, agent } = editor();
  await workbench.page.context().addInitScript(watch);
  await editor().reload();
  const times = { chat: { toUser: [], toModel: [] }, sideBar: { toUser: [], toModel: [] } } as Record<
    keyof typeof places,
    { toUser: number[]; toModel: number[] }
  >;
  for (let count = 0; count < rounds * 2; count++) {
    const place = count % 2 === 0 ? "chat" : "sideBar";
    const { agents, tool } = places[place];
    await agent.set("followup.editorAgents", agents);
    const offered = async () => {
      await agent.setScript([{ text: "I see." }]);
      await workbench.chat("What can you do?");
      return (await agent.request(0)).tools.some(({ name }) => name === tool);
    };
    await expect.poll(offered, { timeout: 120_000, interval: 500 }).toBe(true);
    if (place === "sideBar") await workbench.runCommand("Followup: Focus on Questions View");
    for (let number = 0; number < questions; number++) {
      const answer = `Answer ${count}-${number}`;
      const input = { question: `Question ${count}-${number}?`, follow_up: [{ text: answer }] };
      await agent.setScript([{ tool, callId: answer, input }], [{ text: "Thank you." }]);
      await workbench.chat("Go on.");
      const card = await (place === "chat"
        ? workbench.followup.inChat(input.question)
        : workbench.followup.card(input.question));
      const button = suggestion(card, answer);
      const frame = (await (await button.elementHandle())?.ownerFrame()) as Frame;
      await frame.waitForFunction(
        (text) => Object.keys(window.clickable).some((each) => each.includes(text)),
        answer,
      );
      await button.click();
      const { at: again } = await agent.request(1);
      const { at: called } = await agent.request(0);
      const seen = await frame.evaluate((text) => {
        const [, at = 0] = Object.entries(window.clickable).find(([each]) => each.includes(text)) ?? [];
        return { at, clicked: window.clicked };
      }, answer);
      if (number > 0) {
        times[place].toUser.push(seen.at - called);
        times[place].toModel.push(again - seen.clicked);
      }
    }
  }
  for (const what of ["toUser", "toModel"] as const) {
    const figures = Object.entries(times).map(([place, { [what]: all }]) => {
      const sorted = [...all].sort((a, b) => a - b);
      const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
      return { place, p50: at(0.5), p95: at(0.95), count: all.length };
    });
    const [chat, sideBar] = figures;
    const ratio = ((chat?.p50 ?? 0) / (sideBar?.p50 ?? 1)).toFixed(2);
    console.log(what === "toUser" ? "tool call to clickable" : "click to the next request", figures, ratio);
  }
});
