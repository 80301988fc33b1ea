// The test agent for a test: the scripted model and the exported API, behind plain methods.

import { vi } from "vitest";
import type { Answer, SessionState, StreamCall } from "../../../src/protocol.gen";
import { type ModelRequest, methods, type Part, type ScriptReply } from "../agent/control";
import type { ControlServer } from "./control";

/** How long to wait for the model. The chat's first request waits for the agent's own start. */
const modelTimeout = 120_000;

/** Drives the test agent over its control channel. */
export class TestAgent {
  private count = 0;

  constructor(private readonly control: ControlServer) {}

  /** Sets the model's next replies, and forgets its earlier requests. */
  async setScript(...replies: ScriptReply[]): Promise<void> {
    this.control.asked.length = 0;
    await (await this.control.connected()).sendRequest(methods.setScript, replies);
  }

  /** Waits for the model's nth request since the script was set, from 0. */
  async request(index: number): Promise<ModelRequest & { at: number }> {
    return await vi.waitFor(
      () => {
        const request = this.control.asked[index];
        if (!request)
          throw new Error(`the model was asked ${this.control.asked.length} times, not ${index + 1}`);
        return request;
      },
      { timeout: modelTimeout, interval: 100 },
    );
  }

  /** The content of the tool result for a call, as the model got it in its nth request. */
  async toolResult(index: number, callId: string): Promise<Part[]> {
    const request = await this.request(index);
    const results = request.messages
      .flatMap((message) => message.parts)
      .filter((part) => part.kind === "toolResult" && part.callId.startsWith(callId));
    const [result] = results;
    if (results.length !== 1 || result?.kind !== "toolResult") {
      throw new Error(`${results.length} results of call ${callId} in ${JSON.stringify(request.messages)}`);
    }
    return result.content;
  }

  /** Opens a session through the exported API. */
  async openSession(agent = "Test"): Promise<AgentSession> {
    const name = `session-${++this.count}`;
    const options = { agent, key: `${process.pid}-${Date.now()}-${name}` };
    const id = await (await this.control.connected()).sendRequest(methods.open, { session: name, options });
    return new AgentSession(this.control, name, id);
  }

  /** Changes a user setting; undefined removes it. */
  async set(name: string, value: unknown): Promise<void> {
    await (await this.control.connected()).sendRequest(methods.set, { name, value });
  }

  /** The folder from which Followup runs. */
  async extensionPath(): Promise<string> {
    return await (await this.control.connected()).sendRequest(methods.extensionPath);
  }

  /** The names of the tools that the editor offers to agents. */
  async tools(): Promise<string[]> {
    return await (await this.control.connected()).sendRequest(methods.tools);
  }

  /** The text of an open document whose path ends with the name. */
  async documentText(name: string): Promise<string> {
    return await (await this.control.connected()).sendRequest(methods.documentText, name);
  }
}

/** A session of the exported API. */
export class AgentSession {
  private streams = 0;

  constructor(
    private readonly control: ControlServer,
    private readonly name: string,
    readonly id: string,
  ) {}

  /** Asks a complete call and waits for its answer. */
  async ask(input: unknown, tool = "ask_followup_question"): Promise<Answer> {
    const connection = await this.control.connected();
    return await connection.sendRequest(methods.ask, { session: this.name, tool, input });
  }

  /** Opens a stream. */
  async stream(): Promise<AgentStream> {
    const stream = `${this.name}-stream-${++this.streams}`;
    await (await this.control.connected()).sendRequest(methods.stream, { session: this.name, stream });
    return new AgentStream(this.control, stream);
  }

  /** The mistake count and the conversation so far. */
  async get(): Promise<SessionState> {
    return await (await this.control.connected()).sendRequest(methods.get, this.name);
  }

  async close(): Promise<void> {
    await (await this.control.connected()).sendRequest(methods.close, this.name);
  }
}

/** A stream of the exported API. */
export class AgentStream {
  constructor(
    private readonly control: ControlServer,
    private readonly name: string,
  ) {}

  /** Appends bytes in the given pieces, one call each. */
  async append(...pieces: Uint8Array[]): Promise<void> {
    const params = pieces.map((bytes) => ({
      stream: this.name,
      bytes: Buffer.from(bytes).toString("base64"),
    }));
    await (await this.control.connected()).sendRequest(methods.append, params);
  }

  /** Ends the stream and returns its calls. */
  async end(): Promise<StreamCall[]> {
    return await (await this.control.connected()).sendRequest(methods.end, this.name);
  }

  /** The answer to the nth call of an ended stream. */
  async answer(index = 0): Promise<Answer> {
    return await (await this.control.connected()).sendRequest(methods.answer, { stream: this.name, index });
  }
}
