// Waiting for what comes by itself.

import { vi } from "vitest";

/** Waits until a check passes, and gives what it gives. */
export function passes<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 }); // bounds what never comes; a busy machine is no failure
}
