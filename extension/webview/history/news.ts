// What a screen reader is told when the history changes.

import type { ViewEvent } from "../state";
import type { Translate } from "../strings";
import { narrows } from "./filter";
import { entriesOf, type HistoryState } from "./state";

/** The sentence for an event, if it is one to be told. */
export function news(event: ViewEvent, after: HistoryState, t: Translate): string | undefined {
  switch (event.type) {
    case "arrived":
      return event.purpose === "first" ? found(after, t) : undefined;
    case "removed": {
      const { count } = event.deletion;
      const { undoFor } = event;
      const deleted = t("undo.deleted", { count });
      return undoFor > 0 ? `${deleted}. ${t("undo.hint", { seconds: Math.round(undoFor / 1000) })}` : deleted;
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
function found(state: HistoryState, t: Translate): string | undefined {
  const { text, filter } = state.query;
  if (text.trim() === "" && !narrows(filter)) {
    return undefined;
  }
  const count = entriesOf(state).length;
  if (count === 0) {
    return t("noMatch.title");
  }
  return t(state.stretch.next === undefined ? "search.found" : "search.foundMany", { count });
}
