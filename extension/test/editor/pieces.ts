// Cuts bytes into pieces like those of a model's text: small, of different lengths, and cutting characters.

/** Cuts bytes into pieces of 1 to `most` bytes; the same seed gives the same cuts. */
export function cut(bytes: Uint8Array, seed: number, most = 40): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let state = seed * 2654435761 + 1;
  for (let start = 0; start < bytes.length; ) {
    // A linear congruential generator; its high bits are random enough for lengths.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const length = 1 + Math.floor((state / 2 ** 32) * most);
    pieces.push(bytes.subarray(start, start + length));
    start += length;
  }
  return pieces;
}
