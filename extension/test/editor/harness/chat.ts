// The tools of Followup's MCP server in the editor's own chat.

import { expect } from "vitest";
import type { Editor } from "./editor";

export const tool = "mcp_followup_ask_followup_question";
export const questionsTool = "mcp_followup_AskUserQuestion";

/** Waits until the editor has started the server: at first agents have the language-model tools. */
export async function offered({ workbench, agent }: Editor): Promise<void> {
  const names = async () => {
    await agent.setScript([{ text: "I see." }]);
    await workbench.chat("What can you do?");
    const { tools } = await agent.request(0);
    return tools.map(({ name }) => name).filter((name) => /followup|AskUser/.test(name));
  };
  await expect
    .poll(async () => (await names()).sort(), { timeout: 120_000, interval: 500 })
    .toEqual([questionsTool, tool]);
}

/** A call's input. */
export const ask = (question: string, ...answers: string[]) => ({
  question,
  follow_up: answers.map((text) => ({ text })),
});
