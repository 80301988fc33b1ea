// One message of an agent's on its way to the sidecar.

import { Emitter, ResponseError } from "vscode-jsonrpc";
import {
  type Answer,
  type CallError,
  CodeRefused,
  type StreamCall,
  type StreamEndReason,
  streamAppend,
  streamAppendToolInput,
  streamEnd,
  streamResume,
} from "../protocol.gen";
import type { Connection } from "../sidecar/connection";
import { ConnectionLostError, FollowupError, messageOf } from "../sidecar/errors";
import { callOf, type Ledger } from "../sidecar/ledger";
import { defaultLimits, RestartPolicy } from "../sidecar/restart";
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

/** To how many characters the pieces are joined that are given again; one message holds several times that. */
const joinedLimit = 1 << 20;

/** How often within the sidecar's period a message that crashes it is given again. */
const givenAgain = 2;

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
  /** whole: all pieces have come, and end may be called again · aborting: the next process has to be told, should this one not be. */
  private state: "open" | "ending" | "whole" | "aborting" | "over" = "open";
  private readonly crashes = new RestartPolicy({ ...defaultLimits, times: givenAgain });
  /** The process whose crash was counted last. */
  private crashedIn: Connection | undefined;
  /** It was given up, since it crashes every process: what is known of it are the calls that were kept. */
  private truncated = false;
  /** The process could not look up what was kept of it, and reads none of it until it is given again. */
  private refused = false;

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
    if (this.state !== "whole") {
      this.checkOpen();
    }
    this.state = "ending";
    try {
      for (const channel of [this.text, ...this.inputs.values()]) {
        this.joiner.push(channel, channel.half);
        channel.half = "";
      }
      await this.joiner.drained();
      if (this.refused) {
        const process = await this.sidecar.connected();
        if (this.refused) {
          await this.resume(process);
        }
      }
      const { calls, ...found } = await this.request("complete");
      this.stop();
      return {
        ...found,
        ...(this.truncated ? { truncated: true } : {}),
        calls: calls.map((call) => this.answered(call)),
      };
    } catch (error) {
      this.refused = error instanceof ResponseError && error.code === CodeRefused;
      if (this.state === "ending" && this.process && (this.refused || error instanceof FollowupError)) {
        // The next process knows the calls, and the answers that the user has given.
        this.state = "whole";
      } else {
        this.stop();
      }
      throw this.refused ? new FollowupError("refused", messageOf(error)) : error;
    }
  }

  async abort(): Promise<void> {
    if (this.state !== "open" && this.state !== "whole") {
      return;
    }
    this.state = "aborting";
    this.drop();
    try {
      if (this.process) {
        await this.request("aborted");
      }
    } catch (error) {
      // Where no process comes any more, nothing is asked any more; should one come, it is told.
      if (error instanceof FollowupError) {
        return;
      }
      this.stop();
      throw error;
    }
    this.stop();
  }

  /** Ends it here; nothing further can come of it. */
  stop(): void {
    this.state = "over";
    this.drop();
    this.done(this);
  }

  /** A process has crashed. One that was reading this may have done so because of it. */
  crashed(): void {
    const { process } = this;
    if (process && process !== this.crashedIn) {
      this.crashedIn = process;
      if (this.crashes.crashed() === undefined) {
        this.truncated = true;
        this.drop();
      }
    }
  }

  /** A new process has begun: it is given what an earlier one was. Settles when the process need not be told more before it is used. */
  async resume(process: Connection): Promise<void> {
    if (!this.process) {
      return;
    }
    this.refused = false;
    const where = { session: this.session, streamId: this.id };
    void send(process.notify(streamResume, where));
    if (this.state !== "aborting") {
      this.outside.again = this.outside.passed;
      void this.give(process);
      return;
    }
    try {
      // Before its questions are shown once more.
      await process.request(streamEnd, { ...where, reason: "aborted" });
    } catch (error) {
      if (error instanceof ConnectionLostError) {
        return; // the next one is told
      }
    }
    this.stop();
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
    if (this.state !== "open") {
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
    this.keep(piece);
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

  /** Keeps a piece to be given again: behind its like as one. One that is being written stays as it is. */
  private keep(piece: Piece<Channel>): void {
    const last = this.given.at(-1);
    if (
      last?.channel === piece.channel &&
      last.bytes === piece.bytes &&
      last.text.length + piece.text.length <= joinedLimit
    ) {
      this.given[this.given.length - 1] = { ...piece, text: last.text + piece.text };
    } else {
      this.given.push(piece);
    }
  }

  /** Lets go of the pieces. */
  private drop(): void {
    this.joiner.stop();
    this.given.length = 0;
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
