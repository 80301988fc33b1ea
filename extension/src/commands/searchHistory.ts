// Followup: Search History…

/** The command's id. */
export const searchHistoryCommand = "followup.searchHistory";

/** Leads the keyboard to the history's search box. */
export function searchHistory(view: { focus(on: "search"): Promise<void> }): () => Promise<void> {
  return () => view.focus("search");
}
