// What stands in the place of the list while it is empty.

import type { TemplateResult } from "lit";
import { action, commandButton, empty } from "../../components/notices";
import { narrows } from "../filter";
import type { Bar } from "./bars";

/** Why the list is empty, with the way out of it. */
export function emptyList({ view, t, controller }: Bar): TemplateResult {
  const { text, filter } = view.history.query;
  const filtered = narrows(filter);
  if (filtered || text.trim() !== "") {
    return empty(
      "search",
      t("noMatch.title"),
      t(text.trim() === "" ? "noMatch.filterText" : "noMatch.text"),
      action("clear", t(filtered ? "filter.clear" : "search.clear"), () => controller.clear()),
    );
  }
  if (!view.keep) {
    return empty(
      "circle-slash",
      t("off.title"),
      t("off.text"),
      commandButton("openSettings", t("off.settings"), controller),
    );
  }
  return empty(
    "history",
    t("none.title"),
    t("none.text"),
    commandButton("import", t("none.import"), controller),
  );
}
