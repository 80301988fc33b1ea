// One message of an agent's on its way to the sidecar.

import { Emitter, ResponseError } from "vscode-jsonrpc";
import {
  type Answer,
  CodeRefused,
  type StreamCall,
  type StreamEndReason,
  streamAppend,
  streamAppendToolInput,
  streamEnd,
  streamResume,
} from "../protocol.gen";
import type { Connection } from "../sidecar/connection";
import { FollowupError } from "../sidecar/errors";
import type { Ledger } from "../sidecar/ledger";
import type { Unanswered } from "../sidecar/resender";
import type { Sidecar } from "../sidecar/sidecar";
import type { AnsweredStreamCall, FollowupStream, StreamResult } from "./api";
import { Channel, join, type Piece } from "./pieces";
import { uuidv7 } from "./uuid";

/** Keeps its pieces until its end is answered: every new process is sent all of them. */
export class Stream implements FollowupStream, Unanswered {
  readonly id = uuidv7();
  private readonly passed = new Emitter<string>();
  private readonly text = new Channel();
  private readonly inputs = new Map<string, Channel>();
  private process: Connection | undefined;
  private begun = false;
  private ended = false;
  private over = false;
  private sent: Piece[] = [];
  /** Pieces that come while others are being written; they are joined. */
  private waiting: Piece[] = [];
  private writing: Promise<unknown> | undefined;
  /** How many bytes of the text outside calls were handed back. */
  private handedBack = 0;

  readonly onDidPassText = this.passed.event;

  constructor(
    readonly session: string,
    private readonly sidecar: Sidecar,
    private readonly ledger: Ledger,
    /** Called when nothing further can come of the stream. */
    private readonly done: (stream: Stream) => void,
  ) {
    sidecar.resender.add(this);
  }

  append(text: string | Uint8Array): void {
    this.push(this.text, text);
  }

  appendToolInput(callId: string, tool: string, fragment: string | Uint8Array): void {
    const channel = this.inputs.get(callId) ?? new Channel({ callId, tool });
    this.inputs.set(callId, channel);
    this.push(channel, fragment);
  }

  async end(): Promise<StreamResult> {
    this.check(!this.over);
    if (this.ended && this.process) {
      this.send(this.process); // a sidecar that refused the end has dropped what it had read
    }
    this.ended = true;
    for (const channel of [this.text, ...this.inputs.values()]) {
      join(this.waiting, channel.read());
    }
    this.writing = undefined; // what waits is sent before the end
    this.write();
    try {
      const { calls, ...found } = await this.request("complete");
      this.stop();
      return { ...found, calls: calls.map((call) => this.answered(call)) };
    } catch (error) {
      const refused = error instanceof ResponseError && error.code === CodeRefused;
      throw refused ? new FollowupError("refused", error.message) : error;
    }
  }

  async abort(): Promise<void> {
    if (this.over) {
      return;
    }
    this.drop(); // the next process is only told that there was a stream
    try {
      if (this.begun) {
        await this.request("aborted");
      }
    } catch (error) {
      // Where no process is coming, nothing is asked any more.
      if (!(error instanceof FollowupError)) {
        throw error;
      }
    } finally {
      this.stop();
    }
  }

  /** Ends it here; nothing further can come of it. */
  stop(): void {
    this.drop();
    this.sidecar.resender.remove(this);
    this.done(this);
  }

  send(to: Connection): void {
    if (this.begun) {
      to.notify(streamResume, this.where()).catch(() => {});
    }
    this.process = to;
    this.waiting = [...this.sent, ...this.waiting];
    this.sent = [];
    this.writing = undefined;
    this.write();
  }

  fail(): void {
    // A later process may read it.
  }

  /** Hands back text that stood outside calls, and drops what it has handed back before. */
  pass(offset: number, text: string): void {
    const bytes = Buffer.from(text);
    const fresh = bytes.subarray(Math.max(0, this.handedBack - offset));
    if (fresh.length > 0) {
      this.handedBack = offset + bytes.length;
      this.passed.fire(fresh.toString());
    }
  }

  private check(usable: boolean): void {
    if (!usable) {
      throw new FollowupError("closed", `The stream ${this.id} has ended.`);
    }
  }

  private push(channel: Channel, piece: string | Uint8Array): void {
    this.check(!this.ended);
    if (piece.length > 0) {
      join(this.waiting, channel.read(piece));
      this.write();
    }
  }

  private drop(): void {
    this.over = true;
    this.ended = true;
    this.sent = [];
    this.waiting = [];
  }

  /** Sends what waits, unless something is being written: a slow reader gets few large messages. */
  private write(): void {
    const { process, waiting } = this;
    if (!process || this.writing || waiting.length === 0) {
      return;
    }
    this.begun = true;
    this.waiting = [];
    const writing = Promise.allSettled(waiting.map((piece) => this.notify(process, piece)));
    this.writing = writing;
    void writing.then(() => {
      if (this.writing === writing) {
        this.writing = undefined;
        this.write();
      }
    });
  }

  private notify(process: Connection, piece: Piece): Promise<void> {
    join(this.sent, piece);
    const { offset, text, channel } = piece;
    const where = { ...this.where(), offset };
    return channel.call
      ? process.notify(streamAppendToolInput, { ...where, ...channel.call, fragment: text })
      : process.notify(streamAppend, { ...where, text });
  }

  private where() {
    return { session: this.session, streamId: this.id };
  }

  private request(reason: StreamEndReason) {
    return this.sidecar.request(streamEnd, { ...this.where(), reason });
  }

  private answered(call: StreamCall): AnsweredStreamCall {
    const { questionId, error } = call;
    const answer = this.ledger.await(questionId).catch((why): Answer => {
      if (error && why instanceof FollowupError && why.code === "unknown") {
        return { questionId, outcome: "invalid", text: error.message, images: [], error }; // it is not kept
      }
      throw why;
    });
    answer.catch(() => {}); // nobody has to look at it
    return { ...call, answer };
  }
}
