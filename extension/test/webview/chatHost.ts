// Runs in Chromium: a program with conversations, based on the reference host of MCP Apps. Its MCP client reaches the server through the
// test.

import { Client } from "@modelcontextprotocol/client";
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

declare global {
  interface Window {
    /** Sends a line to the server; the test provides it. */
    toServer(line: string): Promise<void>;
    /** Receives a line from the server. */
    fromServer?(line: string): void;
    host: ChatHost;
  }
}

/** How a host treats a tool call. */
export interface Showing {
  tool?: string;
  input: Record<string, unknown>;
  /** When the host sends the arguments: at once, or only after the call has ended. */
  argumentsSent?: "input" | "late" | "never";
  /** Whether the host sends the call's id. */
  id?: boolean;
  context?: Record<string, unknown>;
  width?: number;
}

const name = "io.modelcontextprotocol/ui";
const type = "text/html;profile=mcp-app";
const address = "ui://followup/card.html";

class ChatHost {
  private client = new Client({ name: "harbour-chat", title: "Harbour Chat", version: "1" });
  /** Called when the server has exited. */
  lose = () => {};
  private lastId: string | number | undefined;
  private readonly controllers: AbortController[] = [];
  private readonly bridges: AppBridge[] = [];
  readonly results: unknown[] = [];
  readonly links: string[] = [];
  readonly torn: unknown[] = [];
  html = "";

  /** Connects to a new server. */
  async connect(): Promise<void> {
    this.client = new Client(
      { name: "harbour-chat", title: "Harbour Chat", version: "1" },
      { capabilities: { extensions: { [name]: { mimeTypes: [type] } } } },
    );
    const transport = {
      start: async () => {},
      close: async () => {},
      send: async (message: { id?: string | number; method?: string; params?: { name?: string } }) => {
        if (message.method === "tools/call" && message.params?.name !== "followup_page") {
          this.lastId = message.id;
        }
        await window.toServer(JSON.stringify(message));
      },
      onmessage: undefined as ((message: unknown) => void) | undefined,
      onclose: undefined as (() => void) | undefined,
    };
    window.fromServer = (line) => transport.onmessage?.(JSON.parse(line));
    this.lose = () => transport.onclose?.();
    await this.client.connect(transport as never);
    await this.client.listTools();
    const { contents } = await this.client.readResource({ uri: address });
    this.html = (contents[0] as { text: string }).text;
  }

  /** The model calls a tool; returns the index of its result. */
  call({ tool = "ask_followup_question", input }: Showing): number {
    const index = this.results.length;
    this.results.push(undefined);
    const controller = new AbortController();
    this.controllers.push(controller);
    const options = { signal: controller.signal, timeout: 600_000 };
    this.client.callTool({ name: tool, arguments: input }, options).then(
      (result) => this.ended(index, result),
      (error) => this.ended(index, { content: [{ type: "text", text: String(error) }], isError: true }),
    );
    return index;
  }

  private ended(index: number, result: unknown): void {
    this.results[index] = result;
    this.over.get(index)?.(result);
  }

  private readonly over = new Map<number, (result: unknown) => void>();

  /** Listens to the end of a call, for a page that another renderer shows. */
  onResult(index: number, listener: (result: unknown) => void): void {
    this.over.set(index, listener);
  }

  /** Calls a tool for such a page. */
  callServer(params: { name: string; arguments?: Record<string, unknown> }): Promise<never> {
    return this.client.callTool(params) as never;
  }

  /** Shows the page for a call in its own frame. Returns the frame's index. */
  async show(index: number, showing: Showing): Promise<void> {
    const {
      input,
      tool = "ask_followup_question",
      argumentsSent = "input",
      id = false,
      context = {},
      width,
    } = showing;
    const callId = this.lastId;
    const frame = this.frame(width);
    const bridge = await this.bridge(frame, true, {
      ...(id && { toolInfo: { id: callId, tool: { name: tool, inputSchema: { type: "object" } } } }),
      ...context,
    });
    bridge.oninitialized = () => {
      if (argumentsSent === "input") {
        void bridge.sendToolInput({ arguments: input });
      }
    };
    this.over.set(index, (result) => {
      if (argumentsSent === "late") {
        void bridge.sendToolInput({ arguments: input });
      }
      void bridge.sendToolResult(result as never);
    });
    frame.srcdoc = this.html;
  }

  /** Shows a reopened chat: the call has ended, and the server has exited or is a new one. */
  async reopen(input: Record<string, unknown>, result: unknown, connected: boolean): Promise<void> {
    const frame = this.frame();
    const bridge = await this.bridge(frame, connected, {});
    bridge.oninitialized = () => {
      void bridge.sendToolInput({ arguments: input });
      if (result !== undefined) {
        void bridge.sendToolResult(result as never);
      }
    };
    frame.srcdoc = this.html;
  }

  /** Shows the page while the model is still writing. */
  async write(parts: Record<string, unknown>[], index: number): Promise<void> {
    const frame = this.frame();
    const bridge = await this.bridge(frame, true, {});
    bridge.oninitialized = () => {
      for (const part of parts) {
        void bridge.sendToolInputPartial({ arguments: part });
      }
    };
    this.over.set(index, (result) => void bridge.sendToolResult(result as never));
    frame.srcdoc = this.html;
  }

  tellInput(at: number, input: Record<string, unknown>): void {
    void this.bridges[at]?.sendToolInput({ arguments: input });
  }

  cancel(index: number): void {
    this.controllers[index]?.abort();
    void this.bridges.at(-1)?.sendToolCancelled({ reason: "the user has stopped the agent" });
  }

  change(context: Record<string, unknown>): void {
    for (const bridge of this.bridges) {
      void bridge.sendHostContextChange(context as never);
    }
  }

  async tearDown(at: number): Promise<void> {
    this.torn.push(await this.bridges[at]?.teardownResource({}));
    document.querySelectorAll("iframe")[at]?.remove();
  }

  private frame(width?: number): HTMLIFrameElement {
    const frame = document.createElement("iframe");
    frame.sandbox.add("allow-scripts");
    frame.style.cssText = `display:block;border:0;margin:0 0 12px;width:${width ? `${width}px` : "100%"};height:20px`;
    document.body.append(frame);
    return frame;
  }

  private async bridge(frame: HTMLIFrameElement, connected: boolean, context: object): Promise<AppBridge> {
    const capabilities = { openLinks: {}, serverTools: {}, serverResources: {} };
    const bridge = new AppBridge(null, { name: "harbour-chat", version: "1" }, capabilities, {
      hostContext: { theme: "light", locale: "en", ...context },
    });
    if (connected) {
      // Through the current server.
      bridge.oncalltool = (params) => this.client.callTool(params) as never;
      bridge.onreadresource = (params) => this.client.readResource(params) as never;
    }
    bridge.onsizechange = ({ height }) => {
      if (height !== undefined) {
        frame.style.height = `${height}px`;
      }
    };
    bridge.onopenlink = async ({ url }) => {
      this.links.push(url);
      return {};
    };
    const target = frame.contentWindow as Window;
    await bridge.connect(new PostMessageTransport(target, target));
    this.bridges.push(bridge);
    return bridge;
  }
}

window.host = new ChatHost();
