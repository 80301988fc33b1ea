// Runs in Chromium: MCP-UI's renderer (@mcp-ui/client), which shows an app in a frame within a frame of
// another origin. Its calls reach the server through the conversation's client.

import { AppRenderer } from "@mcp-ui/client";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import type { Showing } from "./chatHost";

declare global {
  interface Window {
    showByMcpUi(index: number, showing: Showing, sandbox: string): void;
  }
}

window.showByMcpUi = (index, { tool = "ask_followup_question", input }, sandbox) => {
  const place = document.createElement("div");
  document.body.append(place);
  const root = createRoot(place);
  const render = (toolResult?: unknown) =>
    root.render(
      createElement(AppRenderer, {
        toolName: tool,
        html: window.host.html,
        sandbox: { url: new URL(sandbox) },
        toolInput: input,
        ...(toolResult !== undefined && { toolResult: toolResult as never }),
        hostContext: { theme: "dark", locale: "en" },
        onCallTool: (params) => window.host.callServer(params),
      }),
    );
  window.host.onResult(index, render);
  render();
};
