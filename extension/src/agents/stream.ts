// One message of an agent's on its way to the sidecar.

import { Emitter } from "vscode-jsonrpc";
import {
  type Answer,
  type CallError,
  type InboxItem,
  type StreamCall,
  type StreamEndReason,
  sessionGet,
  streamAppend,
  streamAppendToolInput,
  streamEnd,
} from "../protocol.gen";
import type { Connection } from "../sidecar/connection";
import { ConnectionLostError, FollowupError } from "../sidecar/errors";
import { callOf, type Ledger } from "../sidecar/ledger";
import type { Sidecar } from "../sidecar/sidecar";
import type { AnsweredStreamCall, FollowupStream, StreamResult } from "./api";
import { Joiner, type Piece } from "./joiner";
import { uuidv7 } from "./uuid";

/** What a piece belongs to: the text, or one native call. */
interface Channel {
  readonly call?: { callId: string; tool: string };
  /** The first half of a character that the last piece, a string, ended in: JSON cannot hold half a character. */
  half: string;
}

/** What the inbox told of a question in the stream. */
interface Sighting {
  item: InboxItem;
  answer?: Promise<Answer>;
}

/** What a call is told that was open when its sidecar ended. */
const truncated: CallError = {
  code: "truncated",
  message: "Failed to parse operations: unexpected end of input",
};

/**
 * A stream belongs to the process that took its first piece: what that process has read cannot be given to another one.
 * When the process ends, the stream is cut.
 */
export class Stream implements FollowupStream {
  readonly id = uuidv7();
  private readonly passed = new Emitter<string>();
  private readonly text: Channel = { half: "" };
  private readonly inputs = new Map<string, Channel>();
  private readonly joiner = new Joiner<Channel>((piece) => this.write(piece));
  private readonly sightings = new Map<string, Sighting>();
  private process: Connection | undefined;
  private over = false;

  readonly onDidPassText = this.passed.event;

  constructor(
    private readonly session: string,
    private readonly sidecar: Sidecar,
    private readonly ledger: Ledger,
    /** Called when nothing further can come of the stream. */
    private readonly done: (stream: Stream) => void,
  ) {}

  append(text: string | Uint8Array): void {
    this.push(this.text, text);
  }

  appendToolInput(callId: string, tool: string, fragment: string | Uint8Array): void {
    const channel = this.inputs.get(callId) ?? { call: { callId, tool }, half: "" };
    this.inputs.set(callId, channel);
    this.push(channel, fragment);
  }

  async end(): Promise<StreamResult> {
    this.checkOpen();
    this.over = true;
    try {
      for (const channel of [this.text, ...this.inputs.values()]) {
        this.joiner.push(channel, channel.half);
      }
      return await this.finish();
    } catch (error) {
      if (error instanceof ConnectionLostError && this.process) {
        return await this.cut();
      }
      throw error;
    } finally {
      this.done(this);
    }
  }

  async abort(): Promise<void> {
    if (this.over) {
      return;
    }
    this.over = true;
    this.joiner.stop();
    try {
      if (this.process) {
        await this.request(this.process, "aborted");
      }
    } catch (error) {
      if (!(error instanceof ConnectionLostError)) {
        throw error;
      }
      // The process is gone; what it asked is not to be asked again.
      await Promise.all([...this.sightings.keys()].map((id) => this.ledger.withdraw(id)));
    } finally {
      this.done(this);
    }
  }

  /** Takes note of a question of this stream; from when it is whole, its answer is waited for. */
  learn(item: InboxItem): void {
    const { questionId, state } = item;
    const known = this.sightings.get(questionId)?.answer;
    const answer =
      known ?? (state === "streaming" ? undefined : this.ledger.await(questionId, { call: callOf(item) }));
    this.sightings.set(questionId, { item, answer });
  }

  /** Takes note that a question of this stream was withdrawn. */
  forget(questionId: string): void {
    this.sightings.delete(questionId);
  }

  /** Hands on text that stood outside calls. */
  pass(text: string): void {
    this.passed.fire(text);
  }

  private checkOpen(): void {
    if (this.over) {
      throw new FollowupError("closed", `The stream ${this.id} has ended.`);
    }
  }

  private push(channel: Channel, piece: string | Uint8Array): void {
    this.checkOpen();
    if (piece.length === 0) {
      return;
    }
    const half = channel.half;
    if (typeof piece === "string") {
      const text = half + piece;
      channel.half = endsInHalf(text) ? text.slice(-1) : "";
      this.joiner.push(channel, text.slice(0, text.length - channel.half.length));
    } else {
      channel.half = "";
      this.joiner.push(channel, half);
      this.joiner.push(channel, piece);
    }
  }

  private async write({ channel, text, bytes }: Piece<Channel>): Promise<void> {
    // Without waiting where a process is ready, so that the piece is on its way when append returns.
    const process = this.process ?? this.sidecar.connection ?? (await this.sidecar.connected());
    if (this.joiner.stopped) {
      return;
    }
    this.process = process;
    const where = { session: this.session, streamId: this.id };
    const data = bytes ? Buffer.from(text, "latin1").toString("base64") : undefined;
    await (channel.call
      ? process.notify(streamAppendToolInput, {
          ...where,
          ...channel.call,
          ...(data ? { data } : { fragment: text }),
        })
      : process.notify(streamAppend, { ...where, ...(data ? { data } : { text }) }));
  }

  private async finish(): Promise<StreamResult> {
    await this.joiner.drained();
    this.process ??= await this.sidecar.connected();
    const { calls, ...found } = await this.request(this.process, "complete");
    return { ...found, calls: calls.map((call) => this.answered(call)) };
  }

  private request(process: Connection, reason: StreamEndReason) {
    return process.request(streamEnd, { session: this.session, streamId: this.id, reason });
  }

  private answered(call: StreamCall): AnsweredStreamCall {
    const { questionId, tool, payload, error } = call;
    const seen = this.sightings.get(questionId)?.answer;
    const answer =
      seen ??
      this.ledger.await(questionId, {
        call: payload && callOf({ session: this.session, tool, payload }),
        fallback: !payload && error ? invalid(questionId, error) : undefined,
      });
    return { ...call, answer };
  }

  /** The result of a stream whose process ended: what is known of its calls; nothing is counted. */
  private async cut(): Promise<StreamResult> {
    const sightings = [...this.sightings.values()].sort((a, b) => a.item.order - b.item.order);
    const calls = sightings.map((sighting) => this.cutCall(sighting));
    return { calls, consecutiveMistakes: await this.mistakes() };
  }

  private cutCall({ item, answer }: Sighting): AnsweredStreamCall {
    const { questionId, tool, payload } = item;
    if (item.state === "streaming") {
      const promise = Promise.resolve(invalid(questionId, truncated));
      return { questionId, tool, status: "invalid", error: truncated, answer: promise };
    }
    const status = item.outcome?.outcome === "invalid" ? "invalid" : "valid";
    const promise = answer ?? this.ledger.await(questionId, { call: callOf(item) });
    return { questionId, tool, status, payload, answer: promise };
  }

  private async mistakes(): Promise<number> {
    try {
      return (await this.sidecar.request(sessionGet, { session: this.session })).consecutiveMistakes;
    } catch {
      // The count is the sidecar's; without one it begins again.
      return 0;
    }
  }
}

/** Whether the last code unit is the first one of a character that has two. */
function endsInHalf(text: string): boolean {
  const unit = text.charCodeAt(text.length - 1);
  return unit >= 0xd800 && unit <= 0xdbff;
}

function invalid(questionId: string, error: CallError): Answer {
  return { questionId, outcome: "invalid", text: error.message, images: [], error };
}
