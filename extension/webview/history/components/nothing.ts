// What stands in the place of the list while it is empty.

import { html, type TemplateResult } from "lit";
import { icon } from "../../components/icon";
import { narrows } from "../filter";
import { type Bar, commandButton } from "./bars";

/** Why the list is empty, with the way out of it. */
export function emptyList({ view, t, controller }: Bar): TemplateResult {
  const { text, filter } = view.history.query;
  const filtered = narrows(filter);
  if (filtered || text.trim() !== "") {
    return section(
      "search",
      t("noMatch.title"),
      t(text.trim() === "" ? "noMatch.filterText" : "noMatch.text"),
      html`<button type="button" class="action" data-action="clear" @click=${() => controller.clear()}>${t(filtered ? "filter.clear" : "search.clear")}</button>`,
    );
  }
  if (!view.keep) {
    return section(
      "circle-slash",
      t("off.title"),
      t("off.text"),
      commandButton("openSettings", t("off.settings"), controller),
    );
  }
  return section(
    "history",
    t("none.title"),
    t("none.text"),
    commandButton("import", t("none.import"), controller),
  );
}

function section(name: string, title: string, text: string, button: unknown): TemplateResult {
  return html`<section class="empty">${icon(name)}<h2>${title}</h2><p>${text}</p>${button}</section>`;
}
