// Question and stream ids: UUIDs of version 7 (RFC 9562, section 5.7), which sort by the time they were made.

import { randomUUID } from "node:crypto";

/** Makes a UUID of version 7: one of version 4 with the time in its first 48 bits. */
export function uuidv7(now: number = Date.now()): string {
  const time = now.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
