// Encodes the calls of an x86 program by their target instead of their distance, as in a packed program. Calls of one function
// then have the same bytes, and the packed program is a twentieth smaller. 7-Zip and xz filter executables in the same way.

const [call, jump] = [0xe8, 0xe9];

/**
 * Replaces distances by targets.
 * @param {Uint8Array} program not changed
 */
export const absoluteCalls = (program) =>
  rewritten(program, (value, next, size) => {
    if (value < -next || value >= size) return value;
    return value < size - next ? value + next : value - size;
  });

/**
 * Replaces targets by distances: the inverse of absoluteCalls for any bytes.
 * @param {Uint8Array} program not changed
 */
export const relativeCalls = (program) =>
  rewritten(program, (value, next, size) => {
    if (value < -next || value >= size) return value;
    return value >= 0 ? value - next : value + size;
  });

/**
 * @param {Uint8Array} program
 * @param {(value: number, next: number, size: number) => number} change gets an operand, and the offset of the next instruction
 */
function rewritten(program, change) {
  const bytes = Uint8Array.from(program);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at + 5 <= bytes.length; ) {
    if (bytes[at] !== call && bytes[at] !== jump) {
      at++;
      continue;
    }
    view.setInt32(at + 1, change(view.getInt32(at + 1, true), at + 5, bytes.length), true);
    at += 5;
  }
  return bytes;
}
