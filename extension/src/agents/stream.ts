// One message of an agent, sent to the sidecar in pieces.

import { StringDecoder } from "node:string_decoder";
import { Emitter } from "vscode-jsonrpc";
import * as protocol from "../protocol.gen";
import { asFollowupError, FollowupError, unless } from "../sidecar/errors";
import type { Unanswered } from "../sidecar/resender";
import type { Sidecar } from "../sidecar/sidecar";
import * as api from "./api";

/** The maximum number of characters that are joined into one piece, a fraction of a message's limit. */
const joinedLimit = 1 << 20;

/** The resender treats it as one message, until its end is answered. */
export class Stream implements api.FollowupStream, Unanswered {
  readonly id = api.uuidv7();
  private readonly where: { session: string; streamId: string };
  private readonly passed = new Emitter<string>();
  /** The assistant's text, and native calls by their ids. */
  private readonly channels = new Map<string | undefined, Channel>();
  private state: "open" | "ended" | "over" = "open";
  private pieces: { readonly channel: Channel; readonly offset: number; text: string }[] = [];
  private sent = 0;
  /** The number of bytes of text outside calls that have been passed on. */
  private handedBack = 0;

  readonly onDidPassText = this.passed.event;

  constructor(
    readonly session: Pick<api.FollowupSession, "id" | "await">,
    private readonly sidecar: Sidecar,
    private readonly done: (stream: Stream) => void,
  ) {
    this.where = { session: session.id, streamId: this.id };
    sidecar.resender.add(this);
  }

  append(text: string | Uint8Array): void {
    this.push(this.channel(), text);
  }

  appendToolInput(callId: string, tool: string, fragment: string | Uint8Array): void {
    this.push(this.channel({ callId, tool }), fragment);
  }

  async end(): Promise<api.StreamResult> {
    this.check("open", "ended");
    if (this.state === "ended") {
      this.send(); // for a sidecar that has rejected the end and dropped the pieces
    }
    this.state = "ended";
    for (const channel of this.channels.values()) {
      this.push(channel);
    }
    this.flush();
    const { calls, ...found } = await this.sidecar
      .request(protocol.streamEnd, { ...this.where, reason: "complete" })
      .catch((error) => {
        throw asFollowupError(error);
      });
    this.stop();
    return { ...found, calls: calls.map((call) => this.answered(call)) };
  }

  async abort(): Promise<void> {
    if (this.state !== "over") {
      this.drop(); // the next process only learns that there was a stream
      // If no process is coming, no question can be open.
      const ending =
        this.sent && this.sidecar.request(protocol.streamEnd, { ...this.where, reason: "aborted" });
      const end = ending ? ending.then(() => {}, unless("unavailable")) : undefined;
      await Promise.resolve(end).finally(() => this.stop());
    }
  }

  stop(): void {
    this.drop();
    this.sidecar.resender.remove(this);
    this.done(this);
  }

  /** Passes on text outside calls, without the part that was passed on before. */
  pass(offset: number, text: string): void {
    const bytes = Buffer.from(text);
    const fresh = bytes.subarray(Math.max(0, this.handedBack - offset));
    if (fresh.length > 0) {
      this.handedBack = offset + bytes.length;
      this.passed.fire(fresh.toString());
    }
  }

  send(to = this.sidecar.connection): void {
    if (this.sent) {
      void to?.notify(protocol.streamResume, this.where);
    }
    this.flush(to, 0);
  }

  private check(...usable: Stream["state"][]): void {
    if (!usable.includes(this.state)) {
      throw new FollowupError("closed", `The stream ${this.id} has ended.`);
    }
  }

  private channel(call?: Channel["call"]): Channel {
    this.check("open");
    const channel = this.channels.get(call?.callId) ?? new Channel(call);
    this.channels.set(call?.callId, channel);
    return channel;
  }

  /** Adds a piece, or the rest of a channel. Pieces that arrive together are joined. */
  private push(channel: Channel, piece?: string | Uint8Array): void {
    const { offset, text } = channel.read(piece);
    const last = this.pieces.slice(this.sent).at(-1);
    if (last?.channel === channel && last.text.length + text.length <= joinedLimit) {
      last.text += text;
    } else if (text) {
      this.pieces.push({ channel, offset, text });
    }
    queueMicrotask(() => this.flush());
  }

  private flush(to = this.sidecar.connection, from = this.sent): void {
    for (const { channel, offset, text } of to ? this.pieces.slice(from) : []) {
      const where = { ...this.where, offset };
      void (channel.call
        ? to?.notify(protocol.streamAppendToolInput, { ...where, ...channel.call, fragment: text })
        : to?.notify(protocol.streamAppend, { ...where, text }));
      this.sent = this.pieces.length;
    }
  }

  private drop(): void {
    this.state = "over";
    this.pieces = [];
  }

  private answered(call: protocol.StreamCall): api.AnsweredStreamCall {
    const { questionId, error } = call;
    const text = error?.message ?? "";
    const invalid = () => ({ questionId, outcome: "invalid" as const, text, images: [], error });
    const kept = this.session.await(questionId);
    const answer = error ? kept.catch(unless<protocol.Answer>("unknown", invalid)) : kept; // an invalid call is not stored
    answer.catch(() => {}); // the caller may ignore it
    return { ...call, answer };
  }
}

/** One text of a stream: the assistant's, or the arguments of one native call. */
export class Channel {
  private readonly bytes = new StringDecoder("utf8");
  /** Holds back half of a surrogate pair, which JSON cannot represent alone. */
  private readonly units = new StringDecoder("utf16le");
  private offset = 0;

  constructor(readonly call?: { readonly callId: string; readonly tool: string }) {}

  /** Returns the complete characters to send now, and their offset in bytes of UTF-8; without a piece, the rest. */
  read(piece?: string | Uint8Array): { offset: number; text: string } {
    const { offset, bytes, units } = this;
    const text =
      piece instanceof Uint8Array
        ? units.end() + bytes.write(piece)
        : bytes.end() + (piece === undefined ? units.end() : units.write(Buffer.from(piece, "utf16le")));
    this.offset += Buffer.byteLength(text);
    return { offset, text };
  }
}
