// The tools of Followup's MCP server in the editor's own chat.

import { expect } from "vitest";
import type { Editor } from "./editor";

export const tool = "mcp_followup_ask_followup_question";
export const questionsTool = "mcp_followup_AskUserQuestion";

/** Waits until the editor offers the server's tools. The editor starts the server with the first request of its chat. */
export async function offered({ workbench, agent }: Editor): Promise<void> {
  const names = async () => (await agent.tools()).filter((name) => [questionsTool, tool].includes(name));
  if ((await names()).length === 0) {
    await agent.setScript([{ text: "I see." }]);
    await workbench.chat("What can you do?");
    await agent.request(0);
  }
  await expect.poll(async () => (await names()).sort(), { timeout: 120_000 }).toEqual([questionsTool, tool]);
}

/** A call's input. */
export const ask = (question: string, ...answers: string[]) => ({
  question,
  follow_up: answers.map((text) => ({ text })),
});
