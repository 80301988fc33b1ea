// A debugger's client for one sidecar, with the few requests of the Debug Adapter Protocol for a first breakpoint.

import { type ChildProcess, spawn } from "node:child_process";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { type DataCallback, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { delveBinary } from "../../../scripts/lib/delve.mjs";

/** A frame of a stopped goroutine's stack. */
export interface StackFrame {
  id: number;
  name: string;
  line: number;
  source?: { path?: string };
}

/** A message: a response to a request, or an event. The framing is JSON-RPC's. */
interface DapMessage {
  type: "response" | "event";
  request_seq?: number;
  success?: boolean;
  message?: string;
  event?: string;
  body?: Record<string, unknown>;
}

type Body = Record<string, unknown>;

/** Delve's DAP server, attached to a running process. */
export class Debugger {
  private seq = 0;
  private readonly pending = new Map<
    number,
    { resolve: (body: Body) => void; reject: (error: Error) => void }
  >();
  private readonly events: { name: string; body: Body }[] = [];
  private readonly waiting: { name: string; resolve: (body: Body) => void }[] = [];
  private readonly writer: StreamMessageWriter;

  private constructor(
    private readonly server: ChildProcess,
    private readonly socket: Socket,
  ) {
    this.writer = new StreamMessageWriter(socket);
    const receive: DataCallback = (message) => this.receive(message as unknown as DapMessage);
    new StreamMessageReader(socket).listen(receive);
  }

  /**
   * Starts Delve and attaches it to a process, which keeps running; breakpoints can be set then. substitutePath maps local folders to
   * those in the program.
   */
  static async attach(processId: number, substitutePath?: { from: string; to: string }[]): Promise<Debugger> {
    const server = spawn(delveBinary, ["dap", "--listen=127.0.0.1:0"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const port = await listeningPort(server);
      const client = new Debugger(server, connect(port, "127.0.0.1"));
      await client.request("initialize", { adapterID: "go", pathFormat: "path", linesStartAt1: true });
      const attached = client.request("attach", { mode: "local", processId, substitutePath });
      await Promise.race([client.event("initialized"), attached]);
      return client;
    } catch (error) {
      server.kill();
      throw error;
    }
  }

  /** Sets the only breakpoint of a file and lets the process run. */
  async breakAt(file: string, line: number): Promise<void> {
    const { breakpoints } = (await this.request("setBreakpoints", {
      source: { path: file },
      breakpoints: [{ line }],
    })) as { breakpoints: { verified: boolean; message?: string }[] };
    const [breakpoint] = breakpoints;
    if (!breakpoint?.verified) throw new Error(`no breakpoint at ${file}:${line}: ${breakpoint?.message}`);
    await this.request("configurationDone", {});
  }

  /** Waits until the process stops at a breakpoint. Returns the stack, innermost frame first. */
  async stopped(): Promise<StackFrame[]> {
    const { reason, threadId } = await this.event("stopped");
    if (reason !== "breakpoint") throw new Error(`stopped for another reason: ${reason}`);
    const { stackFrames } = await this.request("stackTrace", { threadId, levels: 20 });
    return stackFrames as StackFrame[];
  }

  /** The value of an expression in a frame, as a debugger shows it. */
  async evaluate(expression: string, frame: StackFrame): Promise<string> {
    const { result } = await this.request("evaluate", { expression, frameId: frame.id, context: "watch" });
    return String(result);
  }

  /** Removes the breakpoint of a file and lets the process continue. */
  async resume(file: string): Promise<void> {
    await this.request("setBreakpoints", { source: { path: file }, breakpoints: [] });
    await this.request("continue", { threadId: 0 });
  }

  /** Detaches from the process and ends the debugger. */
  async detach(): Promise<void> {
    const exited = new Promise((resolve) => this.server.once("exit", resolve));
    await this.request("disconnect", { terminateDebuggee: false });
    await exited;
    this.socket.destroy();
  }

  /** The next event with a name, or an earlier one that nobody has waited for. */
  private event(name: string): Promise<Body> {
    const index = this.events.findIndex((event) => event.name === name);
    const [known] = index < 0 ? [] : this.events.splice(index, 1);
    if (known) return Promise.resolve(known.body);
    return new Promise((resolve) => this.waiting.push({ name, resolve }));
  }

  private request(command: string, args: Body): Promise<Body> {
    const seq = ++this.seq;
    const answer = new Promise<Body>((resolve, reject) => this.pending.set(seq, { resolve, reject }));
    // The writer frames any JSON; its type only allows JSON-RPC.
    void this.writer.write({ seq, type: "request", command, arguments: args } as never);
    return answer;
  }

  private receive(message: DapMessage): void {
    if (message.type === "event") {
      const name = message.event ?? "";
      const index = this.waiting.findIndex((waiter) => waiter.name === name);
      const [waiter] = index < 0 ? [] : this.waiting.splice(index, 1);
      if (waiter) waiter.resolve(message.body ?? {});
      else this.events.push({ name, body: message.body ?? {} });
      return;
    }
    const request = this.pending.get(message.request_seq ?? -1);
    this.pending.delete(message.request_seq ?? -1);
    if (message.success) request?.resolve(message.body ?? {});
    else request?.reject(new Error(`Delve: ${message.message} ${JSON.stringify(message.body ?? {})}`));
  }
}

function listeningPort(server: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    if (!server.stdout) throw new Error("Delve's output is not read");
    createInterface({ input: server.stdout }).on("line", (line) => {
      const port = /listening at: 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (port) resolve(Number(port));
    });
    server.once("error", reject);
    server.once("exit", (status) => reject(new Error(`Delve ended with ${status}`)));
  });
}
