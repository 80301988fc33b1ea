// What the history says of itself: what is selected, what can be undone, what is wrong, and why the list is empty.

import { html, nothing } from "lit";
import { actionButton, iconButton, linkButton } from "../../components/buttons";
import { bar, commandButton, empty } from "../../components/notices";
import { type StringKey, t } from "../../strings";
import { emptyQuery, isFiltered } from "../filter";
import { noSelection, type Selection } from "../state";
import type { FollowupHistory } from "./app";

/** What can be done with what is selected; nothing while nothing is. */
export function selectionBar({ view: { history }, controller }: FollowupHistory) {
  const { selection } = history;
  const { everything, ids } = selection;
  const select = (changed: Partial<Selection>) => controller.set({ selection: { ...selection, ...changed } });
  if (!everything && ids.size === 0) {
    return nothing;
  }
  const all = !everything && ids.size >= history.read.length && history.next !== undefined;
  return html`<div class="selection-bar" role="toolbar" aria-label=${t("selection.label")}>
    ${tool("clear-selection", "close", "selection.clear", () => select(noSelection))}
    <span class="selection-count">${
      everything ? t("selection.everything") : t("selection.count", { count: ids.size })
    }</span>
    ${
      all
        ? linkButton(
            { name: "select-everything", run: () => select({ everything: true }) },
            t("selection.selectEverything"),
          )
        : nothing
    }
    <span class="spring"></span>
    ${everything ? nothing : tool("copy-entry", "copy", "action.copyEntry", () => controller.copyEntries([...ids]))}
    ${tool("export", "save-as", "action.export", () => controller.export(controller.selected()))}
    ${controller.deletes ? tool("delete", "trash", "action.delete", () => controller.delete(controller.selected())) : nothing}
  </div>`;
}

function tool(name: string, sign: string, label: StringKey, run: () => void) {
  return iconButton({ name, sign, label: t(label), run });
}

/** What was deleted a moment ago, with the way back. */
export function undoBars({ view, controller }: FollowupHistory) {
  const { undos } = view.history;
  const one = (undo: (typeof undos)[number]) => html`<div class="undo-bar">
    <span>${t("undo.deleted", { count: undo.count })}</span>
    ${linkButton({ name: "undo", run: () => controller.undo(undo) }, t("undo.undo"))}
  </div>`;
  return undos.length === 0 ? nothing : html`<div class="undo-bars">${undos.map(one)}</div>`;
}

/** What is wrong: the history is not saved, is off, could not be read, or something did not succeed. */
export function problemBars({ view: { keep, history }, controller }: FollowupHistory) {
  const { problem, failure, notice } = history;
  const { peer } = controller;
  return [
    problem !== null &&
      bar(
        "warning",
        html`<strong>${t("problem.title")}</strong> ${problem}`,
        commandButton("openLog", t("trouble.openLog"), peer),
      ),
    failure !== null &&
      bar(
        "error",
        html`<strong>${t("problem.failed")}</strong> ${failure}`,
        actionButton({ name: "retry", run: () => controller.retry() }, t("problem.retry")),
      ),
    notice !== null &&
      bar(
        "error",
        notice,
        actionButton(
          { name: "close-notice", run: () => controller.set({ notice: null }) },
          t("notice.close"),
        ),
      ),
    !keep &&
      history.read.length > 0 &&
      bar("info", t("off.note"), commandButton("openSettings", t("off.settings"), peer)),
  ].map((each) => each || nothing);
}

/** Why the list is empty, with the way out of it. */
export function emptyList({ view, controller }: FollowupHistory) {
  const { query } = view.history;
  const filtered = isFiltered(query);
  const searched = query.text.trim() !== "";
  if (filtered || searched) {
    const button = { name: "clear", run: () => controller.narrow(emptyQuery) };
    const clear = actionButton(button, t(filtered ? "filter.clear" : "search.clear"));
    return empty("search", t("noMatch.title"), t(searched ? "noMatch.text" : "noMatch.filterText"), clear);
  }
  const way = (command: "import" | "openSettings", text: string) =>
    commandButton(command, text, controller.peer);
  return view.keep
    ? empty("history", t("none.title"), t("none.text"), way("import", t("none.import")))
    : empty("circle-slash", t("off.title"), t("off.text"), way("openSettings", t("off.settings")));
}
