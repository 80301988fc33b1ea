// What a screen reader is told when the history changes.

import type { ViewEvent } from "../state";
import { t } from "../strings";
import { isFiltered } from "./filter";
import { entriesOf, type HistoryState } from "./state";

/** The sentence for an event, if it is one to be told. */
export function news(event: ViewEvent, after: HistoryState): string | undefined {
  switch (event.type) {
    case "arrived":
      return event.purpose === "first" ? found(after) : undefined;
    case "removed": {
      const deleted = t("undo.deleted", { count: event.deletion.count });
      const seconds = Math.round(event.undoFor / 1000);
      return seconds > 0 ? `${deleted}. ${t("undo.hint", { seconds })}` : deleted;
    }
    case "undone":
      return event.count > 0 ? t("undo.restored", { count: event.count }) : undefined;
    case "copied":
      return t("action.copied");
    default:
      return undefined;
  }
}

/** How much a search or the filters let through; of the whole history nothing is said. */
function found(state: HistoryState): string | undefined {
  if (state.query.text.trim() === "" && !isFiltered(state.query)) {
    return undefined;
  }
  const { length: count } = entriesOf(state);
  const key = state.next === undefined ? "search.found" : "search.foundMany";
  return count === 0 ? t("noMatch.title") : t(key, { count });
}
