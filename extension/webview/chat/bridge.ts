// The page's end of the connection to a program that shows it inside a conversation: MCP Apps, specification 2026-01-26
// (https://github.com/modelcontextprotocol/ext-apps). JSON-RPC 2.0 by messages between the page's window and the program's.

import type { Request } from "../../src/protocol.gen";
import { Link } from "../link";

/** What a tool's call gives. */
export interface ToolResult {
  content?: { type?: string; text?: string }[];
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

/** What the program says of itself and of the conversation. Nothing of it has to be there. */
export interface HostContext {
  theme?: "light" | "dark";
  locale?: string;
  styles?: { variables?: Record<string, string | undefined> };
  toolInfo?: { id?: number | string; tool?: { name?: string } };
}

const protocolVersion = "2026-01-26";

/** Connects the page. Which origin shows it is not known to it: the program's own sandbox keeps others out. */
export function openBridge(): Link {
  const link = new Link((message) => {
    window.parent.postMessage(message, "*");
    return true;
  });
  link.on({ method: "ping" }, () => {});
  window.addEventListener("message", ({ source, data }) => {
    if (source === window.parent && data?.jsonrpc === "2.0") {
      link.receive(data);
    }
  });
  return link;
}

/** Shakes hands; what is listened to by then may come at once. */
export async function greet(bridge: Link, version: string): Promise<HostContext> {
  const { hostContext = {} } = await bridge.request(initialize, {
    appInfo: { name: "Followup", version },
    appCapabilities: { availableDisplayModes: ["inline"] },
    protocolVersion,
  });
  bridge.notify({ method: "ui/notifications/initialized" }, {});
  return hostContext;
}

const initialize: Request<unknown, { hostContext?: HostContext }> = { method: "ui/initialize" };
