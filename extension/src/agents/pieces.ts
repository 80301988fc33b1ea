// The pieces of a stream: whole characters with their offsets, joined where the reader is slow.

/** One text of a stream: the assistant's, or the arguments of one native call. */
export class Channel {
  private readonly decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** The first half of a character of two code units: JSON cannot hold it alone. */
  private half = "";
  /** How many bytes of UTF-8 were read. */
  private offset = 0;

  constructor(readonly call?: { readonly callId: string; readonly tool: string }) {}

  /** Returns what can be sent now; without a piece, the rest. */
  read(piece?: string | Uint8Array): Piece {
    const decoded =
      piece instanceof Uint8Array
        ? this.decoder.decode(piece, { stream: true })
        : this.decoder.decode() + (piece ?? "");
    const whole = this.half + decoded;
    this.half = piece !== undefined && /[\ud800-\udbff]$/.test(whole) ? whole.slice(-1) : "";
    const text = whole.slice(0, whole.length - this.half.length);
    const { offset } = this;
    this.offset += Buffer.byteLength(text);
    return { channel: this, offset, text };
  }
}

/** A part of a channel's text. */
export interface Piece {
  readonly channel: Channel;
  /** How many bytes of UTF-8 the channel's text before it has. */
  readonly offset: number;
  readonly text: string;
}

/** The most characters of joined pieces: a message holds several times as many. */
const joinedLimit = 1 << 20;

/** Adds a piece, joined with the last one if that belongs to the same channel. */
export function join(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1);
  if (last?.channel === piece.channel && last.text.length + piece.text.length <= joinedLimit) {
    pieces[pieces.length - 1] = { ...last, text: last.text + piece.text };
  } else if (piece.text !== "") {
    pieces.push(piece);
  }
}
