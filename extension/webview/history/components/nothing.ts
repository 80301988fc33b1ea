// What stands in the place of the list while it is empty.

import { html, type TemplateResult } from "lit";
import { icon } from "../../components/icon";
import { narrows } from "../filter";
import type { Bar } from "./bars";

/** Why the list is empty, with the way out of it. */
export function emptyList({ view, t, controller }: Bar): TemplateResult {
  const { text, filter } = view.query;
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
      html`<button type="button" class="action" data-action="settings" @click=${() => controller.run("openSettings")}>${t("off.settings")}</button>`,
    );
  }
  return section(
    "history",
    t("none.title"),
    t("none.text"),
    html`<button type="button" class="action" data-action="import" @click=${() => controller.run("import")}>${t("none.import")}</button>`,
  );
}

function section(name: string, title: string, text: string, button: TemplateResult): TemplateResult {
  return html`<section class="empty">${icon(name)}<h2>${title}</h2><p>${text}</p>${button}</section>`;
}
