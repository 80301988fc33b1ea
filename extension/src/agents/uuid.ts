// Question and stream ids: UUIDs of version 7 (RFC 9562, section 5.7), which sort by the time they were made.

import { randomFillSync } from "node:crypto";

let lastTime = 0;
let counter = 0;

/**
 * Makes a UUID of version 7. Ids of one process sort in the order of their making: within one millisecond the twelve bits
 * of rand_a count up (RFC 9562, section 6.2, method 1).
 */
export function uuidv7(now: number = Date.now()): string {
  const bytes = randomFillSync(new Uint8Array(16));
  const view = new DataView(bytes.buffer);
  if (now > lastTime) {
    lastTime = now;
    // Half of the range is left to count in.
    counter = view.getUint16(6) & 0x7ff;
  } else if (++counter > 0xfff) {
    lastTime += 1;
    counter = 0;
  }
  view.setUint16(0, Math.floor(lastTime / 2 ** 32));
  view.setUint32(2, lastTime >>> 0);
  view.setUint16(6, 0x7000 | counter);
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
