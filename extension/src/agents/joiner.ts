// Joins pieces that arrive while a write is under way, so that a slow reader gets few large messages instead of many small ones.

/** What is written at once: text of one channel. */
export interface Piece<Channel> {
  channel: Channel;
  text: string;
}

/**
 * Hands pieces to a writer in their order. While the line is free a piece is written at once; while a write is under way,
 * pieces of the same channel that follow each other are joined. After a failed write the joiner drops everything.
 */
export class Joiner<Channel> {
  private waiting: Piece<Channel>[] = [];
  private writing = false;
  private failure: { error: unknown } | undefined;
  private closed = false;
  private idle: (() => void)[] = [];

  /** write settles when its piece is handed on; same tells whether two channels are one. */
  constructor(
    private readonly write: (piece: Piece<Channel>) => Promise<void>,
    private readonly same: (a: Channel, b: Channel) => boolean = Object.is,
  ) {}

  /** Adds a piece; an empty one is nothing. */
  push(channel: Channel, text: string): void {
    if (text === "" || this.failure || this.closed) {
      return;
    }
    const last = this.waiting.at(-1);
    if (last && this.same(last.channel, channel)) {
      last.text += text; // The engine joins such a text once, when it is looked at.
    } else {
      this.waiting.push({ channel, text });
    }
    if (!this.writing) {
      void this.pump();
    }
  }

  /** Settles when everything is written; rejects with a write's error. */
  async drained(): Promise<void> {
    if (this.writing) {
      await new Promise<void>((resolve) => this.idle.push(resolve));
    }
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

  private async pump(): Promise<void> {
    this.writing = true;
    try {
      for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
        await this.write(next);
      }
    } catch (error) {
      this.failure = { error };
      this.waiting = [];
    }
    this.writing = false;
    for (const resolve of this.idle.splice(0)) {
      resolve();
    }
  }
}
