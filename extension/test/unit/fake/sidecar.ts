// A sidecar in memory: it speaks JSON-RPC over streams like the real one over pipes, and follows a test's instructions.

import { PassThrough } from "node:stream";
import {
  type CancellationToken,
  createMessageConnection,
  ErrorCodes,
  Message,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import {
  type Answer,
  CodeCancelled,
  CodeUnknown,
  type InboxChange,
  type InboxItem,
  inboxDidChange,
  Version,
} from "../../../src/protocol.gen";
import type { Launch, Transport } from "../../../src/sidecar/transport";

type Handler = (params: never, token: CancellationToken) => unknown;

/** A message that the sidecar received. */
export interface Received {
  method: string;
  params: Record<string, unknown>;
}

/** One process. */
export class FakeProcess implements Transport {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly received: Received[] = [];
  readonly ended: Promise<string>;
  readonly pid: number;
  readonly answers = new Map<string, { resolve(answer: Answer): void; reject(error: Error): void }>();
  private readonly rpc: MessageConnection;
  private readonly handlers: Record<string, Handler>;
  /** The number of requests whose responses are written. */
  replies = 0;
  private end: (how: string) => void = () => {};
  private dead = false;

  constructor(
    readonly number: number,
    overrides: Record<string, Handler>,
    private readonly changed: () => void,
  ) {
    this.pid = 1000 + number;
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
    this.rpc = createMessageConnection(
      new StreamMessageReader(this.stdin),
      new CountingWriter(this.stdout, () => {
        this.replies += 1;
        this.changed();
      }),
    );
    this.handlers = { ...this.defaults(), ...overrides };
    this.rpc.onRequest((method, params, token) => {
      this.note(method, params);
      const handler = this.handlers[method];
      return handler ? handler(params as never, token) : new ResponseError(ErrorCodes.MethodNotFound, method);
    });
    this.rpc.onNotification((method, params) => {
      this.note(method, params);
      if (method === "exit") {
        this.crash("exit status 0");
      }
    });
    this.rpc.listen();
  }

  kill(): void {
    this.crash("signal SIGKILL");
  }

  /** Ends the process like a crash. */
  crash(detail = "exit status 2"): void {
    if (this.dead) {
      return;
    }
    this.dead = true;
    this.rpc.dispose();
    this.stdin.destroy();
    this.stderr.end();
    // Written data is still read; then the pipe ends, and then the process.
    this.stdout.once("close", () => this.end(detail));
    this.stdout.end();
  }

  /** Replaces the handler of a method. */
  handle(method: string, handler: Handler): void {
    this.handlers[method] = handler;
  }

  /** Sends a change of the inbox. */
  async tell(change: InboxChange): Promise<void> {
    await this.notify(inboxDidChange.method, change);
  }

  async notify(method: string, params: unknown): Promise<void> {
    await this.rpc.sendNotification(method, params);
  }

  /** Answers a question whose request is pending. */
  answer(questionId: string, text: string): void {
    const waiting = this.answers.get(questionId);
    if (!waiting) {
      throw new Error(`nobody waits for ${questionId}`);
    }
    waiting.resolve(answered(questionId, text));
  }

  /** The methods of all received messages, in order. */
  methods(): string[] {
    return this.received.map(({ method }) => method);
  }

  /** The params of all received messages with a method. */
  sent(method: string): Record<string, unknown>[] {
    return this.received.filter((each) => each.method === method).map(({ params }) => params);
  }

  private note(method: string, params: unknown): void {
    this.received.push({ method, params: params as Record<string, unknown> });
    this.changed();
  }

  private defaults(): Record<string, Handler> {
    const withdrawn = () => new ResponseError(CodeCancelled, "withdrawn");
    const wait = ({ questionId }: { questionId: string }, token: CancellationToken) =>
      new Promise<Answer>((resolve, reject) => {
        const before = this.answers.get(questionId);
        this.answers.set(questionId, {
          resolve: (answer) => {
            before?.resolve(answer);
            resolve(answer);
          },
          reject: (error) => {
            before?.reject(error);
            reject(error);
          },
        });
        whenCancelled(token, () => reject(withdrawn()));
      });
    return {
      initialize: () => ({
        protocolVersion: Version,
        serverInfo: { name: "fake", version: String(this.number), pid: this.pid },
        capabilities: {},
      }),
      shutdown: () => ({}),
      "session/open": ({ agent, key }: { agent: string; key: string }) => ({ session: `${agent}/${key}` }),
      "session/get": ({ session }: { session: string }) => ({ session, consecutiveMistakes: 7 }),
      "session/close": () => {
        for (const { reject } of this.answers.values()) {
          reject(withdrawn());
        }
        return {};
      },
      "question/ask": wait,
      "question/await": wait,
      "question/withdraw": ({ questionId }: { questionId: string }) => {
        const waiting = this.answers.get(questionId);
        if (!waiting) {
          return new ResponseError(CodeUnknown, `no question ${questionId}`);
        }
        waiting.reject(withdrawn());
        return { accepted: true, outcome: { outcome: "withdrawn", at: 1 } };
      },
      "stream/end": () => ({ calls: [], consecutiveMistakes: 0 }),
      "inbox/subscribe": () => ({ items: [] }),
    };
  }
}

class CountingWriter extends StreamMessageWriter {
  constructor(
    stream: NodeJS.WritableStream,
    private readonly replied: () => void,
  ) {
    super(stream);
  }

  override async write(message: Message): Promise<void> {
    await super.write(message);
    if (Message.isResponse(message)) {
      this.replied();
    }
  }
}

/** All processes of a test. */
export class FakeMachine {
  readonly processes: FakeProcess[] = [];
  /** Replaced handlers, by method. */
  readonly overrides: Record<string, Handler> = {};
  private readonly watchers = new Set<() => void>();

  readonly start = (_launch: Launch): Transport => {
    const process = new FakeProcess(this.processes.length + 1, { ...this.overrides }, () => this.changed());
    this.processes.push(process);
    this.changed();
    return process;
  };

  get last(): FakeProcess {
    const last = this.processes.at(-1);
    if (!last) {
      throw new Error("no process was started");
    }
    return last;
  }

  /** Waits until a condition holds, and checks it whenever a process receives a message. */
  async until(holds: (last: FakeProcess) => boolean): Promise<FakeProcess> {
    const current = () => this.processes.at(-1);
    for (let process = current(); !(process && holds(process)); process = current()) {
      await new Promise<void>((resolve) => {
        const look = () => {
          this.watchers.delete(look);
          resolve();
        };
        this.watchers.add(look);
      });
    }
    return this.last;
  }

  /** Waits until the process with this number, from 1, has received a method a number of times. */
  received(number: number, method: string, times = 1): Promise<FakeProcess> {
    return this.until((last) => last.number === number && last.sent(method).length >= times);
  }

  private changed(): void {
    for (const look of [...this.watchers]) {
      look();
    }
  }
}

/** Calls back when a request is cancelled. The token of a request that was cancelled before it began fires no event. */
export function whenCancelled(token: CancellationToken, then: () => void): void {
  token.isCancellationRequested ? then() : token.onCancellationRequested(then);
}

/** An answer. */
export function answered(questionId: string, text: string): Answer {
  return {
    questionId,
    outcome: "answered",
    provenance: "typed",
    text: `<answer>\n${text}\n</answer>`,
    images: [],
  };
}

/** A question of the inbox. */
export function item(questionId: string, fields: Partial<InboxItem> = {}): InboxItem {
  return {
    questionId,
    session: "Agent/a",
    agent: "Agent",
    tool: "ask_followup_question",
    state: "pending",
    ask: "followup",
    payload: {
      question: `Question ${questionId}?`,
      suggest: [{ answer: "Yes" }, { answer: "No", mode: "code" }],
    },
    askedAt: 1,
    order: 1,
    ...fields,
  };
}
