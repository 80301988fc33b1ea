// Followup: Clear Closed Questions

import { hostClearClosed } from "../../webview/boundary";
import type { Pages } from "../page/pages";

/** The command's id. */
export const clearClosedCommand = "followup.clearClosed";

/** Clears closed questions from the view, but for those with words that were not sent. */
export function clearClosed(pages: Pick<Pages, "tell">): () => void {
  return () => pages.tell(hostClearClosed, {});
}
