// The bars of the history: what is selected, what can be undone, and what is wrong.

import { html, nothing } from "lit";
import { icon } from "../../components/icon";
import { action, bar, commandButton } from "../../components/notices";
import type { ViewState } from "../../state";
import type { Translate } from "../../strings";
import type { HistoryController } from "../controller";
import { isEmpty, noSelection } from "../selection";
import { isWhole } from "../state";

/** What a bar is drawn from. */
export interface Bar {
  view: ViewState;
  t: Translate;
  controller: HistoryController;
}

/** What can be done with what is selected; nothing while nothing is. */
export function selectionBar({ view, t, controller }: Bar) {
  const { selection } = view.history;
  if (isEmpty(selection)) {
    return nothing;
  }
  const onPage = view.history.stretch.entries.length;
  const partial = !selection.everything && selection.ids.size >= onPage && !isWhole(view.history);
  return html`<div class="selection-bar" role="toolbar" aria-label=${t("selection.label")}>
    <button
      type="button"
      class="icon-button clear-selection"
      aria-label=${t("selection.clear")}
      title=${t("selection.clear")}
      @click=${() => controller.select(noSelection)}
    >
      ${icon("close")}
    </button>
    <span class="selection-count">${
      selection.everything ? t("selection.everything") : t("selection.count", { count: selection.ids.size })
    }</span>
    ${
      partial
        ? html`<button
            type="button"
            class="link-button select-everything"
            @click=${() => controller.select({ ...selection, everything: true })}
          >
            ${t("selection.selectEverything")}
          </button>`
        : nothing
    }
    <span class="spring"></span>
    ${
      selection.everything
        ? nothing
        : tool(
            "copy-entry",
            "copy",
            t("action.copyEntry"),
            () => void controller.copyEntries([...selection.ids]),
          )
    }
    ${tool("export", "save-as", t("action.export"), () => controller.export(controller.selected()))}
    ${controller.deletes ? tool("delete", "trash", t("action.delete"), () => void controller.delete(controller.selected())) : nothing}
  </div>`;
}

function tool(name: string, picture: string, label: string, run: () => void) {
  return html`<button
    type="button"
    class="icon-button"
    data-action=${name}
    aria-label=${label}
    title=${label}
    @click=${run}
  >
    ${icon(picture)}
  </button>`;
}

/** What was deleted a moment ago, with the way back. */
export function undoBars({ view, t, controller }: Bar) {
  return view.history.undos.length === 0
    ? nothing
    : html`<div class="undo-bars">
        ${view.history.undos.map(
          ({ undo, count }) => html`<div class="undo-bar">
            <span>${t("undo.deleted", { count })}</span>
            <button type="button" class="link-button undo" @click=${() => controller.undo(undo)}>
              ${t("undo.undo")}
            </button>
          </div>`,
        )}
      </div>`;
}

/** What is wrong: the history is not saved, is off, could not be read, or something did not succeed. */
export function problemBars({ view, t, controller }: Bar) {
  const { keep, history } = view;
  const { problem, failure, notice } = history;
  return html`${
    problem === null
      ? nothing
      : bar(
          "warning",
          html`<strong>${t("problem.title")}</strong> ${problem}`,
          commandButton("openLog", t("trouble.openLog"), controller),
        )
  }
  ${
    failure === null
      ? nothing
      : bar(
          "error",
          html`<strong>${t("problem.failed")}</strong> ${failure}`,
          action("retry", t("problem.retry"), () => controller.retry()),
        )
  }
  ${
    notice === null
      ? nothing
      : bar(
          "error",
          notice,
          action("close-notice", t("notice.close"), () =>
            controller.store.dispatch({ type: "notice", message: null }),
          ),
        )
  }
  ${
    keep || view.history.stretch.entries.length === 0
      ? nothing
      : bar("info", t("off.note"), commandButton("openSettings", t("off.settings"), controller))
  }`;
}
