// Followup: Clear Closed Questions

/** The command's id. */
export const clearClosedCommand = "followup.clearClosed";

/** Clears closed questions from the view, but for those with words that were not sent. */
export function clearClosed(cards: { clearClosed(): void }): () => void {
  return () => cards.clearClosed();
}
