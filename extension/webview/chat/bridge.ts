// The page's end of the connection to a program that shows it inside a conversation: MCP Apps, specification 2026-01-26
// (https://github.com/modelcontextprotocol/ext-apps). JSON-RPC 2.0 by messages between the page's window and the program's.

interface Message {
  jsonrpc?: unknown;
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message?: string };
}

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

export class Bridge {
  private readonly waiting = new Map<
    number,
    { resolve(result: unknown): void; reject(error: Error): void }
  >();
  private readonly listeners = new Map<string, (params: never) => void>();
  private count = 0;

  constructor() {
    window.addEventListener("message", (event) => {
      if (event.source === window.parent) {
        this.receive(event.data as Message | null);
      }
    });
  }

  /** Shakes hands; what is listened to by then may come at once. */
  async start(version: string): Promise<HostContext> {
    const { hostContext = {} } = await this.request<{ hostContext?: HostContext }>("ui/initialize", {
      appInfo: { name: "Followup", version },
      appCapabilities: { availableDisplayModes: ["inline"] },
      protocolVersion,
    });
    this.notify("ui/notifications/initialized", {});
    return hostContext;
  }

  request<R>(method: string, params: unknown): Promise<R> {
    const id = ++this.count;
    return new Promise<R>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
      this.post({ jsonrpc: "2.0", id, method, params });
    });
  }

  notify(method: string, params: unknown): void {
    this.post({ jsonrpc: "2.0", method, params });
  }

  /** Listens to a notification or a request of the program's. A request is answered at once. */
  on<P>(method: string, listener: (params: P) => void): void {
    this.listeners.set(method, listener);
  }

  private receive(message: Message | null): void {
    if (message?.jsonrpc !== "2.0") {
      return;
    }
    const { id, method, params, result, error } = message;
    if (method !== undefined) {
      const listener = this.listeners.get(method);
      listener?.((params ?? {}) as never);
      if (id !== undefined) {
        const unknown = { error: { code: -32601, message: "the page has no such method" } };
        const known = listener !== undefined || method === "ping";
        this.post({ jsonrpc: "2.0", id, ...(known ? { result: {} } : unknown) });
      }
      return;
    }
    const waiting = this.waiting.get(Number(id));
    this.waiting.delete(Number(id));
    error === undefined ? waiting?.resolve(result) : waiting?.reject(new Error(error?.message ?? ""));
  }

  /** Which origin shows the page is not known to it: the program's own sandbox keeps others out. */
  private post(message: unknown): void {
    window.parent.postMessage(message, "*");
  }
}
