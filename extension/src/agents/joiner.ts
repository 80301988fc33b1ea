// Joins pieces that arrive while a write is under way, so that a slow reader gets few large messages instead of many small ones.

/** What is written at once: text or bytes of one channel. */
export interface Piece<Channel> {
  channel: Channel;
  text: string;
  /** Whether the characters of the text stand for bytes, as in latin1. */
  bytes: boolean;
}

/**
 * Hands pieces to a writer in their order. While the line is free a piece is written at once; while a write is under way,
 * pieces of one kind and channel that follow each other are joined. After a failed write the joiner drops everything.
 */
export class Joiner<Channel> {
  private waiting: Piece<Channel>[] = [];
  /** Settles when all that waits is written; undefined while the line is free. */
  private writing: Promise<void> | undefined;
  private failure: { error: unknown } | undefined;
  private closed = false;

  /** write settles when its piece is handed on. */
  constructor(private readonly write: (piece: Piece<Channel>) => Promise<void>) {}

  /** Adds a piece, whose buffer may be used again then; an empty one is nothing. */
  push(channel: Channel, piece: string | Uint8Array): void {
    if (piece.length === 0 || this.failure || this.closed) {
      return;
    }
    const bytes = typeof piece !== "string";
    const text = bytes ? Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString("latin1") : piece;
    const last = this.waiting.at(-1);
    if (last?.channel === channel && last.bytes === bytes) {
      last.text += text; // The engine joins such a text once, when it is looked at.
    } else {
      this.waiting.push({ channel, text, bytes });
    }
    this.writing ??= this.writeAll();
  }

  /** Settles when everything is written; rejects with a write's error. */
  async drained(): Promise<void> {
    await this.writing;
    if (this.failure) {
      throw this.failure.error;
    }
  }

  /** Drops what is not written yet and everything that comes. */
  stop(): void {
    this.closed = true;
    this.waiting = [];
  }

  /** Whether stop was called. */
  get stopped(): boolean {
    return this.closed;
  }

  private async writeAll(): Promise<void> {
    try {
      for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
        await this.write(next);
      }
    } catch (error) {
      this.failure = { error };
      this.waiting = [];
    }
    this.writing = undefined;
  }
}
