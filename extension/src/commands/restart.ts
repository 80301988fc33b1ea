// Followup: Restart

import type { Sidecar } from "../sidecar/sidecar";

/** The command's id. */
export const restartCommand = "followup.restart";

/** Ends the sidecar and starts it again. Open questions are asked again. */
export function restart(sidecar: Sidecar): () => Promise<void> {
  return () => sidecar.restart();
}
