// Tells each sidecar process after how long a choice is made in the user's place.

import { type TimerConfigureParams, timerConfigure } from "../protocol.gen";
import type { Sidecar } from "./sidecar";

/** Has every new process told what is set; what it gives tells the one that runs. */
export function timer(
  sidecar: Pick<Sidecar, "addParticipant" | "connection">,
  settings: () => TimerConfigureParams,
): () => Promise<void> {
  let told = 0;
  const tell = async (connection = sidecar.connection) => {
    const params = settings();
    told = params.after;
    await connection?.request(timerConfigure, params);
  };
  sidecar.addParticipant(async (connection) => {
    if (settings().after > 0) {
      await tell(connection);
    }
  });
  return async () => {
    if (settings().after !== told) {
      await tell();
    }
  };
}
