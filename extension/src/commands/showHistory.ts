// Followup: Show History

/** The command's id. */
export const showHistoryCommand = "followup.showHistory";

/** Leads the keyboard to the history. */
export function showHistory(view: { focus(on: "list"): Promise<void> }): () => Promise<void> {
  return () => view.focus("list");
}
