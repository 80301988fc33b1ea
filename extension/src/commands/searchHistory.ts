// Followup: Search History…

/** The command's id. */
export const searchHistoryCommand = "followup.searchHistory";

/** Leads the keyboard to the history's search box. */
export function searchHistory(tab: { focus(on: "search"): void }): () => void {
  return () => tab.focus("search");
}
