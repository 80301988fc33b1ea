// Followup: Show History

/** The command's id. */
export const showHistoryCommand = "followup.showHistory";

/** Leads the keyboard to the history. */
export function showHistory(tab: { focus(on: "list"): void }): () => void {
  return () => tab.focus("list");
}
