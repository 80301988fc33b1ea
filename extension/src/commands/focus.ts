// Followup: Focus Question

/** The command's id. */
export const focusCommand = "followup.focus";

/** Leads the keyboard to the first question that can be answered. */
export function focus(view: { focus(): Promise<void> }): () => Promise<void> {
  return () => view.focus();
}
