// The page's end of the connection to a program that shows it inside a conversation: MCP Apps, specification
// 2026-01-26 (https://github.com/modelcontextprotocol/ext-apps). The two windows exchange JSON-RPC 2.0
// messages. The page reaches the sidecar through a tool of the same MCP server that only the page may call.

import { CodeNotAsked, type Request } from "../../src/protocol.gen";
import { randomId } from "../ids";
import { Link, RequestError } from "../link";

/** The result of a tool call. */
export interface ToolResult {
  content?: { type?: string; text?: string }[];
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

/** The program's description of itself and of the conversation. Every field may be missing. */
export interface HostContext {
  theme?: "light" | "dark";
  locale?: string;
  styles?: { variables?: Record<string, string | undefined> };
  toolInfo?: { id?: number | string; tool?: { name?: string } };
}

const protocolVersion = "2026-01-26";

/**
 * Connects the page. The page does not know the origin that shows it; the program's own sandbox excludes
 * others.
 */
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

/** Performs the handshake. Register listeners before, since messages may arrive immediately. */
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

const tool = "followup_page";
const address = "ui://followup/card.html";

/** How long a call may take, in milliseconds: a long poll is answered after 20 s, but a host may never report a dead server. */
const patience = 60_000;

/** Calls one of the server's tools, or reads one of its pages, through the program. */
const callTool: Request<unknown, ToolResult> = { method: "tools/call" };
const readResource: Request<unknown, { contents?: { text?: string }[] }> = { method: "resources/read" };

export class Pipe {
  private readonly page = randomId();

  /** `key` proves to the server that the page is the caller. */
  constructor(
    private readonly bridge: Link,
    private key: string,
  ) {}

  /**
   * Calls a method of the sidecar, or one of the server's own for the page. @throws RequestError from the
   * sidecar. Without a code, the server does not know the page, which was silent for long or has an older
   * server's key. Throws another error if there is no connection.
   */
  async call<R>(method: string, params: unknown): Promise<R> {
    let result = await this.send(method, params);
    if (result.isError && (await this.renew())) {
      result = await this.send(method, params);
    }
    const text = result.content?.find(({ type }) => type === "text")?.text ?? "";
    if (result.isError) {
      throw new Error(text);
    }
    const answer = JSON.parse(text) as { result?: R; error?: { code: number; message: string } };
    if (answer.error) {
      const { code, message } = answer.error;
      throw new RequestError(message, code === CodeNotAsked ? undefined : code);
    }
    return answer.result as R;
  }

  private send(method: string, params: unknown): Promise<ToolResult> {
    const { key, page } = this;
    return this.ask(callTool, { name: tool, arguments: { key, page, method, params } });
  }

  /**
   * Reads the key of a server that started after this page was made. Returns false if the key has not
   * changed.
   */
  private async renew(): Promise<boolean> {
    const { contents } = await this.ask(readResource, { uri: address });
    const key = /<meta name="followup-key" content="(\w+)">/.exec(contents?.[0]?.text ?? "")?.[1];
    const renewed = key !== undefined && key !== this.key;
    this.key = key ?? this.key;
    return renewed;
  }

  /** Sends a request to the program. Its errors are not the sidecar's, whatever their codes. */
  private async ask<P, R>(request: Request<P, R>, params: P): Promise<R> {
    const late = pause(patience).then(() => Promise.reject(new Error("the host does not answer")));
    try {
      return await Promise.race([this.bridge.request(request, params), late]);
    } catch (error) {
      throw new Error(String(error));
    }
  }
}

export function pause(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, time));
}
