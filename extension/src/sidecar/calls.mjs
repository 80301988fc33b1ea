// The calls of an x86 program, as a packed one has them: by the place that is called, in place of its distance. Calls of one function are
// then the same bytes, and the program packs into a twentieth less. Executables are filtered so in 7-Zip and xz, too.

const [call, jump] = [0xe8, 0xe9];

/**
 * Replaces distances by places.
 * @param {Uint8Array} program which stays as it is
 */
export const absoluteCalls = (program) =>
  rewritten(program, (value, next, size) => {
    if (value < -next || value >= size) return value;
    return value < size - next ? value + next : value - size;
  });

/**
 * Replaces places by distances: the inverse of absoluteCalls, whatever the bytes.
 * @param {Uint8Array} program which stays as it is
 */
export const relativeCalls = (program) =>
  rewritten(program, (value, next, size) => {
    if (value < -next || value >= size) return value;
    return value >= 0 ? value - next : value + size;
  });

/**
 * @param {Uint8Array} program
 * @param {(value: number, next: number, size: number) => number} change gets an operand, and the place of the next instruction
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
