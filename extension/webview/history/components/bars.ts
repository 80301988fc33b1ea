// The bars of the history, and the content of an empty list.

import { html, nothing } from "lit";
import { actionButton, bar, commandButton, empty, iconButton, linkButton } from "../../components/buttons";
import type { ViewState } from "../../state";
import { type StringKey, t } from "../../strings";
import type { HistoryController } from "../controller";
import { emptyQuery, isFiltered } from "../filter";
import { noSelection, type Selection } from "../state";

/** The visible history, and its actions. */
interface Shown {
  readonly view: ViewState;
  readonly controller: HistoryController;
}

/** The actions on the selection; none if it is empty. */
export function selectionBar({ view: { history }, controller }: Shown) {
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

/** Recent deletions, with Undo. */
export function undoBars({ view, controller }: Shown) {
  const { undos } = view.history;
  const one = (undo: (typeof undos)[number]) => html`<div class="undo-bar">
    <span>${t("undo.deleted", { count: undo.count })}</span>
    ${linkButton({ name: "undo", run: () => controller.undo(undo) }, t("undo.undo"))}
  </div>`;
  return undos.length === 0 ? nothing : html`<div class="undo-bars">${undos.map(one)}</div>`;
}

/** Problems: the history is not saved, is off, could not be read, or an action failed. */
export function problemBars({ view: { keep, history }, controller }: Shown) {
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

/** The reason why the list is empty, with a button for what the user can do. */
export function emptyList({ view, controller }: Shown) {
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
