// Makes whole characters of pieces that may end in the middle of one: a JSON string cannot hold half a character.

const replacement = "\uFFFD";

/**
 * Decodes one channel of a stream. Pieces are UTF-8 bytes or strings, also in turns; what a piece ends in the middle of is
 * held back until its other half comes. A half that is followed by the other kind of piece stays a half: U+FFFD.
 * Invalid UTF-8 becomes U+FFFD, one for each invalid byte; a byte order mark is a character like any other.
 */
export class PieceDecoder {
  private bytes: Uint8Array = new Uint8Array(0);
  private surrogate = "";

  /** Gives the characters that are whole now; possibly none. */
  decode(piece: string | Uint8Array): string {
    return typeof piece === "string" ? this.decodeString(piece) : this.decodeBytes(piece);
  }

  /** Ends the channel: gives what half a character is left as U+FFFD. */
  flush(): string {
    return this.flushBytes() + this.flushSurrogate();
  }

  private decodeString(piece: string): string {
    if (piece === "") {
      return "";
    }
    let text = this.surrogate + piece;
    this.surrogate = "";
    if (isHighSurrogate(text.charCodeAt(text.length - 1))) {
      this.surrogate = text.slice(-1);
      text = text.slice(0, -1);
    }
    return this.flushBytes() + text;
  }

  private decodeBytes(piece: Uint8Array): string {
    if (piece.length === 0) {
      return "";
    }
    const bytes = this.bytes.length === 0 ? piece : Buffer.concat([this.bytes, piece]);
    const whole = bytes.length - incompleteTail(bytes);
    // A copy, since the caller may use its buffer again.
    this.bytes = new Uint8Array(bytes.subarray(whole));
    return this.flushSurrogate() + decodeUtf8(bytes.subarray(0, whole));
  }

  private flushBytes(): string {
    const text = replacement.repeat(this.bytes.length);
    this.bytes = new Uint8Array(0);
    return text;
  }

  private flushSurrogate(): string {
    const text = this.surrogate === "" ? "" : replacement;
    this.surrogate = "";
    return text;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return decodeDamaged(bytes);
  }
}

/** TextDecoder replaces a whole damaged sequence by one U+FFFD; the sidecar's rule is one for each byte. */
function decodeDamaged(bytes: Uint8Array): string {
  const parts: string[] = [];
  let good = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    parts.push(strict.decode(bytes.subarray(good, at)), replacement);
    at += 1;
    good = at;
  }
  parts.push(strict.decode(bytes.subarray(good)));
  return parts.join("");
}

/** The length of the well-formed sequence at a place, or 0 (table 3-7 of the Unicode Standard). */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const length = announcedLength(bytes[at] as number);
  return length > 0 && wellFormedPrefix(bytes, at, length) === length ? length : 0;
}

function announcedLength(first: number): number {
  if (first < 0x80) {
    return 1;
  }
  if (first < 0xc2 || first > 0xf4) {
    return 0;
  }
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** How many bytes from a place on, at most length, belong to one well-formed sequence. */
function wellFormedPrefix(bytes: Uint8Array, at: number, length: number): number {
  const [low, high] = secondByteRange(bytes[at] as number);
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i];
    if (byte === undefined || byte < (i === 1 ? low : 0x80) || byte > (i === 1 ? high : 0xbf)) {
      return i;
    }
  }
  return length;
}

function secondByteRange(first: number): [number, number] {
  switch (first) {
    case 0xe0:
      return [0xa0, 0xbf];
    case 0xed:
      return [0x80, 0x9f];
    case 0xf0:
      return [0x90, 0xbf];
    case 0xf4:
      return [0x80, 0x8f];
    default:
      return [0x80, 0xbf];
  }
}

/** How many bytes at the end may still become a character. */
function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const at = bytes.length - back;
    const length = announcedLength(bytes[at] as number);
    if (length > 1) {
      return length > back && wellFormedPrefix(bytes, at, length) === back ? back : 0;
    }
  }
  return 0;
}
