// Waits for a condition.

import { vi } from "vitest";

/** Waits until a check passes, and returns its result. */
export function passes<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 }); // ends a wait that would never end; a busy machine is not a failure
}
