// The test's end of the control channel: listens on loopback, and returns the agent's current connection.

import { createServer, type Server, type Socket } from "node:net";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { type ModelRequest, modelAsked } from "../agent/control";

/** How long the editor may take to start the test agent. Without Followup, it does not start it. */
const connectTimeout = 120_000;

/** Accepts the test agent, again after each reload of the window. */
export class ControlServer {
  /** The model's requests since it connected, with their times, oldest first. */
  readonly asked: (ModelRequest & { at: number })[] = [];
  private connection: MessageConnection | undefined;
  private waiting: ((connection: MessageConnection) => void)[] = [];
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  private constructor() {
    this.server = createServer((socket) => this.accept(socket));
  }

  /** Listens on a free port. */
  static async start(): Promise<ControlServer> {
    const control = new ControlServer();
    await new Promise<void>((resolve) => control.server.listen(0, "127.0.0.1", resolve));
    return control;
  }

  get port(): number {
    const address = this.server.address();
    if (typeof address !== "object" || !address) throw new Error("the control server does not listen");
    return address.port;
  }

  /** The agent's connection; waits until there is one. */
  async connected(): Promise<MessageConnection> {
    return this.connection ?? (await this.next());
  }

  /** The agent's next connection. */
  next(): Promise<MessageConnection> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        reject,
        connectTimeout,
        new Error("the test agent did not connect; see the log"),
      );
      this.waiting.push((connection) => {
        clearTimeout(timer);
        resolve(connection);
      });
    });
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private accept(socket: Socket): void {
    this.sockets.add(socket);
    const connection = createMessageConnection(
      new StreamMessageReader(socket),
      new StreamMessageWriter(socket),
    );
    connection.onNotification(modelAsked, (request) => void this.asked.push({ ...request, at: Date.now() }));
    // A reloading window ends its extension host abruptly; pending requests fail through onClose.
    connection.onError(() => {});
    connection.onClose(() => {
      this.sockets.delete(socket);
      if (this.connection === connection) this.connection = undefined;
      connection.dispose();
    });
    connection.listen();
    this.connection = connection;
    for (const resolve of this.waiting.splice(0)) resolve(connection);
  }
}
