// One message of an agent's on its way to the sidecar.

import { Emitter } from "vscode-jsonrpc";
import {
  type Answer,
  type CallError,
  type StreamCall,
  type StreamEndReason,
  streamAppend,
  streamAppendToolInput,
  streamEnd,
  streamResume,
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

/**
 * A stream outlives the process that reads it: the next one is given all of it again, and finds in it what was kept. So its pieces are
 * held until it ends.
 */
export class Stream implements FollowupStream {
  readonly id = uuidv7();
  private readonly passed = new Emitter<string>();
  private readonly text: Channel = { half: "" };
  private readonly inputs = new Map<string, Channel>();
  private readonly joiner = new Joiner<Channel>((piece) => this.write(piece));
  private readonly given: Piece<Channel>[] = [];
  /** The process that has been given everything, should it live; undefined while none has been given anything. */
  private process: Connection | undefined;
  /** How much of the text outside calls was handed on, and how much of that is to come again from a new process. */
  private readonly outside = { passed: 0, again: 0 };
  private over = false;

  readonly onDidPassText = this.passed.event;

  constructor(
    readonly session: string,
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
      await this.joiner.drained();
      const { calls, ...found } = await this.request("complete");
      return { ...found, calls: calls.map((call) => this.answered(call)) };
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
        await this.request("aborted");
      }
    } catch (error) {
      // Where no process comes any more, nothing is asked any more.
      if (!(error instanceof FollowupError)) {
        throw error;
      }
    } finally {
      this.done(this);
    }
  }

  /** A new process has begun: it is given what an earlier one was. */
  resume(process: Connection): void {
    if (this.process) {
      this.outside.again = this.outside.passed;
      void send(process.notify(streamResume, { session: this.session, streamId: this.id }));
      void this.give(process);
    }
  }

  /** Hands on text that stood outside calls. */
  pass(text: string): void {
    const { outside } = this;
    const again = Math.min(outside.again, text.length);
    outside.again -= again;
    if (again < text.length) {
      outside.passed += text.length - again;
      this.passed.fire(text.slice(again));
    }
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

  private async write(piece: Piece<Channel>): Promise<void> {
    this.given.push(piece);
    if (this.process) {
      // Without waiting, so that the piece is on its way when append returns. What a process does not get, the next one is given.
      await this.notify(this.process, piece);
      return;
    }
    const process = this.sidecar.connection ?? (await this.sidecar.connected());
    if (!this.joiner.stopped) {
      await this.give(process);
    }
  }

  /** Gives a process everything from the start. */
  private async give(process: Connection): Promise<void> {
    this.process = process;
    await Promise.all(this.given.map((piece) => this.notify(process, piece)));
  }

  private notify(process: Connection, { channel, text, bytes }: Piece<Channel>): Promise<void> {
    const where = { session: this.session, streamId: this.id };
    const data = bytes ? Buffer.from(text, "latin1").toString("base64") : undefined;
    return send(
      channel.call
        ? process.notify(streamAppendToolInput, {
            ...where,
            ...channel.call,
            ...(data ? { data } : { fragment: text }),
          })
        : process.notify(streamAppend, { ...where, ...(data ? { data } : { text }) }),
    );
  }

  /** Ends the stream in whichever process reads it. */
  private request(reason: StreamEndReason) {
    return this.sidecar.request(streamEnd, { session: this.session, streamId: this.id, reason });
  }

  private answered(call: StreamCall): AnsweredStreamCall {
    const { questionId, tool, payload, error } = call;
    const answer = this.ledger.await(questionId, {
      call: payload && callOf({ session: this.session, tool, payload }),
      fallback: !payload && error ? invalid(questionId, error) : undefined,
    });
    return { ...call, answer };
  }
}

/** A process that has ended needs not be told. */
async function send(written: Promise<void>): Promise<void> {
  try {
    await written;
  } catch (error) {
    if (!(error instanceof ConnectionLostError)) {
      throw error;
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
